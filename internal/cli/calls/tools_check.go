package calls

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	crawled "sitesync/crawl/site"
	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/report/site"
	"sitesync/internal/weburl"
	"sitesync/internal/wire"
)

// checkedAddress is a URL in a search tool (such as a banner), and its state in the last crawl.
type checkedAddress struct {
	Found site.Status `json:"found"`
	Kind  wire.Kind   `json:"kind"`
	Name  string      `json:"name"`
	URL   string      `json:"url"`
	To    string      `json:"to,omitempty"` // the URL at the end of its redirects
	Why   string      `json:"why"`
}

const (
	neverSeen   site.Status = "never-seen"
	anotherSite site.Status = "another-site"
)

type checkResult struct {
	Addresses []checkedAddress `json:"addresses"`
	Checked   int              `json:"checked"`
	Wrong     int              `json:"wrong"`
	Exit      int              `json:"exit"`
}

//go:embed check.txt
var checkPage string

func toolsCheck(a *app.App) error {
	t, err := openTools(a, false)
	if err != nil {
		return err
	}
	return app.ReadLedger(t.cfg, func(ledger *diffstore.Ledger) error {
		all, err := a.Site(t.cfg, ledger, false)
		if err != nil {
			return err
		}
		if len(all.Pages) == 0 {
			return fmt.Errorf("check the addresses: no crawl is known yet; run %s first", a.Spell("sitesync sync"))
		}
		of, err := app.SiteOf(t.cfg)
		if err != nil {
			return err
		}
		look, targets := &lookup{all.Pages, of}, t.file.Targets()
		r := checkResult{Addresses: []checkedAddress{}, Checked: len(targets)}
		for _, target := range targets {
			c, wrong := look.address(target.URL)
			if wrong {
				r.Wrong, r.Exit = r.Wrong+1, app.ExitNewFailures
			} else if c.Why == "" || !a.Verbose {
				continue
			}
			c.Kind, c.Name, c.URL = target.Kind, target.Name, target.URL
			r.Addresses = append(r.Addresses, c)
		}
		err = a.Show(r, checkPage)
		if err == nil && r.Wrong > 0 {
			return app.CodeError(r.Exit)
		}
		return err
	})
}

type lookup struct {
	pages []site.Page // in the order of URLs
	site  *crawled.Site
}

const mostHops = 20

// address returns the state that a URL had in the last crawl. raw is the URL as written in the file of search
// tools (banners, quicklinks and the like). wrong is true if the user should correct the URL there.
func (l *lookup) address(raw string) (c checkedAddress, wrong bool) {
	url, err := l.site.Canon.Resolve(l.site.Start[0], raw)
	origins := slices.Concat(l.site.Origins(), l.site.FileOrigins())
	if err != nil || !slices.Contains(origins, weburl.Origin(url)) {
		return checkedAddress{Found: anotherSite, Why: "of another site: not judged"}, false
	}
	first := l.page(url)
	end := first
	for hops := 0; end.Status == site.Redirect && end.Target != "" && hops < mostHops; hops++ {
		end = l.page(end.Target)
	}
	c = checkedAddress{Found: first.Status, Why: first.Why}
	switch lost := first.Status == site.Missing || first.Status == site.Gone; {
	case first.Indexed && !lost:
		return checkedAddress{Found: site.Indexed}, false
	case first.Status == site.Failed:
		return c, false
	case first.Status == site.Redirect:
		c.To, c.Why = end.URL, "redirects"
		if !end.Indexed {
			c.Why = "redirects to a URL that is " + string(end.Status)
		}
	case first.Status == site.Folded:
		c.To, c.Why = first.Canonical, "the index holds its text under another address"
	case first.HTTP != 0:
		c.Why = cmp.Or(c.Why, fmt.Sprintf("HTTP status %d", first.HTTP))
	}
	return c, true
}

// page returns the state of a canonical URL in the last crawl. If the crawl did not see the URL, the state is
// site.Excluded or neverSeen.
func (l *lookup) page(url string) *site.Page {
	i, found := slices.BinarySearchFunc(l.pages, url, func(p site.Page, url string) int {
		return strings.Compare(p.URL, url)
	})
	if ok, why := l.site.Includes(url); !found && !ok {
		return &site.Page{URL: url, Status: site.Excluded, Why: why}
	}
	if !found {
		return &site.Page{URL: url, Status: neverSeen, Why: "no crawl has seen it there"}
	}
	return &l.pages[i]
}

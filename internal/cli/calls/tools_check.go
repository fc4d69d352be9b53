package calls

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sitesync/crawl"
	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/tools"
	"sitesync/internal/weburl"
	"sitesync/internal/wire"
)

// maxMoves is how many redirects in a row are followed in the ledger.
const maxMoves = 20

// checkedAddress is an address of the file, and what the last crawls say of it.
type checkedAddress struct {
	Found tools.Found `json:"found"`
	Line  string      `json:"line"` // FILE:LINE
	Kind  wire.Kind   `json:"kind"`
	Name  string      `json:"name"`
	URL   string      `json:"url"`
	To    string      `json:"to,omitempty"` // where it moved
	Why   string      `json:"why"`
}

// checkResult is the result of check.
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
		_, found, err := ledger.Run("")
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("check the addresses: the ledger knows no crawl yet; run %s first", a.Spell("sitesync sync"))
		}
		look, err := newLookup(t.cfg, ledger)
		if err != nil {
			return err
		}
		all := t.file.Targets()
		r := checkResult{Addresses: []checkedAddress{}, Checked: len(all)}
		for _, target := range all {
			end, err := look.address(target.URL)
			if err != nil {
				return err
			}
			if end.found.Wrong() {
				r.Wrong, r.Exit = r.Wrong+1, app.ExitNewFailures
			} else if end.found == tools.FoundOK || !a.Verbose {
				continue
			}
			r.Addresses = append(r.Addresses, checkedAddress{end.found, t.line(target.URL), target.Kind, target.Name, target.URL, end.to, end.why})
		}
		err = a.Show(r, checkPage)
		if err == nil && r.Wrong > 0 {
			return app.CodeError(r.Exit)
		}
		return err
	})
}

// line returns where an address first stands in the file, as FILE:LINE; in markup it
// may be written otherwise.
func (t *toolbox) line(url string) string {
	name := filepath.Base(t.cfg.Tools.File)
	raw, err := os.ReadFile(t.cfg.Tools.File)
	if before, _, ok := strings.Cut(string(raw), url); err == nil && ok {
		return fmt.Sprintf("%s:%d", name, 1+strings.Count(before, "\n"))
	}
	return name
}

// lookup knows what the last crawls saw at an address.
type lookup struct {
	ledger  *diffstore.Ledger
	canon   *weburl.Canonicalizer
	start   string
	origins []string
	owned   func(url string) error
}

// ending is what is known of an address: to is where a move ends, and empty when that
// is no page of the index.
type ending struct {
	found   tools.Found
	to, why string
}

func newLookup(cfg *config.Config, ledger *diffstore.Ledger) (*lookup, error) {
	crawler, err := crawl.New(app.CrawlOptions(cfg, nil))
	if err != nil {
		return nil, app.Usage(err)
	}
	canon := weburl.NewCanonicalizer(cfg.Site.IgnoreParams)
	start, _ := canon.URL(cfg.Site.Start[0]) // which was loaded
	l := &lookup{ledger, canon, start, slices.Concat(crawler.Site().Origins(), crawler.Site().FileOrigins()), crawler.Site().Owned}
	return l, crawler.Close()
}

// address looks an address up and follows moves to where they end.
func (l *lookup) address(raw string) (ending, error) {
	url, err := l.canon.Resolve(l.start, raw)
	if err != nil { // mailto: and the like
		return ending{tools.FoundElsewhere, "", "no page: not judged"}, nil
	}
	first, err := l.one(url)
	for range maxMoves {
		if err != nil || first.found != tools.FoundMoved || first.to == "" {
			return first, err
		}
		next, err := l.one(first.to)
		switch {
		case err != nil:
			return first, err
		case next.found == tools.FoundMoved && next.to != "":
			first.to = next.to
		case next.found == tools.FoundOK || next.found == tools.FoundElsewhere:
			return first, nil
		case next.found == tools.FoundDuplicate:
			first.to = next.to
			return first, nil
		default:
			return ending{first.found, "", fmt.Sprintf("%s to %s, which is %s: %s", first.why, first.to, next.found, next.why)}, nil
		}
	}
	return ending{first.found, "", "redirects without an end"}, nil
}

// one judges one URL.
func (l *lookup) one(url string) (e ending, err error) {
	if !slices.Contains(l.origins, weburl.Origin(url)) {
		return ending{tools.FoundElsewhere, "", "of another site: not judged"}, nil
	}
	if err := l.owned(url); err != nil {
		return ending{tools.FoundOutOfScope, "", strings.TrimPrefix(err.Error(), url+" is out of scope: ")}, nil
	}
	record, err := l.ledger.Get(url)
	if err != nil {
		return e, err
	}
	var entry *document.Entry
	if record == nil || record.Led != 0 { // of what is not there any more the history tells more
		past, err := app.LastChange(l.ledger, url)
		if err != nil {
			return e, err
		}
		if past != nil {
			entry = &past.Entry
		}
	}
	e.found, e.to, e.why = tools.Judge(record, entry)
	return e, nil
}

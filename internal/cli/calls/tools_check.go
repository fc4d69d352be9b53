package calls

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sitesync/crawl/site"
	"sitesync/diffstore"
	"sitesync/internal/cli/app"
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
		of, err := app.SiteOf(t.cfg)
		if err != nil {
			return err
		}
		look := &lookup{ledger, of}
		all := t.file.Targets()
		r := checkResult{Addresses: []checkedAddress{}, Checked: len(all)}
		for _, target := range all {
			end, err := look.address(target.URL)
			if err != nil {
				return err
			}
			if end.Found.Wrong() {
				r.Wrong, r.Exit = r.Wrong+1, app.ExitNewFailures
			} else if end.Found == tools.FoundOK || !a.Verbose {
				continue
			}
			end.Line, end.Kind, end.Name, end.URL = t.line(target.URL), target.Kind, target.Name, target.URL
			r.Addresses = append(r.Addresses, end)
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
	ledger *diffstore.Ledger
	site   *site.Site
}

// address looks an address up and follows moves to where they end; To is empty where that is no
// page of the index.
func (l *lookup) address(raw string) (checkedAddress, error) {
	url, err := l.site.Canon.Resolve(l.site.Start[0], raw)
	if err != nil { // mailto: and the like
		return checkedAddress{Found: tools.FoundElsewhere, Why: "no page: not judged"}, nil
	}
	first, err := l.one(url)
	end := first
	for n := 0; err == nil && end.Found == tools.FoundMoved && end.To != ""; n++ {
		if n == maxMoves {
			return checkedAddress{Found: first.Found, Why: "redirects without an end"}, nil
		}
		first.To = end.To
		end, err = l.one(end.To)
	}
	switch {
	case err != nil || first.To == "" || end.Found == tools.FoundOK || end.Found == tools.FoundElsewhere:
		return first, err
	case end.Found == tools.FoundDuplicate:
		first.To = end.To
		return first, nil
	}
	why := fmt.Sprintf("%s to %s, which is %s: %s", first.Why, first.To, end.Found, end.Why)
	return checkedAddress{Found: first.Found, Why: why}, nil
}

// one looks a canonical URL up.
func (l *lookup) one(url string) (c checkedAddress, err error) {
	if !slices.Contains(slices.Concat(l.site.Origins(), l.site.FileOrigins()), weburl.Origin(url)) {
		return checkedAddress{Found: tools.FoundElsewhere, Why: "of another site: not judged"}, nil
	}
	if ok, why := l.site.Includes(url); !ok {
		return checkedAddress{Found: tools.FoundOutOfScope, Why: why}, nil
	}
	record, err := l.ledger.Brief(url)
	if err == nil {
		c.Found, c.To, c.Why = tools.Judge(record)
	}
	return c, err
}

package calls

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/tools"
	"sitesync/internal/weburl"
)

// maxMoves is how many redirects in a row are followed in the ledger.
const maxMoves = 20

func toolsCheckCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Compare every address that the file leads to with the last crawl", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return toolsCheck(a) },
	}
}

func toolsCheck(a *app.App) (err error) {
	t, err := openTools(a, false)
	if err != nil {
		return err
	}
	ledger, err := diffstore.OpenRead(t.cfg.Store.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	if _, found, err := ledger.Run(""); err != nil || !found {
		return app.FirstError(err, errors.New("check the addresses: the ledger knows no crawl yet; run sitesync sync first"))
	}
	look, err := lookup(t.cfg, ledger)
	if err != nil {
		return err
	}
	wrong, all := 0, t.file.Targets()
	for _, target := range all {
		found, to, why, err := look(target.URL)
		if err != nil {
			return err
		}
		if found.Wrong() {
			wrong++
		} else if found == tools.FoundOK || !a.Verbose {
			continue
		}
		if to != "" {
			to = " → " + to
		}
		a.Print("%-12s %s: %s %q: %s%s: %s", found, t.line(target.URL), target.Kind, target.Name, target.URL, to, why)
	}
	a.Print("%d addresses, %d to look at", len(all), wrong)
	if wrong > 0 {
		return app.CodeError(app.ExitNewFailures)
	}
	return nil
}

// toolMove is an address of the file that is sent as another one.
type toolMove struct {
	Line string `json:"line"` // FILE:LINE
	From string `json:"from"`
	To   string `json:"to"`
}

// follow puts the new addresses of what moved into what is sent, and says so.
func (t *toolbox) follow(ledger *diffstore.Ledger) error {
	look, err := lookup(t.cfg, ledger)
	if err != nil {
		return err
	}
	var fault error
	t.file.Follow(func(url string) string {
		found, to, _, err := look(url)
		fault = app.FirstError(fault, err)
		if err != nil || found != tools.FoundMoved || to == "" {
			return url
		}
		if _, fragment, ok := strings.Cut(url, "#"); ok {
			to += "#" + fragment
		}
		if move := (toolMove{t.line(url), url, to}); !slices.Contains(t.moved, move) {
			t.moved = append(t.moved, move)
		}
		return to
	})
	return fault
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

// lookup returns what tells of an address what the last crawls saw there. A move is
// followed to where it ends: to is empty when that is no page of the index.
func lookup(cfg *config.Config, ledger *diffstore.Ledger) (func(url string) (found tools.Found, to, why string, err error), error) {
	crawler, err := crawl.New(app.CrawlOptions(cfg, nil))
	if err != nil {
		return nil, app.Usage(err)
	}
	origins := slices.Concat(crawler.Origins(), crawler.FileOrigins())
	canon := weburl.NewCanonicalizer(cfg.Site.IgnoreParams)
	owned := crawler.Owned
	if err := crawler.Close(); err != nil {
		return nil, err
	}
	one := func(url string) (found tools.Found, to, why string, err error) {
		k := tools.Known{Foreign: !slices.Contains(origins, weburl.Origin(url))}
		if err := owned(url); err != nil {
			k.OutScope = strings.TrimPrefix(err.Error(), url+" is out of scope: ")
		}
		if k.Record, err = ledger.Get(url); err == nil && k.Record == nil {
			past, pastErr := app.LastChange(ledger, url)
			if err = pastErr; past != nil {
				k.Past = &past.Entry
			}
		}
		found, to, why = k.Judge()
		return found, to, why, err
	}
	return func(raw string) (tools.Found, string, string, error) {
		url, err := canon.Resolve(canonicalStart(cfg, canon), raw)
		if err != nil { // mailto: and the like
			return tools.FoundElsewhere, "", "no page: not judged", nil
		}
		return chase(url, one)
	}, nil
}

func canonicalStart(cfg *config.Config, canon *weburl.Canonicalizer) string {
	start, _ := canon.URL(cfg.Site.Start[0]) // which was loaded
	return start
}

// chase follows moves in the ledger.
func chase(url string, look func(string) (tools.Found, string, string, error)) (tools.Found, string, string, error) {
	found, to, why, err := look(url)
	for range maxMoves {
		if err != nil || found != tools.FoundMoved || to == "" {
			return found, to, why, err
		}
		next, further, then, err := look(to)
		switch {
		case err != nil:
			return found, to, why, err
		case next == tools.FoundMoved && further != "":
			to = further
		case next == tools.FoundOK || next == tools.FoundElsewhere:
			return found, to, why, nil
		case next == tools.FoundDuplicate:
			return found, further, why, nil
		default:
			return found, "", fmt.Sprintf("%s to %s, which is %s: %s", why, to, next, then), nil
		}
	}
	return found, "", "redirects without an end", nil
}

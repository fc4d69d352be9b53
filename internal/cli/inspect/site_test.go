package inspect

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/diffstore/pages"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/report/site"
	"sitesync/internal/spool"
)

// benchURLs and benchLinks are how many URLs the benchmark's site has, and how many links
// each of its pages.
const (
	benchURLs  = 100_000
	benchLinks = 50
)

// BenchmarkSite shows 100,000 known URLs and the faults of their site.
func BenchmarkSite(b *testing.B) {
	cfg := &config.Config{}
	cfg.Store.Path = filepath.Join(b.TempDir(), "ledger.db")
	url := func(i int) string {
		return fmt.Sprintf("https://www.example.com/section-%02d/page-%06d.html", i*100/benchURLs, i)
	}
	ledger, err := diffstore.Open(cfg.Store.Path, false)
	if err != nil {
		b.Fatal(err)
	}
	defer ledger.Close()
	var batch document.Batch
	for i := range benchURLs {
		doc := document.Document{ID: url(i), Type: document.PageContent, Fields: map[string]string{"Title": fmt.Sprint(i), "Content": "text", "Url": url(i), "Language": "en"}}
		rec := &document.Record{ID: doc.ID, Type: doc.Type, Fields: doc.FieldHashes(), Push: document.PushOK, By: "row", Fetched: 1_800_000_000, Born: 1_800_000_000, Listed: true}
		batch.Observed = append(batch.Observed, document.Observation{ID: doc.ID, Next: rec})
	}
	if err := ledger.Step("run", batch); err != nil {
		b.Fatal(err)
	}
	seen := func(yield func(document.SitePage, error) bool) {
		for i := range benchURLs {
			links := make([]uint64, benchLinks)
			for n := range links {
				to := n
				if n > benchLinks/2 {
					to = (i*31 + n*n*n*7) % benchURLs
				}
				links[n] = spool.Fingerprint(url(to))
			}
			text := fmt.Sprintf("Page %d\nof the section\nsays %d\nand no more\nthan that\n", i, i)
			doc := document.Document{Fields: map[string]string{"Title": fmt.Sprintf("The title of page %d", i), "Content": text}}
			page := document.SitePage{
				URL: url(i), Seen: document.Read, Status: 200, Type: document.PageContent, Start: i == 0, Links: document.PackLinks(links),
				Says: document.SaysOf(doc, &document.Draft{Fields: map[string]string{"Description": fmt.Sprintf("A description of page %d in a sentence or two", i)}}),
			}
			if !yield(page, nil) {
				return
			}
		}
	}
	if err := pages.Write(pages.Path(cfg.Store.Path), 1_800_000_000, seen); err != nil {
		b.Fatal(err)
	}
	a := &app.App{Stdout: io.Discard, Stderr: io.Discard, Getenv: os.Getenv}
	for name, show := range map[string]func(*site.Site) error{
		"list":      func(s *site.Site) error { return report.PagesText(a.Stdout, report.Each(s.Pages)) },
		"list-json": func(s *site.Site) error { return report.PagesJSON(a.Stdout, report.Each(s.Pages)) },
		"report":    func(s *site.Site) error { return report.SiteText(a.Stdout, s, false) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				all, err := a.Site(cfg, ledger, name == "report")
				if err != nil || len(all.Pages) != benchURLs || show(all) != nil {
					b.Fatalf("%v, %d URLs", err, len(all.Pages))
				}
			}
		})
	}
}

// TestSelection: list shows what has one of the statuses, and begins as an address or a path
// does.
func TestSelection(t *testing.T) {
	all := &site.Site{Pages: []site.Page{
		{URL: "https://a.example/news/1", Status: site.Indexed}, {URL: "https://a.example/news/2", Status: site.Missing},
		{URL: "https://b.example/news/3", Status: site.NoIndex}, {URL: "https://b.example/x", Status: site.Missing},
	}}
	for _, row := range []struct {
		under    string
		statuses []string
		want     string
	}{
		{"", nil, "1 2 3 x"},
		{"/news/", nil, "1 2 3"},
		{"https://b.example/", nil, "3 x"},
		{"/news/", []string{"missing", "noindex"}, "2 3"},
		{"news", nil, ""},
	} {
		var got []string
		for _, p := range all.Pages {
			if hasStatus(&p, row.statuses) && isUnder(p.URL, row.under) {
				got = append(got, p.URL[strings.LastIndex(p.URL, "/")+1:])
			}
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("under %q, %q: %q", row.under, row.statuses, got)
		}
	}
}

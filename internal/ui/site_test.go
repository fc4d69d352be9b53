package ui

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/report/site"
)

// lone is a ledger without a history.
type lone struct{}

func (lone) Identity() (string, error)                                { return "", nil }
func (lone) Generation() (uint64, error)                              { return 1, nil }
func (lone) Text(string) (document.Document, bool, error)             { return document.Document{}, false, nil }
func (lone) Run(string) (run document.Summary, found bool, err error) { return run, false, nil }
func (lone) History() iter.Seq2[document.Summary, error] {
	return func(func(document.Summary, error) bool) {}
}
func (lone) Entries(string) iter.Seq2[document.Entry, error] {
	return func(func(document.Entry, error) bool) {}
}

// browse serves a site's pages and returns what gets one of them, with a session.
func browse(t testing.TB, s *site.Site) (get func(path string) string) {
	t.Helper()
	listening := httptest.NewUnstartedServer(nil)
	_, port, _ := strings.Cut(listening.Listener.Addr().String(), ":")
	server := New(t.Context(), Options{
		Port:   port,
		Ledger: func(_ context.Context, use func(Ledger) error) error { return use(lone{}) },
		Site:   func(context.Context) (*site.Site, error) { return s, nil },
	})
	listening.Config.Handler = server
	listening.Start()
	t.Cleanup(func() { listening.Close(); server.Wait() })
	get = func(path string) string {
		t.Helper()
		for {
			answer, err := http.Get(listening.URL + server.guard.base + path)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Fatalf("%s: %s, %v\n%s", path, answer.Status, err, raw)
			}
			if answer.Header.Get("Refresh") == "" { // else it is being read
				return string(raw)
			}
		}
	}
	return get
}

// TestSitePages: the faults and every URL are shown, filtered and counted, and what a site
// says stays text.
func TestSitePages(t *testing.T) {
	s := &site.Site{Run: "run", Start: 1_800_000_000}
	for i := range 60 {
		p := site.Page{URL: fmt.Sprintf("https://www.example.com/news/%02d", i), Status: site.Indexed, Title: fmt.Sprint("Page ", i), Depth: i % 3, Took: i}
		if i == 7 {
			p.Status, p.Title = site.Missing, `<script>alert("x")</script>`
		}
		s.Pages = append(s.Pages, p)
	}
	s.Faults = []site.Fault{
		{Kind: site.BrokenLink, URL: s.Pages[7].URL, Title: s.Pages[7].Title, Text: "is not there (404); 1 page links to it", Pages: []string{"https://www.example.com/\"><b>"}, New: true},
		{Kind: site.NoTitle, URL: s.Pages[8].URL, Text: "has no title"},
	}
	s.Counts = []site.Count{{Kind: site.BrokenLink, Faults: 1, New: 1}, {Kind: site.NoTitle, Faults: 1}}
	get := browse(t, s)
	for path, want := range map[string][2]string{ // what the page has, and has not
		"/nights":      {"No run yet", "<script>alert"},
		"/site/faults": {"60 known URLs", "<script>alert"},
		"/site/faults?kind=" + url.QueryEscape(site.BrokenLink.Name()): {"&lt;script&gt;", "has no title"},
		"/site/faults?seen=before":                                     {"has no title", "is not there (404)"},
		"/site/faults?q=NO+TITLE":                                      {"has no title", "is not there (404)"},
		"/site/urls":                                                   {"page 1 of 3", "Page 59"},
		"/site/urls?status=missing":                                    {"&lt;script&gt;", "Page 8"},
		"/site/urls?depth=2&sort=slow":                                 {"Page 59", "Page 58"},
		"/site/urls?page=3":                                            {"Page 59", "Page 49<"},
		"/site/urls?q=" + url.QueryEscape("news/12"):                   {"1 of 60 rows", "Page 13"},
	} {
		page := get(path)
		if !strings.Contains(page, want[0]) || strings.Contains(page, want[1]) {
			t.Errorf("%s: %q is missing, or %q is there\n%s", path, want[0], want[1], page)
		}
	}
}

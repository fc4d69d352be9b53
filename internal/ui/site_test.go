package ui

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sitesync/internal/report/site"
)

// TestSitePages: the faults and every URL are shown, filtered and counted, and what a site
// says stays text.
func TestSitePages(t *testing.T) {
	s := &site.Site{Run: "run", Start: 1_800_000_000}
	for i := range 60 {
		p := site.Page{URL: fmt.Sprintf("https://www.example.com/news/%02d", i), Status: site.Indexed, Title: fmt.Sprint("Page ", i), LinksIn: i % 3}
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
	server := New(t.Context(), Options{
		Search: finds{}, Port: "8484",
		Ledger: func(_ context.Context, use func(Ledger) error) error { return use(told{}) },
		Site:   func(context.Context) (*site.Site, error) { return s, nil },
	})
	t.Cleanup(server.Wait)
	for path, want := range map[string][2]string{ // what the page has, and has not
		"/site/faults": {"60 known URLs", "<script>alert"},
		"/site/faults?kind=" + url.QueryEscape(site.BrokenLink.Name()): {"&lt;script&gt;", "has no title"},
		"/site/faults?seen=before":                                     {"has no title", "is not there (404)"},
		"/site/faults?q=NO+TITLE":                                      {"has no title", "is not there (404)"},
		"/site/urls":                                                   {"page 1 of 3", "Page 59"},
		"/site/urls?page=3&sort=status":                                {"&lt;script&gt;", "Page 30<"},
		"/site/urls?status=missing":                                    {"&lt;script&gt;", "Page 8"},
		"/site/urls?page=3":                                            {"Page 59", "Page 49<"},
		"/site/urls?q=" + url.QueryEscape("news/12"):                   {"1 of 60 rows", "Page 13"},
	} {
		page := ask(server, http.MethodGet, path, nil).Body.String()
		if !strings.Contains(page, want[0]) || strings.Contains(page, want[1]) {
			t.Errorf("%s: %q is missing, or %q is there\n%s", path, want[0], want[1], page)
		}
	}
}

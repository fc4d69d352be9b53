package ui

import (
	"cmp"
	"context"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
	"sitesync/internal/report/site"
)

// library is the ledger of a public library's site: titles and texts by address.
type library struct{ lone }

func (library) Identity() (string, error) { return "L", nil }

func (library) Text(id string) (document.Document, bool, error) {
	title := map[string]string{
		"/visit/opening-hours": "Opening hours", "/children/story-time": "Story time", "/news/2025/summer-reading-club": "Summer reading club 2025", "/services/fax": "Fax service",
	}[strings.TrimPrefix(id, "https://library.example.org")]
	text := map[string]string{
		"Opening hours": "The library is open from Monday to Friday, 10 to 18. On Saturdays we are open until 14. On Sundays the reading room is closed.",
	}[title]
	return document.Document{ID: id, Type: document.PageContent, Fields: map[string]string{"Title": title, "Url": id, "Content": cmp.Or(text, "Everything you want to know.")}}, title != "", nil
}

// TestPicture takes the picture in the README, where -shots names a folder.
func TestPicture(t *testing.T) {
	if *shots == "" {
		t.Skip("SKIPPED: no folder for pictures: name one with -shots")
	}
	path := filepath.Join(t.TempDir(), "plan")
	w, err := planfile.Create(path, document.PlanHeader{Run: "R", Ledger: "L", Generation: 1, Target: document.Target{Origins: []string{"https://library.example.org"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ op, cause, path, title, text, fields, evidence string }{
		{"put", "new", "/events/night-of-the-libraries", "Night of the libraries", "On 27 November the library stays open until midnight.", "", ""},
		{"put", "new", "/news/2026/borrow-a-telescope", "Borrow a telescope", "From December you can borrow telescopes.", "", ""},
		{"patch", "changed", "/visit/opening-hours", "Opening hours", "The library is open from Monday to Friday, 9 to 19. On Saturdays we are open until 16. On Sundays the reading room is open from 11 to 17.", "Content", ""},
		{"patch", "changed", "/children/story-time", "Story time on Wednesdays", "Everything you want to know.", "Title", ""},
		{"delete", "gone", "/services/fax", "", "", "", "410 on 22 November"},
		{"held", "missing", "/news/2025/summer-reading-club", "", "", "", "404 on 22 November, still in the sitemap"},
	} {
		change := document.Change{Op: document.Op(c.op), ID: "https://library.example.org" + c.path, Type: document.PageContent, Cause: document.Cause(c.cause), State: document.Planned, Evidence: c.evidence, Fields: strings.Fields(c.fields)}
		if c.op == "held" {
			change.Op, change.State, change.Brake = document.Delete, document.Held, document.BrakeTotal
		}
		if c.title != "" {
			doc := document.Document{ID: change.ID, Type: change.Type, Fields: map[string]string{"Title": c.title, "Url": change.ID, "Content": c.text}}
			change.Doc = doc.Wire()
		}
		if err := w.Change(change); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(document.PlanTrailer{Summary: document.Summary{Start: 1_795_370_400, Complete: true, Counts: document.Counts{Put: 2, Patch: 2, Delete: 1, Held: 1, Unchanged: 1_284}}}); err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewUnstartedServer(nil)
	_, port, _ := strings.Cut(listening.Listener.Addr().String(), ":")
	server := New(t.Context(), Options{
		Port: port, Plan: path, Search: finds{}, Run: func(context.Context, string, ...string) Answer { return Answer{} }, Stop: func() {},
		Site:   func(context.Context) (*site.Site, error) { return &site.Site{}, nil },
		Ledger: func(_ context.Context, use func(Ledger) error) error { return use(library{}) },
	})
	listening.Config.Handler = server
	listening.Start()
	t.Cleanup(func() { listening.Close(); server.Wait() })
	<-server.plan.ready
	ctx, _ := openBrowser(t, listening.URL)
	do(t, ctx, look(""), chromedp.EmulateViewport(1100, 700), chromedp.Navigate(listening.URL+"/?token="+server.Token()), chromedp.Navigate(listening.URL+"/plan/changes"),
		click(`a[data-open][href*="opening-hours"]`), until(".inline ins"), click(".sentence"), shot("picture"))
}

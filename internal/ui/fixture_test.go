package ui

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"html/template"
	"iter"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
	"sitesync/internal/report/site"
	"sitesync/internal/service"
)

const (
	hostile  = `<script>document.title="run"</script><img src="https://evil.example/x.png">`
	longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
	lost     = "https://www.example.com/news/a-page-that-is-held-back-with-a-rather-long-address-of-its-own-2026-11-22.html"
)

// told is a ledger with old texts and a history.
type told struct{}

func (told) Identity() (string, error)   { return "L", nil }
func (told) Generation() (uint64, error) { return 1, nil }

func (told) Count() (map[document.Push]int, error) {
	return map[document.Push]int{document.PushOK: 2_961}, nil
}

func (told) Text(id string) (document.Document, bool, error) {
	fields := map[string]string{"Title": "The old title", "Url": id, "Content": "Bees live in the town hall. They make honey in spring."}
	return document.Document{ID: id, Type: document.PageContent, Fields: fields}, !strings.HasSuffix(id, "/hostile"), nil
}

func (told) Run(id string) (run document.Summary, found bool, err error) {
	for run := range (told{}).History() {
		if run.Run == id {
			return run, true, nil
		}
	}
	return run, false, nil
}

func (told) History() iter.Seq2[document.Summary, error] {
	return func(yield func(document.Summary, error) bool) {
		for i := range 20 {
			run := document.Summary{Run: fmt.Sprintf("run-%d", i), Start: 1_800_000_000 - int64(i)*86_400, Complete: i != 3, Kinds: document.Kinds{New: i, Changed: 2 * i}, Counts: document.Counts{Put: i, Patch: 2 * i, Held: (i + 1) % 3, Unchanged: 2_961 + i}}
			if i == 0 {
				run.Hosts = []document.Host{{Host: "www.example.com", State: document.HostUnreachable, Reason: "every request failed: https://www.example.com/" + longWord}}
			}
			if i == 1 {
				run.Took, run.Exit = 83_456, 4
			}
			if !yield(run, nil) {
				return
			}
		}
	}
}

func (told) Entries(string) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		yield(document.Entry{Op: document.Put, ID: lost, Type: document.PageContent, Cause: document.CauseNew, State: document.Acknowledged}, nil)
	}
}

// finds is a search that finds the same on each side.
type finds struct{}

func (finds) Progress() Progress { return Progress{Sides: []Side{Before, After}} }
func (finds) Pending(string)     {}
func (finds) Search(_ context.Context, side Side, q Query) (*Results, error) {
	r := &Results{Total: 31, Meant: "honey", Facets: []Facet{{Field: "Category", Values: []Value{{Text: longWord, Count: 3}, {Text: "News", Count: 28, On: true}}}}}
	for i := range 6 {
		id := []string{lost, "https://www.example.com/bees"}[i/5]
		r.Hits = append(r.Hits, Hit{ID: id, URL: lost, Date: "2026-11-22", Type: "page", Title: template.HTML(html.EscapeString(hostile + string(side))), Snippet: template.HTML(fmt.Sprint("Result ", i, " of <mark>", html.EscapeString(q.Text), "</mark> in ", longWord))})
	}
	return r, nil
}

// shownPlan writes a plan of many kinds of change.
func shownPlan(t *testing.T) (path string) {
	path = filepath.Join(t.TempDir(), "plan")
	w, err := planfile.Create(path, document.PlanHeader{Run: "R", Ledger: "L", Generation: 1, Target: document.Target{Origins: []string{"https://www.example.com"}}})
	if err != nil {
		t.Fatal(err)
	}
	doc := func(id, title string) []byte {
		d := document.Document{ID: id, Type: document.PageContent, Fields: map[string]string{"Title": title, "Url": id, "Content": "Wasps live in the town hall. They make " + longWord + " in spring."}}
		return d.Wire()
	}
	for _, c := range []document.Change{
		{Op: document.Put, ID: "https://www.example.com/hostile", Cause: document.CauseNew, State: document.Planned, Doc: doc("https://www.example.com/hostile", hostile)},
		{Op: document.Put, ID: "https://www.example.com/" + longWord + "/" + longWord, Cause: document.CauseNew, State: document.Planned, Doc: doc("https://www.example.com/long", longWord+longWord)},
		{Op: document.Patch, ID: "https://www.example.com/bees", Cause: document.CauseChanged, Fields: []string{"Title", "Content"}, State: document.Planned, Doc: doc("https://www.example.com/bees", "שלום, a new title")},
		{Op: document.Patch, ID: lost, Cause: document.CauseChanged, Fields: []string{"Title"}, State: document.Held, Brake: document.BrakeGroup, Group: "https://www.example.com/news/", Evidence: "31 of 37 pages lost their text", Doc: doc(lost, "The title of the held page")},
		{Op: document.Delete, ID: "https://www.example.com/gone", Cause: document.CauseGone, State: document.Planned, Evidence: "404 in two runs"},
	} {
		if err := w.Change(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(document.PlanTrailer{Summary: document.Summary{Start: 1_800_000_000, Complete: true, Kinds: document.Kinds{New: 2, Changed: 1, Deleted: 1}, Counts: document.Counts{Put: 2, Patch: 1, Delete: 1, Held: 1, Unchanged: 2_961}}}); err != nil {
		t.Fatal(err)
	}
	return path
}

// everyPage serves all pages, of a site with everything that can be shown.
func everyPage(t *testing.T) (address string, server *Server) {
	s := &site.Site{Run: "run-0", Start: 1_800_000_000}
	for i := range 60 {
		s.Pages = append(s.Pages, site.Page{URL: fmt.Sprintf("https://www.example.com/%s/%02d", longWord, i), Status: site.Indexed, Title: hostile, LinksIn: i % 3, From: lost})
	}
	s.Faults = []site.Fault{{Kind: site.BrokenLink, URL: lost, Title: hostile, Text: "is not there (404); 1 page links to it", Pages: []string{lost}, New: true}, {Kind: site.NoTitle, URL: s.Pages[8].URL, Text: "has no title"}}
	s.Counts = []site.Count{{Kind: site.BrokenLink, Faults: 1, New: 1}, {Kind: site.NoTitle, Faults: 1}}
	listening := httptest.NewUnstartedServer(nil)
	_, port, _ := strings.Cut(listening.Listener.Addr().String(), ":")
	approved := false // requests come one by one
	server = New(t.Context(), Options{
		Port: port, Plan: shownPlan(t), Dir: t.TempDir(), Search: finds{}, Stop: func() {},
		Ledger: func(_ context.Context, use func(Ledger) error) error { return use(told{}) },
		Site:   func(context.Context) (*site.Site, error) { return s, nil },
		Looked: func() (looked, found int64) { return 1_234, 9_876 },
		Run: func(ctx context.Context, command string, args ...string) Answer {
			switch {
			case command == "plan":
				<-ctx.Done()
				return Answer{Err: "interrupted", Exit: 130}
			case command == "approve" && args[0] == "--withdraw":
				approved = false
				return Answer{Out: "1 approval withdrawn"}
			case command == "approve":
				approved = true
				return Answer{Out: "1 change approved"}
			case command == "searches":
				return Answer{Out: fmt.Sprintf(`{"queries":[{"name":%[1]q,"searches":1234,"clicks":7,"mean_rank":1.5},{"name":%[2]q}],"without_result":[{"name":%[2]q,"without_result":3}],"pages":[{"name":%[3]q,"title":%[1]q,"clicks":7}]}`, hostile, longWord, lost)}
			}
			n, more := map[bool]int{true: 1}[approved], ""
			for i := range 60 {
				more += fmt.Sprintf(`,{"op":"delete","id":"https://www.example.com/old/%02d","cause":"redirected","brake":"mass-update","group":"to:https://www.example.com/","evidence":"301 in run 01M7WD7TG00000000000000000"}`, i)
			}
			return Answer{Out: fmt.Sprintf(`{"verdict":"The index holds it, and %[1]s","document":{"id":%[2]q,"fields":{"Title":%[1]q}},"ledger":{"push":"ok"},"groups":[{"op":"patch","cause":"content","brake":"group","group":"https://www.example.com/news/","why":"Many pages lost their text.","release":"sitesync approve --group https://www.example.com/news/","mend":"have the pages show their own texts again","since":1800000000,"count":1,"approved":%[3]d},{"op":"delete","cause":"redirected","brake":"mass-update","group":"to:https://www.example.com/","why":"60 of 61 changed pages redirect to https://www.example.com/","release":"sitesync approve --group to:https://www.example.com/","count":60}],"held":[{"op":"patch","id":%[2]q,"cause":"content","brake":"group","group":"https://www.example.com/news/","evidence":"31 of 37 pages lost their text","approved":%[4]t}%[5]s]}`, longWord, lost, n, approved, more)}
		},
	})
	listening.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept"), "text/html") && !strings.HasPrefix(r.URL.Path, server.guard.base+"/static/") {
			t.Errorf("%s is asked for like the API's paths, and not as a page: serve would not show it", r.URL)
		}
		server.ServeHTTP(w, r)
	})
	listening.Start()
	t.Cleanup(func() { listening.Close(); server.Wait() })
	return listening.URL + server.guard.base, server
}

// serveLocal runs the local service, with a store of its own where none is named.
func serveLocal(t *testing.T, o service.Options) (*service.Service, *service.Running) {
	t.Helper()
	o.Path, o.APIKey = cmp.Or(o.Path, filepath.Join(t.TempDir(), "service.db")), "local"
	local, err := service.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { local.Close() })
	running, err := local.Start("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { running.Close() })
	return local, running
}

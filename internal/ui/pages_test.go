package ui

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// shown returns what shows every page of the plan and the history that a browser test has.
func shown(t *testing.T) *Server {
	s := New(t.Context(), Options{
		Port: "8484", Plan: shownPlan(t), Dir: t.TempDir(), Search: finds{},
		Ledger: func(_ context.Context, use func(Ledger) error) error { return use(told{}) },
		Run: func(_ context.Context, command string, _ ...string) Answer {
			return Answer{Out: `{"verdict":"it is due","document":{"id":"https://www.example.com/a","fields":{"Title":"A"}},"groups":[{"op":"patch","brake":"group","group":"g","count":2,"approved":1}],"held":[{"op":"patch","brake":"group","group":"g","id":"https://www.example.com/a","approved":true},{"op":"patch","brake":"group","group":"g","id":"https://www.example.com/b"}]}`}
		},
	})
	t.Cleanup(s.Wait)
	return s
}

// TestPages: what each page says, and what it must not say.
func TestPages(t *testing.T) {
	t.Parallel()
	s := shown(t)
	for _, c := range []struct{ path, has, not string }{
		{"/", `Plan: www.example.com, 15 January: 2 new, 1 changed`, ""},
		{"/", `href="/plan/changes">Look at the plan</a> <button class="quiet">Plan again`, ""},
		{"/", `<span class="badge new">fine</span> The run of 15 January 2027`, ""},
		{"/", "Documents in the index <b>2,961</b>", ""},
		{"/", `>Held <b class="badge held">1</b></a>`, ""},
		{"/plan/unread", "Every page was read", `class="filter"`},
		{"/plan/changes", `href="/plan/change?id=`, ""},
		{"/nights/run-0", "The old title", "/plan/change?"}, // the pending plan knows nothing of that night
		{"/nights/run-3", "unchanged; not every page was looked at", "How it ended"},
		{"/nights", "Documents in the index by night. 27 December: 2,790,", ""}, // counted back from now
		{"/nights", "14 January: 2,961, 15 January: 2,961", ""},
		{"/nights", "<td>1m23.5s, exit code 4<tr>", ""},
		{"/nights/run-1", "After 1m23.5s, with exit code 4.", ""},
		{"/search?q=honey&f.Category=News&page=1", `href="?q=honey" aria-current="true">News`, ""},
		{"/search?q=honey&page=1", `href="?f.Category=News&amp;q=honey"`, ""},
		{"/search?q=honey&page=1", `href="?page=2&amp;q=honey">Next`, ""},
		{"/why?url=x&q=honey", "After the plan</b>: a search for “honey” finds it.", ""},
		{"/held", `<b dir="auto">The old title</b>`, ""},
		{"/held", `<span class="badge new">approved</span>`, `<span class="badge held">approved`},
	} {
		page := ask(s, http.MethodGet, c.path, nil).Body.String()
		if !strings.Contains(page, c.has) || c.not != "" && strings.Contains(page, c.not) {
			t.Errorf("%s: no %q, or %q, in %s", c.path, c.has, c.not, page)
		}
	}
	page := ask(s, http.MethodGet, "/plan/changes", nil).Body.String() // as reports tell it: what is new comes last
	rows := []string{"bees", "gone", "hostile", "news/a-page-that-is-held"}
	slices.SortFunc(rows, func(a, b string) int {
		return strings.Index(page, `href="https://www.example.com/`+a) - strings.Index(page, `href="https://www.example.com/`+b)
	})
	if !slices.Equal(rows, []string{"news/a-page-that-is-held", "gone", "bees", "hostile"}) {
		t.Errorf("changes come as %q", rows)
	}
	for path, name := range map[string]string{
		"/": "Overview", "/search": "Search", "/plan/warnings": "Plan", "/plan/change?id=" + url.QueryEscape(lost): "Plan",
		"/nights": "Nights", "/nights/run-1": "Nights", "/held": "Held", "/why": "Why", "/searches": "Searches",
	} {
		if page := ask(s, http.MethodGet, path, nil).Body.String(); !strings.Contains(page, `aria-current="page">`+name) {
			t.Errorf("%s: %s is not marked", path, name)
		}
	}
}

// send sends a form, and returns where that leads.
func send(s *Server, path string, form url.Values) (w *httptest.ResponseRecorder, to string) {
	w = ask(s, http.MethodPost, path+"?", func(r *http.Request) { r.PostForm, r.Form = form, form })
	return w, w.Header().Get("Location")
}

// moved is a ledger that a run wrote after the plan was made.
type moved struct{ told }

func (moved) Generation() (uint64, error) { return 2, nil }
func (moved) Entries(string) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		yield(document.Entry{Op: document.Put, ID: lost, Cause: document.CauseNew, State: document.Refused, Reason: "the title is too long"}, nil)
	}
}

// TestPlanStates: a plan that is old, damaged, gone or written anew is told, and what to do;
// so is a ledger that another one has, and a page that will not change by itself is not
// asked for again.
func TestPlanStates(t *testing.T) {
	t.Parallel()
	var ledger Ledger = told{}
	var held error
	path, release := shownPlan(t), make(chan struct{})
	s := New(t.Context(), Options{
		Search: finds{}, Port: "8484", Plan: path, Dir: t.TempDir(),
		Ledger: func(_ context.Context, use func(Ledger) error) error {
			if held != nil {
				return held
			}
			return use(ledger)
		},
		Run: func(context.Context, string, ...string) Answer {
			<-release
			return Answer{Err: "sitesync: no space left\n", Exit: 1}
		},
	})
	t.Cleanup(s.Wait)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(raw []byte) func() {
		return func() {
			if err := os.WriteFile(path, raw, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name, has, not string
		before         func()
	}{
		{"fresh", "The title of the held page", "has changed since", func() {}},
		{"ledger moved on", "The ledger has changed since this plan was made, so apply would refuse it. Plan again.", "Refresh", func() { ledger = moved{} }},
		{"ledger held", "can&#39;t be read now, so old texts are missing: another run holds it", "Refresh", func() { held = errors.New("another run holds it") }},
		{"damaged", "The plan can&#39;t be shown", "The title of", write(whole[:len(whole)-9])},
		{"gone", "is gone. Make a new plan.", "The title of", func() { _ = os.Remove(path) }},
		{"written anew", "The title of the held page", "is gone", write(whole)},
		{"being made", "A new plan is being made", "Plan again</button>", func() { send(s, "/plan/new", url.Values{}) }},
		{"not made", "No plan was made. no space left", "being made", func() { close(release); s.Wait() }},
	} {
		c.before()
		if body := ask(s, http.MethodGet, "/plan/changes", nil).Body.String(); !strings.Contains(body, c.has) || strings.Contains(body, c.not) {
			t.Errorf("%s: no %q, or %q, in %s", c.name, c.has, c.not, body)
		}
	}
	held = nil
	if night := ask(s, http.MethodGet, "/nights/run-2", nil).Body.String(); !strings.Contains(night, "refused · the title is too long") {
		t.Errorf("a night does not say why a document was refused: %s", night)
	}
}

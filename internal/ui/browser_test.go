package ui

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"iter"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"sitesync/crawl/chrome"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
	"sitesync/internal/report/site"
)

var shots = flag.String("shots", "", "save screenshots of the pages into this `folder`")

const (
	hostile  = `<script>document.title="run"</script><img src="https://evil.example/x.png">`
	longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
	lost     = "https://www.example.com/news/a-page-that-is-held-back-with-a-rather-long-address-of-its-own-2026-11-22.html"
)

// told is a ledger with old texts and a history.
type told struct{ lone }

func (told) Identity() (string, error) { return "L", nil }

func (told) Text(id string) (document.Document, bool, error) {
	fields := map[string]string{"Title": "The old title", "Url": id, "Content": "Bees live in the town hall. They make honey in spring."}
	return document.Document{ID: id, Type: document.PageContent, Fields: fields}, !strings.HasSuffix(id, "/hostile"), nil
}

func (told) History() iter.Seq2[document.Summary, error] {
	return func(yield func(document.Summary, error) bool) {
		for i := range 20 {
			run := document.Summary{Run: fmt.Sprintf("run-%d", i), Start: 1_800_000_000 - int64(i)*86_400, Complete: i != 3, Counts: document.Counts{Put: i, Patch: 2 * i, Held: i % 3, Unchanged: 2_961 + i}}
			if i == 0 {
				run.Hosts = []document.Host{{Host: "www.example.com", State: document.HostUnreachable, Reason: "every request failed: https://www.example.com/" + longWord}}
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

func (finds) Progress() Progress { return Progress{After: true} }
func (finds) Pending(string)     {}
func (finds) Search(_ context.Context, side Side, q Query) (*Results, error) {
	r := &Results{Total: 31, Meant: "honey", Facets: []Facet{{Field: "Category", Values: []Value{{Text: longWord, Count: 3}, {Text: "News", Count: 28, On: true}}}}}
	for i := range 6 {
		r.Hits = append(r.Hits, Hit{ID: lost, URL: lost, Date: "2026-11-22", Type: "page", Title: []Piece{{Text: hostile + string(side)}}, Snippet: []Piece{{Text: fmt.Sprint("Result ", i, " of ")}, {Text: q.Text, Mark: true}, {Text: " in " + longWord}}})
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
	health := document.HealthGroup{Group: "https://www.example.com/" + longWord + "/", Read: 1_200, Changed: 12, Known: 1_180, Worse: 3, Fields: []document.FieldHealth{{Name: longWord, FieldFigures: document.FieldFigures{Fill: 0.5, Median: 12_345}, FellFrom: &document.FieldFigures{Fill: 1, Median: 23_456}}}}
	if err := w.Close(document.PlanTrailer{Summary: document.Summary{Start: 1_800_000_000, Complete: true, Health: []document.HealthGroup{health}, Counts: document.Counts{Put: 2, Patch: 1, Delete: 1, Held: 1, Unchanged: 2_961}}}); err != nil {
		t.Fatal(err)
	}
	return path
}

// everyPage serves all pages, of a site with everything that can be shown.
func everyPage(t *testing.T) (address string, server *Server) {
	s := &site.Site{Run: "run-0", Start: 1_800_000_000}
	for i := range 60 {
		s.Pages = append(s.Pages, site.Page{URL: fmt.Sprintf("https://www.example.com/%s/%02d", longWord, i), Status: site.Indexed, Title: hostile, Depth: i % 3, Took: i, From: lost})
	}
	s.Faults = []site.Fault{{Kind: site.BrokenLink, URL: lost, Title: hostile, Text: "is not there (404); 1 page links to it", Pages: []string{lost}, New: true}, {Kind: site.NoTitle, URL: s.Pages[8].URL, Text: "has no title"}}
	s.Counts = []site.Count{{Kind: site.BrokenLink, Faults: 1, New: 1}, {Kind: site.NoTitle, Faults: 1}}
	listening := httptest.NewUnstartedServer(nil)
	_, port, _ := strings.Cut(listening.Listener.Addr().String(), ":")
	approved := false // requests come one by one
	server = New(t.Context(), Options{
		Port: port, Plan: shownPlan(t), Dir: t.TempDir(), Saved: filepath.Join(t.TempDir(), "saved"), Search: finds{}, Stop: func() {},
		Ledger: func(_ context.Context, use func(Ledger) error) error { return use(told{}) },
		Site:   func(context.Context) (*site.Site, error) { return s, nil },
		Run: func(_ context.Context, command string, _ ...string) Answer {
			if command == "approve" {
				approved = true
				return Answer{Out: "1 change approved"}
			}
			n := map[bool]int{true: 1}[approved]
			return Answer{Out: fmt.Sprintf(`{"verdict":"The index holds it, and %[1]s","document":{"id":%[2]q,"fields":{"Title":%[1]q}},"ledger":{"push":"ok"},"groups":[{"op":"patch","cause":"content","brake":"group","group":"https://www.example.com/news/","why":"Many pages lost their text.","release":"sitesync approve --group https://www.example.com/news/","count":1,"approved":%[3]d}],"held":[{"op":"patch","id":%[2]q,"cause":"content","brake":"group","group":"https://www.example.com/news/","evidence":"31 of 37 pages lost their text","approved":%[4]t}]}`, longWord, lost, n, approved)}
		},
	})
	listening.Config.Handler = server
	listening.Start()
	t.Cleanup(func() { listening.Close(); server.Wait() })
	<-server.plan.ready
	return listening.URL, server
}

// openBrowser starts Chromium; complaints returns what its pages did that they must not.
func openBrowser(t *testing.T, address string) (ctx context.Context, complaints func() []string) {
	path, err := chrome.Find("")
	if err != nil {
		t.Skip(err)
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("no-sandbox", os.Geteuid() == 0), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(end)
	ctx, end = chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(end)
	ctx, end = chromedp.NewContext(ctx)
	t.Cleanup(end)
	var mu sync.Mutex
	var found []string
	if err := chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			found = append(found, fmt.Sprint("console: ", e.Type, e.Args))
		case *runtime.EventExceptionThrown:
			found = append(found, "exception: "+e.ExceptionDetails.Text)
		case *log.EventEntryAdded: // violations of the policy too
			found = append(found, e.Entry.Text+" "+e.Entry.URL)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, address) {
				found = append(found, "asks for "+e.Request.URL)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	return ctx, func() []string {
		mu.Lock()
		defer mu.Unlock()
		all := found
		found = nil
		return all
	}
}

// TestBrowser: in a browser every page obeys its policy, asks no other host, fits a
// telephone and has a dark face; filter, details and approval work.
func TestBrowser(t *testing.T) {
	address, server := everyPage(t)
	ctx, complaints := openBrowser(t, address)
	until := func(selector string) step { return chromedp.Query(chromedp.CSS(selector)) }
	click := func(selector string) step { return chromedp.Click(chromedp.CSS(selector)) }
	change := "/plan/change?id=" + url.QueryEscape(lost)
	for _, page := range []struct {
		name, path, has string
		then            []step
	}{
		{"link", "/?token=" + server.Token(), `location.pathname === "/" && location.search === ""`, nil},
		{"plan", "/plan/changes", `document.title !== "run" && !document.querySelector("main img") && document.body.innerText.includes("<script>")`, nil},
		{"filter", "/plan/changes", `document.querySelectorAll("#list li").length === 1 && location.search === "?q=bees" && [...document.querySelectorAll("select")].every(s => s.selectedIndex === 0)`, []step{
			until(`#list li:nth-child(5)`), chromedp.SendKeys(chromedp.CSS(`.filter [name=q]`), "bees"), until(`#list li:only-child`),
			click(`a[data-open]`), until(`.inline ins`),
		}},
		{"unread", "/plan/unread", `document.querySelector(".none")`, nil},
		{"health", "/plan/health", `document.querySelector(".health")`, nil},
		{"change", change, `document.querySelector("ins") && document.querySelector("del")`, nil},
		{"held", "/held", `document.querySelector(".rows button")`, nil},
		{"approved", change, `location.pathname === "/held" && document.body.innerText.includes("1 change approved")`, []step{click(`form[action="/approve"] button`), until(`main > [role=status]`)}},
		{"search", "/search?q=honey", `document.querySelectorAll(".hit").length === 12 && document.querySelector("mark")`, nil},
		{"saved", "/search?q=honey", `document.querySelector(".saved")`, []step{click(`#list form[action="/queries"] button`), until(`.saved`)}},
		{"queries", "/queries", `document.querySelector(".sides")`, nil},
		{"nights", "/nights", `document.querySelectorAll(".chart rect").length > 20`, nil},
		{"night", "/night?run=run-0", `document.querySelector(".note.bad")`, nil},
		{"faults", "/site/faults", `document.querySelectorAll(".rows > li").length === 2`, nil},
		{"urls", "/site/urls", `document.querySelector(".pager")`, nil},
		{"why", "/why?url=" + url.QueryEscape(lost), `document.querySelector(".sentence")`, nil},
	} {
		steps := append([]step{look(""), chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address + page.path)}, page.then...)
		if err := chromedp.Do(ctx, steps...); err != nil {
			t.Fatalf("%s: %v, %q", page.name, err, complaints())
		}
		if !value[bool](t, ctx, "Boolean("+page.has+")") {
			t.Errorf("%s: it is not so that %s", page.name, page.has)
		}
		const background = `getComputedStyle(document.body).backgroundColor`
		light := value[string](t, ctx, background)
		err := chromedp.Do(ctx, shot(page.name), look("dark"), shot(page.name+"-dark"))
		dark := value[string](t, ctx, background)
		err = errors.Join(err, chromedp.Do(ctx, look(""), chromedp.EmulateViewport(360, 740), shot(page.name+"-360")))
		width := value[int](t, ctx, `document.documentElement.scrollWidth`)
		if bad := complaints(); err != nil || len(bad) > 0 || width > 360 || light == dark {
			t.Errorf("%s: %v, complaints %q, %d pixels wide on 360, %s in the light, %s in the dark", page.name, err, bad, width, light, dark)
		}
	}
}

// value returns what an expression is on the page.
func value[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatal(expression, err)
	}
	return v
}

// step is something that is done in the browser.
type step = chromedp.Action[chromedp.Void]

// look emulates what the owner prefers: dark, or nothing.
func look(scheme string) step {
	return chromedp.Func(func(ctx context.Context, on *chromedp.Target) error {
		_, err := cdp.Call(ctx, on, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	})
}

// shot saves a picture of the page, where a folder was named.
func shot(name string) step {
	return chromedp.Func(func(ctx context.Context, on *chromedp.Target) error {
		if *shots == "" {
			return nil
		}
		png, err := chromedp.FullScreenshot(100)(ctx, on)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o600)
	})
}

package ui

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/sync/errgroup"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
	"sitesync/internal/report/site"
)

// hostileTexts are titles, addresses and reasons of a site that wants out of its text.
var hostileTexts = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)' x='`, `</title></textarea></style><svg onload=alert(1)>`,
	`javascript:alert(1)`, "data:text/html,<script>alert(1)</script>", `{{.Form}} ${document.title}`, "\x1b[31mred\x1b]0;title\x07", "\u202egnp.exe", "שלום 👩‍👩‍👧", strings.Repeat("long ", 13_000), "\x00\ufffd",
}

// inert returns what an HTML page has that text can't have: scripts, handlers, pictures and
// links that lead nowhere good.
func inert(t *testing.T, page string) (bad []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for node := range root.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		src := ""
		for _, a := range node.Attr {
			switch value := strings.ToLower(strings.TrimSpace(a.Val)); {
			case a.Key == "src":
				src = a.Val
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcdoc":
				bad = append(bad, node.Data+" "+a.Key)
			case (a.Key == "href" || a.Key == "action") && (strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:")):
				bad = append(bad, node.Data+" "+a.Val)
			}
		}
		switch node.Data {
		case "script":
			if src != "/static/app.js" {
				bad = append(bad, "script "+src)
			}
		case "img", "iframe", "object", "embed", "style", "base":
			bad = append(bad, node.Data)
		}
	}
	return bad
}

// hostilePlan writes a plan of texts that want out.
func hostilePlan(t *testing.T) (path string, ids []string) {
	path = filepath.Join(t.TempDir(), "plan")
	w, err := planfile.Create(path, document.PlanHeader{Run: hostile, Generation: 1, Target: document.Target{Origins: []string{hostile}}})
	if err != nil {
		t.Fatal(err)
	}
	add := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range hostileTexts {
		id := "https://www.example.com/" + text
		if strings.Contains(text, "alert(1)") && i%2 == 0 {
			id = text // a damaged ledger may have it
		}
		if len(id) > 500 || strings.Contains(id, "\x00") {
			id = fmt.Sprint("https://www.example.com/", i)
		}
		ids = append(ids, id)
		doc := document.Document{ID: id, Type: document.PageContent, Fields: map[string]string{"Title": text, "Content": text, "Url": text}}
		text = document.Cut(text, lineBytes) // only documents have more
		add(w.Change(document.Change{Op: document.Put, ID: id, Type: doc.Type, Cause: document.Cause(text), Fields: []string{text}, State: document.Held, Brake: document.Brake(text), Group: text, Evidence: text, Doc: doc.Wire()}))
	}
	for _, id := range ids {
		add(w.Failure(document.Failure{URL: id, Error: id, From: id}))
	}
	for _, id := range ids {
		add(w.Move(document.Move{From: id, To: id, By: id}))
	}
	for _, id := range ids {
		add(w.Warning(document.Warning{Kind: id, URL: id, Text: id}))
	}
	hosts := []document.Host{{Host: hostile, State: document.HostUnreachable, Reason: hostile, Alarms: []string{hostile}}}
	add(w.Close(document.PlanTrailer{Summary: document.Summary{Hosts: hosts}}))
	return path, ids
}

// TestHostilePlan: whatever a site writes stays text on every page, however long or odd it
// is.
func TestHostilePlan(t *testing.T) {
	path, ids := hostilePlan(t)
	s, _ := approving(t, path)
	pages := []string{"/", "/plan/changes", "/plan/changes?q=ALERT&kind=" + url.QueryEscape(hostile), "/plan/moved", "/plan/unread", "/plan/warnings", "/why?url=" + url.QueryEscape(hostile), "/" + url.PathEscape(hostile)}
	for _, id := range ids {
		pages = append(pages, "/plan/change?id="+url.QueryEscape(id))
	}
	for _, page := range pages {
		got := ask(s, http.MethodGet, page, nil).Body.String()
		if bad := inert(t, got); len(bad) > 0 || len(got) > 50_000 {
			t.Errorf("%s: %d bytes with %q", page, len(got), bad)
		}
	}
	list := ask(s, http.MethodGet, "/plan/changes", nil).Body.String()
	if !strings.Contains(list, "&lt;script&gt;alert(1)") || !strings.Contains(list, "שלום 👩‍👩‍👧") {
		t.Errorf("texts are missing: %.3000s", list)
	}
	if got := ask(s, http.MethodGet, "/plan/changes?q=%D7%A9%D7%9C%D7%95%D7%9D", nil).Body.String(); strings.Count(got, "data-open") != 1 {
		t.Errorf("the filter finds other rows:\n%s", got)
	}
}

// TestBusyLedger: while another run has the ledger every page says so, and shows what does
// not need it.
func TestBusyLedger(t *testing.T) {
	busy := errors.New("another run holds sitesync.db: sitesync sync, process 7 on this machine")
	s := New(t.Context(), Options{
		Search: finds{}, Port: "8484", Plan: shownPlan(t), Dir: t.TempDir(),
		Ledger: func(context.Context, func(Ledger) error) error { return busy },
		Site:   func(context.Context) (*site.Site, error) { return nil, busy },
		Run: func(context.Context, string, ...string) Answer {
			return Answer{Exit: 5, Err: "sitesync: " + busy.Error()}
		},
	})
	t.Cleanup(s.Wait)
	for page, want := range map[string]string{
		"/": "1 held", "/plan/changes": "The title of the held page", "/plan/change?id=" + url.QueryEscape(lost): "The title of the held page",
		"/nights": "", "/nights/run-0": "", "/held": "", "/searches": "", "/site/urls": "", "/why?url=" + url.QueryEscape(lost): "",
	} {
		got := ask(s, http.MethodGet, page, nil)
		if body := got.Body.String(); got.Code >= http.StatusInternalServerError || !strings.Contains(body, busy.Error()) || !strings.Contains(body, want) {
			t.Errorf("%s: %d, no %q in\n%s", page, got.Code, want, body)
		}
	}
	approve := ask(s, http.MethodPost, "/approve", nil)
	if got := ask(s, http.MethodGet, approve.Header().Get("Location"), nil).Body.String(); strings.Count(got, busy.Error()) != 2 { // approve says it, and held
		t.Errorf("approve: %s", got)
	}
}

// TestManyAtOnce: pages and forms that are asked for at the same time neither hinder each
// other nor, as the race detector says, touch the same memory.
func TestManyAtOnce(t *testing.T) {
	s := shown(t)
	var asking errgroup.Group
	for _, page := range []string{"/", "/plan/changes?q=bees", "/plan/changes?sort=cause", "/plan/change?id=" + url.QueryEscape(lost), "/held", "/nights", "/nights/run-0", "/nights/run-1", "/search?q=honey", "/why?url=" + url.QueryEscape(lost)} {
		for range 4 {
			asking.Go(func() error {
				if got := ask(s, http.MethodGet, page, nil); got.Code != http.StatusOK {
					return fmt.Errorf("%s: %d", page, got.Code)
				}
				return nil
			})
			asking.Go(func() error {
				for path, form := range map[string]url.Values{"/plan/new": {}, "/approve": {"by": {"id"}, "value": {lost}}} {
					if got, _ := send(s, path, form); got.Code != http.StatusSeeOther {
						return fmt.Errorf("%s: %d", path, got.Code)
					}
				}
				return nil
			})
		}
	}
	if err := asking.Wait(); err != nil {
		t.Error(err)
	}
}

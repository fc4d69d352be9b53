package ui

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
)

// ask asks a server without a network; cookie and form are those of a session.
func ask(s *Server, method, path string, change func(*http.Request)) *httptest.ResponseRecorder {
	body := ""
	if method == http.MethodPost {
		body = "form=" + s.guard.form + "&by=id&value=https%3A%2F%2Fwww.example.com%2F"
	}
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:8484"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.AddCookie(&http.Cookie{Name: s.guard.cookie(), Value: s.guard.session})
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func approving(t *testing.T, plan string) (s *Server, ran *[]string) {
	ran = new([]string)
	s = New(t.Context(), Options{
		Port: "8484", Plan: plan, Dir: t.TempDir(),
		Ledger: func(_ context.Context, use func(Ledger) error) error { return use(lone{}) },
		Run: func(_ context.Context, command string, args ...string) Answer {
			*ran = append(*ran, command+" "+strings.Join(args, " "))
			return Answer{Out: "1 approved"}
		},
	})
	t.Cleanup(s.Wait)
	return s, ran
}

// TestGuard: nobody but the owner's browser sees a page or approves a change.
func TestGuard(t *testing.T) {
	s, ran := approving(t, "")
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for name, test := range map[string]struct {
		method, path string
		change       func(*http.Request)
		want         int
	}{
		"another host":   {http.MethodGet, "/nights", func(r *http.Request) { r.Host = "evil.example:8484" }, http.StatusMisdirectedRequest},
		"another port":   {http.MethodGet, "/nights", func(r *http.Request) { r.Host = "127.0.0.1:1" }, http.StatusMisdirectedRequest},
		"no session":     {http.MethodGet, "/nights", header("Cookie", ""), http.StatusForbidden},
		"wrong token":    {http.MethodGet, "/?token=WRONG", header("Cookie", ""), http.StatusForbidden},
		"another origin": {http.MethodPost, "/approve", header("Origin", "http://evil.example"), http.StatusForbidden},
		"another site":   {http.MethodPost, "/approve", header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		"no form secret": {http.MethodPost, "/approve", func(r *http.Request) { r.Body = http.NoBody }, http.StatusForbidden},
		"too large a form": {http.MethodPost, "/approve", func(r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(strings.NewReader(string(raw) + "&more=" + strings.Repeat("x", maxForm)))
		}, http.StatusForbidden},
		"session":   {http.MethodGet, "/nights", nil, http.StatusOK},
		"localhost": {http.MethodGet, "/nights", func(r *http.Request) { r.Host = "localhost:8484" }, http.StatusOK},
		"no page":   {http.MethodGet, "/nowhere", nil, http.StatusNotFound},
	} {
		w := ask(s, test.method, test.path, test.change)
		if w.Code != test.want || w.Header().Get("Cache-Control") != "no-store" || !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %d, want %d: %v", name, w.Code, test.want, w.Header())
		}
	}
	if len(*ran) != 0 {
		t.Errorf("ran %q", *ran)
	}
	if w := ask(s, http.MethodPost, "/approve", header("Sec-Fetch-Site", "same-origin")); w.Code != http.StatusSeeOther || len(*ran) != 1 || (*ran)[0] != "approve -- https://www.example.com/" {
		t.Errorf("approve: %d, ran %q", w.Code, *ran)
	}
	for n, want := range []int{http.StatusSeeOther, http.StatusForbidden} {
		if w := ask(s, http.MethodGet, "/?token="+s.Token(), header("Cookie", "")); w.Code != want {
			t.Errorf("use %d of the token: %d", n+1, w.Code)
		}
	}
}

// TestHostilePlan: texts of a site stay text, however long or odd; a plan that is damaged
// or goes is told.
func TestHostilePlan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan")
	w, err := planfile.Create(path, document.PlanHeader{Run: "R"})
	if err != nil {
		t.Fatal(err)
	}
	for id, title := range map[string]string{
		"https://www.example.com/a": "<script>alert(1)</script>", "https://www.example.com/b": strings.Repeat("long ", 13_000), "https://www.example.com/c": "שלום 👩‍👩‍👧",
	} {
		doc := document.Document{ID: id, Type: document.PageContent, Fields: map[string]string{"Title": title}}
		if err := w.Change(document.Change{Op: document.Put, ID: id, Cause: document.CauseNew, Doc: doc.Wire(), State: document.Planned}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(document.PlanTrailer{}); err != nil {
		t.Fatal(err)
	}
	s, _ := approving(t, path)
	<-s.plan.ready
	list := ask(s, http.MethodGet, "/plan/changes", nil).Body.String()
	if strings.Contains(list, "<script>alert") || !strings.Contains(list, "&lt;script&gt;alert") || !strings.Contains(list, "שלום 👩‍👩‍👧") || len(list) > 20_000 {
		t.Errorf("%d bytes: %.3000s", len(list), list)
	}
	if got := ask(s, http.MethodGet, "/plan/changes?q=SCRIPT", nil).Body.String(); !strings.Contains(got, "/a") || strings.Contains(got, "example.com/c") {
		t.Error("the filter does not filter")
	}
	if got := ask(s, http.MethodGet, "/plan/change?id=https://www.example.com/a", nil); got.Code != http.StatusOK || strings.Contains(got.Body.String(), "<script>alert") {
		t.Errorf("change: %d %s", got.Code, got.Body)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := ask(s, http.MethodGet, "/plan/change?id=https://www.example.com/a", nil); got.Code != http.StatusNotFound {
		t.Errorf("the plan is gone: %d", got.Code)
	}
	if err := os.WriteFile(path, []byte("no plan"), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged, _ := approving(t, path)
	<-damaged.plan.ready
	if got := ask(damaged, http.MethodGet, "/plan/changes", nil).Body.String(); !strings.Contains(got, "The plan can&#39;t be shown") {
		t.Errorf("damaged: %s", got)
	}
}

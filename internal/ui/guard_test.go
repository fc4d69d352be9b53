package ui

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// ask asks a server without a network in a session. What is answered lacks the secret of its
// addresses; a link without it leads to /lost/.
func ask(s *Server, method, path string, change func(*http.Request)) *httptest.ResponseRecorder {
	body := ""
	if method == http.MethodPost {
		body = "by=id&value=https%3A%2F%2Fwww.example.com%2F"
	}
	r := httptest.NewRequest(method, s.guard.base+path, strings.NewReader(body))
	r.Host = "127.0.0.1:8484"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	page := strings.NewReplacer(`="`+s.guard.base+`/`, `="/`, `="/`, `="/lost/`).Replace(w.Body.String())
	w.Body = bytes.NewBufferString(page)
	if to := w.Header().Get("Location"); to != "" {
		w.Header().Set("Location", strings.TrimPrefix(to, s.guard.base))
	}
	return w
}

func approving(t *testing.T, plan string) (s *Server, ran *[]string) {
	ran = new([]string)
	s = New(t.Context(), Options{
		Search: finds{}, Port: "8484", Plan: plan, Dir: t.TempDir(),
		Ledger: func(_ context.Context, use func(Ledger) error) error { return use(told{}) },
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
	at := func(path string) func(*http.Request) {
		return func(r *http.Request) { r.URL.Path = path }
	}
	for name, test := range map[string]struct {
		method, path string
		change       func(*http.Request)
		want         int
	}{
		"another host":   {http.MethodGet, "/nights", func(r *http.Request) { r.Host = "evil.example:8484" }, http.StatusMisdirectedRequest},
		"another port":   {http.MethodGet, "/nights", func(r *http.Request) { r.Host = "127.0.0.1:1" }, http.StatusMisdirectedRequest},
		"no session":     {http.MethodGet, "", at("/nights"), http.StatusForbidden},
		"no page either": {http.MethodGet, "", at("/static/app.js"), http.StatusForbidden},
		"half a session": {http.MethodGet, "", at(s.guard.base), http.StatusForbidden},
		"a longer one":   {http.MethodGet, "", at(s.guard.base + "2/nights"), http.StatusForbidden},
		"another one":    {http.MethodGet, "", at("/" + rand.Text() + "/nights"), http.StatusForbidden},
		"no path":        {http.MethodGet, "", at(""), http.StatusForbidden},
		"wrong token":    {http.MethodGet, "?token=WRONG", at("/"), http.StatusForbidden},
		"a form without": {http.MethodPost, "", at("/approve"), http.StatusForbidden},
		"another origin": {http.MethodPost, "/approve", header("Origin", "http://evil.example"), http.StatusForbidden},
		"another site":   {http.MethodPost, "/approve", header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		"an empty form":  {http.MethodPost, "/approve", func(r *http.Request) { r.Body = http.NoBody }, http.StatusBadRequest},
		"too large a form": {http.MethodPost, "/approve", func(r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(strings.NewReader(string(raw) + "&more=" + strings.Repeat("x", maxForm)))
		}, http.StatusForbidden},
		"session":              {http.MethodGet, "/nights", nil, http.StatusOK},
		"localhost":            {http.MethodGet, "/nights", func(r *http.Request) { r.Host = "localhost:8484" }, http.StatusOK},
		"a tunnel":             {http.MethodGet, "/nights", func(r *http.Request) { r.Host = "127.0.0.2:8484" }, http.StatusOK},
		"IPv6":                 {http.MethodGet, "/nights", func(r *http.Request) { r.Host = "[::1]:8484" }, http.StatusOK},
		"a name of loopback's": {http.MethodGet, "/nights", func(r *http.Request) { r.Host = "127.0.0.1.evil.example:8484" }, http.StatusMisdirectedRequest},
		"only by a form":       {http.MethodGet, "/approve?by=id&value=x", nil, http.StatusNotFound},
		"no page":              {http.MethodGet, "/nowhere", nil, http.StatusNotFound},
		"over the top":         {http.MethodGet, "/../nights", nil, http.StatusTemporaryRedirect},
	} {
		w := ask(s, test.method, test.path, test.change)
		if w.Code != test.want || w.Header().Get("Cache-Control") != "no-store" || !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %d, want %d: %v", name, w.Code, test.want, w.Header())
		}
	}
	if len(*ran) != 0 {
		t.Errorf("ran %q", *ran)
	}
	if w := ask(s, http.MethodPost, "/approve", header("Sec-Fetch-Site", "same-origin")); w.Code != http.StatusSeeOther || !slices.Equal(*ran, []string{"held --format json", "approve -- https://www.example.com/"}) {
		t.Errorf("approve: %d, ran %q", w.Code, *ran)
	}
	for n := range 2 { // the link works again
		if w := ask(s, http.MethodGet, "?token="+s.Token(), at("/")); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" || w.Header().Get("Set-Cookie") != "" {
			t.Errorf("use %d of the token: %d %v", n+1, w.Code, w.Header())
		}
	}
}

package service

import (
	"io"
	"net/http"
	"testing"
)

// TestShowPages: a browser is shown the owner's pages where nothing else is served; other
// clients, other hosts and the interface's own paths get what they always did.
func TestShowPages(t *testing.T) {
	l := open(t, Options{})
	l.ShowPages(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the pages") }))
	for _, test := range []struct {
		path, accept, host string
		want               int
		pages              bool
	}{
		{"/", "text/html,*/*", "", 200, true},
		{"/search?text=a", "text/html,*/*", "", 200, true},
		{"/static/style.css", "text/css", "", 200, true},
		{"/", "application/json", "", 404, false},
		{"/", "*/*", "", 404, false},
		{"/", "text/html", "evil.example", 421, false},
		{"/api/none", "text/html", "", 404, false},
		{"/_/none", "text/html", "", 404, false},
	} {
		req := l.request(http.MethodGet, test.path, "")
		req.Header = http.Header{"Accept": {test.accept}}
		req.Host = test.host
		if got := l.send(req); got.status != test.want || (got.body == "the pages") != test.pages {
			t.Errorf("%+v: %+v", test, got)
		}
	}
}

package crawl

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestRedirectWithEndlessBody: net/http reads a redirect's body before it goes on;
// a robots.txt or sitemap could stall the run by that.
func TestRedirectWithEndlessBody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/there" {
			io.WriteString(w, "User-agent: *")
			return
		}
		w.Header().Set("Location", "/there")
		w.WriteHeader(http.StatusFound)
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	c, err := New(Options{Start: []string{server.URL}, UserAgent: "sitesync/1"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if file, why := c.newRun(nil, nil).robotsFile(t.Context(), c.order[0]); string(file.Body) != "User-agent: *" || why != "" {
		t.Errorf("%q, %s", file.Body, why)
	}
}

package crawl

import (
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestAuthorities: a server that only fetch.ca_file vouches for is believed.
func TestAuthorities(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	defer server.Close()
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	for path, part := range map[string]string{
		good: "",
		"":   "does not trust",
		file("der.pem", server.Certificate().Raw): "fetch.ca_file: " + filepath.Join(dir, "der.pem") + " holds no certificate",
		filepath.Join(dir, "none.pem"):            "fetch.ca_file: open " + filepath.Join(dir, "none.pem"),
	} {
		var why string
		c, err := New(Options{Start: []string{server.URL}, CAFile: path})
		if err == nil {
			_, why = c.newRun(nil, nil).robotsFile(t.Context(), c.order[0])
			c.Close()
		} else {
			why = err.Error()
		}
		if (part == "") != (why == "") || !strings.Contains(why, part) {
			t.Errorf("%q: %q, want %q", path, why, part)
		}
	}
}

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

// TestProxyIsToldOf: a run says once what the guard can't see.
func TestProxyIsToldOf(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/a\nset /a A|A")
	r.opts.Proxy = "http://proxy.test:3128"
	n := r.run()
	if n.pages["/a"].Seen != document.Read || len(n.survey.Warnings) != 1 || n.survey.Warnings[0].Kind != "proxy" {
		t.Errorf("%+v", n.survey)
	}
}

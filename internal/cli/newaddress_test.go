package cli_test

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"sitesync/internal/cli"
	"sitesync/internal/service"
)

// movingTown is a site of some pages that stands at one origin; all other forms of its
// address redirect there.
type movingTown struct {
	mu    sync.Mutex
	home  string
	pages map[string]string // path → text
	dir   string
	proxy string
}

func (m *movingTown) answer(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	if origin := scheme + "://" + r.Host; origin != m.home {
		http.Redirect(w, r, m.home+r.URL.Path, http.StatusMovedPermanently)
		return
	}
	text, there := m.pages[r.URL.Path]
	if !there {
		http.NotFound(w, r)
		return
	}
	fmt.Fprintf(w, "<!doctype html><html lang=en><title>Page %s</title><main><h1>Page %s</h1><p>%s</p>", r.URL.Path, r.URL.Path, text)
	if r.URL.Path == "/" {
		for _, path := range slices.Sorted(maps.Keys(m.pages)) {
			fmt.Fprintf(w, "<a href=%q>%s</a> ", path, path)
		}
	}
	fmt.Fprint(w, "</main></html>")
}

// open puts the town behind a proxy, so that its addresses are those of a real site.
func (m *movingTown) open(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(m.answer))
	t.Cleanup(secure.Close)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			m.answer(w, r)
			return
		}
		to, err := net.Dial("tcp", secure.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer to.Close()
		from, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer from.Close()
		_, _ = io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(to, buffered) }()
		_, _ = io.Copy(from, to)
	}))
	t.Cleanup(proxy.Close)
	m.proxy, m.dir = proxy.URL, t.TempDir()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	if err := os.WriteFile(filepath.Join(m.dir, "authority.pem"), authority, 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs a command with the configuration of a start origin. The exit code is the one
// wanted; it returns what the command prints.
func (m *movingTown) run(t *testing.T, start, base string, want int, args ...string) []byte {
	t.Helper()
	config := filepath.Join(m.dir, "sitesync.toml")
	text := fmt.Sprintf("[site]\nstart = [%q]\n[fetch]\nproxy = %q\nca_file = \"authority.pem\"\n[store]\npath = \"town.db\"\n[push]\nbase_url = %q\ncustomer_id = %d\ncrawler_id = %q\n",
		start+"/", m.proxy, base, customer, crawler)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	getenv := func(name string) string { return map[string]string{"SITESYNC_API_KEY": apiKey}[name] }
	if code := cli.Run(t.Context(), append(args, "-c", config), strings.NewReader(""), &out, &errs, getenv); code != want {
		t.Fatalf("%v: exit %d, want %d: %.3000s%s", args, code, want, out.String(), errs.String())
	}
	return out.Bytes()
}

// index returns the IDs in the index.
func (m *movingTown) index(t *testing.T, local *service.Service) (ids []string) {
	t.Helper()
	docs, err := local.Documents(customer, crawler)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range docs {
		ids = append(ids, doc.ID)
	}
	slices.Sort(ids)
	return ids
}

// TestNewStartAddress: site.start changes to another form of its address. Until one
// approval the index is as it was, without what is gone; then it holds exactly the new documents, of 127 pages
// of which one is edited, one new and one removed that very night.
func TestNewStartAddress(t *testing.T) {
	for _, way := range [][2]string{
		{"http://www.example.com", "https://www.example.com"},
		{"https://example.com", "https://www.example.com"},
		{"https://www.example.com", "https://example.com"},
		{"http://example.com", "https://www.example.com"},
	} {
		t.Run(way[0]+" to "+way[1], func(t *testing.T) {
			t.Parallel()
			base, local, _ := newService(t)
			m := &movingTown{home: way[0], pages: map[string]string{"/": "Welcome to the town."}}
			for i := range 126 {
				m.pages[fmt.Sprintf("/page-%d", i)] = fmt.Sprintf("This is text number %d, about subject %d. %s", i, i*i, strings.Repeat(fmt.Sprint("word", i, " "), 30))
			}
			m.open(t)
			m.run(t, way[0], base, 0, "sync", "--json")
			before := m.index(t, local)
			if len(before) != 127 {
				t.Fatalf("%d documents", len(before))
			}

			m.home = way[1]
			m.pages["/page-7"] += "And more."
			m.pages["/new"] = "This page is new on the night of the move, and nothing else is."
			delete(m.pages, "/page-9")
			for range 2 { // it is told each night, and nothing else happens
				m.run(t, way[1], base, 4, "sync", "--json")
				if now := m.index(t, local); !slices.Equal(now, before) {
					t.Fatalf("before the approval %d documents: %.200q", len(now), now)
				}
				before = slices.DeleteFunc(before, func(id string) bool { return id == way[0]+"/page-9" }) // missing twice by then
			}
			m.run(t, way[1], base, 0, "approve", "--group", way[1]+"/")
			out := m.run(t, way[1], base, 0, "sync", "--json")
			var want []string
			for path := range m.pages {
				want = append(want, way[1]+path)
			}
			slices.Sort(want)
			if now := m.index(t, local); !slices.Equal(now, want) {
				t.Errorf("after the approval %d documents, want %d: %.2000s", len(now), len(want), out)
			}
			var last struct{ Counts map[string]int }
			if err := json.Unmarshal(m.run(t, way[1], base, 0, "sync", "--json"), &last); err != nil || last.Counts["put"]+last.Counts["patch"]+last.Counts["delete"] > 0 {
				t.Errorf("the night after: %v, %v", last.Counts, err)
			}
		})
	}
}

package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"sitesync/internal/service"
	"sitesync/internal/testsite"
)

// front stands between the program and the service: it numbers the calls, lets those
// go wrong that are to, and looks at the index after each. The client makes one call at
// a time.
type front struct {
	t       *testing.T
	server  *httptest.Server
	idle    sync.RWMutex // held for reading during a call
	service *service.Service
	living  [][]string // IDs of which one must be in the index at any time

	n, at  int
	first  string // the call at which the fault began
	fault  fault
	strike func(n, at int, same bool) bool // nil: all goes well
}

const struck = "X-Struck"

func newFront(t *testing.T) *front {
	f := &front{t: t}
	f.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.idle.RLock()
		defer f.idle.RUnlock()
		if r.Header.Get(struck) != "" {
			f.fault(f.service, w, r)
			return
		}
		f.service.ServeHTTP(w, r)
	}))
	t.Cleanup(f.server.Close)
	return f
}

// RoundTrip makes one call.
func (f *front) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	f.n++
	call := fmt.Sprintf("%s %s %s", r.Method, r.URL, body)
	if f.n == f.at {
		f.first = call
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	if f.strike != nil && f.strike(f.n, f.at, call == f.first) {
		r.Header.Set(struck, "yes")
		if f.fault == nil {
			r.URL = &url.URL{Scheme: "http", Host: "127.0.0.1:1", Path: "/"}
		}
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	f.look()
	return answer, err
}

// look sees that no document is gone that should live.
func (f *front) look() {
	held := index(f.t, f.service, "")
	for _, ids := range f.living {
		if !slices.ContainsFunc(ids, func(id string) bool { _, ok := held[id]; return ok }) {
			f.t.Errorf("after call %d the index holds none of %v", f.n, ids)
		}
	}
}

// village is a small town between two nights: the ledger and the index as the first
// night left them, the site as the second finds it.
type village struct {
	*town
	front         *front
	config        string
	ledger, index []byte
}

func newVillage(t *testing.T) *village {
	v := &village{town: newTown(t), front: newFront(t)}
	v.config = v.configure(t, "village", v.front.server.URL, 4)
	v.write(t, "village.toml", bytes.Replace(v.read(t, "village.toml"), []byte("batch_documents = 5"), []byte("batch_documents = 2"), 1))
	for i := range 11 { // with the square enough for three deletes to go by themselves
		v.page(fmt.Sprintf("/%d", i), fmt.Sprintf("This is text number %d, about subject %d and nothing else.", i, i*i))
	}
	v.square("welcome to the village")
	v.open(t)
	v.run(t, 0, "", "sync", "-c", v.config)
	v.close(t)
	v.ledger, v.index = v.read(t, "village.db"), v.read(t, "index.db")
	v.night()
	v.open(t)
	t.Cleanup(func() { v.close(t) })
	return v
}

func (v *village) open(t *testing.T) {
	var err error
	v.service, err = service.Open(service.Options{Path: filepath.Join(v.dir, "index.db"), CustomerID: customer, APIKey: apiKey})
	if err != nil {
		t.Fatal(err)
	}
	v.front.idle.Lock()
	defer v.front.idle.Unlock()
	v.front.service = v.service
}

// close waits for the calls of a program that was killed.
func (v *village) close(t *testing.T) {
	v.front.idle.Lock()
	defer v.front.idle.Unlock()
	if err := v.service.Close(); err != nil {
		t.Error(err)
	}
}

// restore puts ledger and index back to where the first night left them.
func (v *village) restore(t *testing.T) {
	v.close(t)
	if err := os.RemoveAll(filepath.Join(v.dir, "village.db.work")); err != nil {
		t.Fatal(err)
	}
	v.write(t, "village.db", v.ledger)
	v.write(t, "index.db", v.index)
	v.open(t)
}

func (v *village) page(path, text string) {
	v.pages[path] = text
	v.site.HTML(path, "Page "+path, "<p>"+text+"</p>")
}

func (v *village) square(text string) {
	v.pages["/"] = text
	v.site.HTML("/", "Home", text, append(slices.Sorted(maps.Keys(v.pages)), "/2", "/3", "/4", "/5")...)
}

// night changes three pages and adds two; one moves, one is gone, one is missing, and
// one asks not to be indexed.
func (v *village) night() {
	v.page("/0", "This is quite another text, about other subjects altogether.")
	v.page("/1", "This is a new text as well, and speaks of something else.")
	v.page("/new-1", "This page is new, and it says so in a whole sentence.")
	v.page("/new-2", "This page is new too, and it says so in its own sentence.")
	v.page("/moved", v.pages["/2"])
	v.site.Redirect("/2", "/moved", 301)
	v.site.Remove("/3")
	v.site.Fault("/4", testsite.Say(410, "Gone", "This page is gone for good."))
	v.site.Set("/5", testsite.Page{Body: `<html><head><meta name=robots content=noindex></head><body>This page is no longer for all.</body></html>`})
	for _, gone := range []string{"/2", "/3", "/4", "/5"} {
		delete(v.pages, gone)
	}
	v.square("welcome to the village by night")
	for path := range v.pages {
		switch site := v.site.URL(); path {
		case "/new-1", "/new-2":
		case "/moved":
			v.front.living = append(v.front.living, []string{site + path, site + "/2"})
		default:
			v.front.living = append(v.front.living, []string{site + path})
		}
	}
}

//go:build linux

package proof

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sitesync/internal/testsite"
)

// site is one generated site and its truth. Each has an address of its own on loopback, so
// that no two share a host.
type site struct {
	name   string
	origin string
	web    *testsite.Site
	random *rand.Rand
	pages  map[string]string // path: the text that the index is to hold
	moved  map[string]bool   // paths that redirect
	rough  bool              // it fails for a while each night: only a quiet night shows its truth
	night  int
	late   atomic.Int64 // nanoseconds before each answer

	// doubted says that the run before left documents in doubt. Of one that was never acknowledged
	// no text is known, so that tonight's redirect is no move, but missing for the first of two runs.
	doubted bool
}

// manner is how a site misbehaves, if it does.
type manner string

const (
	plain    manner = ""
	slow     manner = "slow"      // each answer takes a while
	failing  manner = "failing"   // 503 for a while
	turning  manner = "redirects" // a page has a new address each night
	hiding   manner = "noindex"   // a page that must not be in the index, and one that comes and goes
	noHints  manner = "no validators"
	mapped   manner = "sitemap"
	cutsPage manner = "cut"
)

func manners() []manner {
	return []manner{plain, slow, turning, plain, hiding, failing, plain, noHints, mapped, cutsPage}
}

// newSite builds the ith site of a town.
func newSite(t testing.TB, i, pages int) *site {
	t.Helper()
	s := &site{name: fmt.Sprintf("site-%03d", i), web: testsite.New(), random: rand.New(rand.NewPCG(18, uint64(i))), pages: map[string]string{}, moved: map[string]bool{}} //nolint:gosec // it is to be the same each time
	t.Cleanup(s.web.Close)
	l, err := net.Listen("tcp", fmt.Sprintf("127.1.%d.%d:0", i/250, 1+i%250))
	must(t, err)
	s.origin = "http://" + l.Addr().String()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { //nolint:gosec // of a test
		select {
		case <-time.After(time.Duration(s.late.Load())):
		case <-r.Context().Done():
		}
		s.web.ServeHTTP(w, r)
	})}
	if manners()[i%len(manners())] == slow {
		s.delay(5 * time.Millisecond)
	}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	for n := range pages - 1 {
		s.write(fmt.Sprintf("/part-%d/page-%d.html", n%3, n))
	}
	switch is := manners()[i%len(manners())]; is {
	case failing, cutsPage:
		s.rough = true
	case hiding:
		s.web.Set("/hidden.html", testsite.Page{Body: `<html><head><title>Hidden</title><meta name="robots" content="noindex"></head><body><main>` + s.prose("/hidden.html") + `</main></body></html>`})
	case noHints:
		s.web.Validators(false)
	}
	s.home()
	return s
}

// delay makes each answer take a while.
func (s *site) delay(d time.Duration) { s.late.Store(int64(d)) }

// prose is a text that no other page has, nor this one on another night.
func (s *site) prose(path string) string {
	words := []string{"harbour", "council", "bicycle", "library", "orchard", "railway", "theatre", "meadow", "kitchen", "lantern", "gravel", "weather", "garden", "bridge", "market"}
	var b strings.Builder
	fmt.Fprintf(&b, "This is what %s of %s says in night %d:", path, s.name, s.night)
	for range 24 {
		b.WriteString(" " + words[s.random.IntN(len(words))])
	}
	return b.String() + "."
}

func (s *site) write(path string) {
	s.pages[path] = s.prose(path)
	s.web.HTML(path, "Page "+path, "<p>"+s.pages[path]+"</p>")
}

func (s *site) home() {
	s.pages["/"] = s.prose("/")
	links := append(slices.Collect(maps.Keys(s.pages)), "/hidden.html")
	links = append(links, slices.Collect(maps.Keys(s.moved))...)
	slices.Sort(links)
	s.web.HTML("/", "Home of "+s.name, "<p>"+s.pages["/"]+"</p>", links...)
}

// change is a day of a site: a few pages are written anew, one is new, one goes.
func (s *site) change(i int) {
	s.night++
	s.web.Reset() // its log
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(s.pages)), func(path string) bool { return !strings.HasPrefix(path, "/part-") })
	for range 1 + len(paths)/5 {
		s.write(paths[s.random.IntN(len(paths))])
	}
	s.write(fmt.Sprintf("/news/%d.html", s.night))
	if gone := fmt.Sprintf("/news/%d.html", s.night-2); s.pages[gone] != "" {
		delete(s.pages, gone)
		s.web.Remove(gone)
	}
	switch manners()[i%len(manners())] {
	case turning:
		from, to := fmt.Sprintf("/moved/%d.html", s.night-1), fmt.Sprintf("/moved/%d.html", s.night)
		s.pages[to] = s.pages[from]
		if s.pages[to] == "" {
			s.pages[to] = s.prose(to)
		}
		delete(s.pages, from)
		s.web.HTML(to, "A page that moves", "<p>"+s.pages[to]+"</p>")
		s.web.Redirect(from, to, http.StatusMovedPermanently)
		s.moved[from] = true
	case failing:
		s.web.Fault("/part-1/*", testsite.Times(5, testsite.Status(http.StatusServiceUnavailable, "")))
	case cutsPage:
		s.web.Fault("/part-2/*", testsite.Times(4, testsite.Cut(60)))
	}
	s.home()
}

// calm ends what a rough site does.
func (s *site) calm() {
	s.web.Heal("/part-1/*")
	s.web.Heal("/part-2/*")
}

// lives reports whether a document of the site must not be deleted.
func (s *site) lives(id string) bool { return s.pages[strings.TrimPrefix(id, s.origin)] != "" }

// differs says how an index is not the site's truth; nothing where it is.
func (s *site) differs(index map[string]string) (faults []string) {
	for path, text := range s.pages {
		got, there := index[s.origin+path]
		switch {
		case !there:
			faults = append(faults, fmt.Sprintf("%s: %s is lost", s.name, path))
		case !strings.Contains(got, text):
			faults = append(faults, fmt.Sprintf("%s: %s is indexed as %.120q, not as %.120q", s.name, path, got, text))
		}
	}
	for id := range index {
		path := strings.TrimPrefix(id, s.origin)
		first := s.doubted && path == fmt.Sprintf("/moved/%d.html", s.night-1)
		if !s.lives(id) && !first {
			faults = append(faults, fmt.Sprintf("%s: %s is in the index, and no more on the site", s.name, path))
		}
	}
	return faults
}

// configure writes the configuration of a site; more is added to it.
func (s *site) configure(t testing.TB, dir, service, more string) (file string) {
	t.Helper()
	file = filepath.Join(dir, s.name+".toml")
	text := fmt.Sprintf("[site]\nstart = [%q]\n[fetch]\nretry_wait = \"1ms\"\n[push]\nbase_url = %q\ncustomer_id = %d\ncrawler_id = %q\nbatch_documents = 2\n%s", s.origin+"/", service, customer, s.name, more)
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// fastDir returns a folder in memory where there is one.
func fastDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "sitesync-proof-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

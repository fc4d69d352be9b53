package cli_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"sitesync/internal/service"
	"sitesync/internal/testsite"
)

// redesign is a site of which every page moves in one night, and a service that is
// looked at after every call.
type redesign struct {
	*town
	config string
	moves  map[string]string // old path → new path

	mu   sync.Mutex
	lost []string // pages that stood under neither address after some call
}

const redesigned = 200

func newRedesign(t *testing.T) *redesign {
	t.Helper()
	r := &redesign{town: &town{site: testsite.New(), dir: t.TempDir()}, moves: map[string]string{}}
	t.Cleanup(r.site.Close)
	local, err := service.Open(service.Options{Path: filepath.Join(t.TempDir(), "service.db"), CustomerID: customer, APIKey: apiKey})
	if err != nil {
		t.Fatal(err)
	}
	r.service = local
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		local.ServeHTTP(w, q)
		r.look(t)
	}))
	t.Cleanup(func() { server.Close(); local.Close() })
	r.config = r.configure(t, "redesign", server.URL, 4)
	var links []string
	for n := range redesigned {
		links = append(links, r.old(n))
		r.site.Set(r.old(n), testsite.Page{Body: fmt.Sprintf(`<html><head><title>Page %d - The town</title></head><body><div class=top><a href="/">Home</a> The town of old</div><main>%s</main><footer>Open from nine to four</footer></body></html>`, n, body(n))})
	}
	r.site.HTML("/", "Home", "welcome to the town", links...)
	r.run(t, 0, "1800000000", "sync", "-c", r.config)
	return r
}

func (r *redesign) old(n int) string { return fmt.Sprintf("/old-%d/page-%d.html", n%4, n) }

func (r *redesign) new(n int) string { return fmt.Sprintf("/themes/%d/the-page-%d", n%9, n) }

// body is the text of a page, whatever its template.
func body(n int) string {
	return fmt.Sprintf("<h1>Page %d</h1><p>This is text number %d, which is about subject %d and about nothing else in the whole wide world.</p><p>Nobody but page %d has ever said that the answer is %d.</p>", n, n, n*n, n, n*7)
}

// build puts the new site up: every page under another address, in another template.
func (r *redesign) build(there bool) {
	var links []string
	for n := range redesigned {
		r.moves[r.old(n)] = r.new(n)
		links = append(links, r.new(n))
		r.site.Set(r.new(n), testsite.Page{Body: fmt.Sprintf(`<html><head><title>Page %d | Our new town</title></head><body><header><nav><ul><li><a href="/">Start</a></ul></nav><p>A town for everybody</p></header><article><div><div>%s</div></div></article><aside>Write to us</aside></body></html>`, n, body(n))})
	}
	if there {
		r.site.HTML("/", "Home", "welcome to the new town", links...)
	}
}

// look notes the pages that the index holds under neither of their addresses.
func (r *redesign) look(t *testing.T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	held := index(t, r.service, r.site.URL())
	for from, to := range r.moves {
		_, was := held[from]
		if _, is := held[to]; !was && !is {
			r.lost = append(r.lost, from)
		}
	}
}

// result runs a sync and returns its result.
func (r *redesign) result(t *testing.T, code int, epoch string) (got struct {
	Counts map[string]int
	Held   []struct{ Cause, Brake string }
	Moved  []struct{ From, To, By string }
}) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.run(t, code, epoch, "sync", "--json", "-c", r.config)), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// A redesign that moves every page passes the brakes, whether the old addresses lead to
// the new ones or are gone, and ends with exactly the new site; at no moment is a page
// in the index under neither address.
func TestRedesign(t *testing.T) {
	t.Parallel()
	for by, leave := range map[string]func(r *redesign, from, to string){
		"redirect": func(r *redesign, from, to string) { r.site.Redirect(from, to, 301) },
		"content":  func(r *redesign, from, _ string) { r.site.Remove(from) },
	} {
		t.Run(by, func(t *testing.T) {
			r := newRedesign(t)
			r.build(true)
			for from, to := range r.moves {
				leave(r, from, to)
			}
			got := r.result(t, 0, "1800086400")
			if len(got.Moved) != redesigned || len(got.Held) > 0 || got.Counts["delete"] != redesigned || got.Counts["put"] != redesigned {
				t.Fatalf("%d moved, %d held, %v", len(got.Moved), len(got.Held), got.Counts)
			}
			for _, m := range got.Moved {
				if r.site.URL()+r.moves[m.From[len(r.site.URL()):]] != m.To || m.By != by {
					t.Errorf("moved: %+v", m)
				}
			}
			want := append(slices.Sorted(maps.Values(r.moves)), "/")
			slices.Sort(want)
			if held := slices.Sorted(maps.Keys(index(t, r.service, r.site.URL()))); !slices.Equal(held, want) {
				t.Errorf("the index holds %q", held)
			}
			if len(r.lost) > 0 {
				t.Errorf("for a moment the index held neither address of %q", r.lost)
			}
		})
	}
}

// One that sends every page to the front page, or throws all away, does not pass.
func TestRedesignToNothing(t *testing.T) {
	t.Parallel()
	for cause, leave := range map[string]func(r *redesign, from string){
		"redirected": func(r *redesign, from string) { r.site.Redirect(from, "/", 301) },
		"missing":    func(r *redesign, from string) { r.site.Remove(from) },
	} {
		t.Run(cause, func(t *testing.T) {
			r := newRedesign(t)
			for n := range redesigned {
				leave(r, r.old(n))
			}
			r.site.HTML("/", "Home", "welcome to the new town")
			got := r.result(t, 4, "1800086400")
			if len(got.Held) != redesigned || len(got.Moved) > 0 || got.Counts["delete"] > 0 || got.Held[0].Cause != cause {
				t.Errorf("%d held, %d moved, %v", len(got.Held), len(got.Moved), got.Counts)
			}
		})
	}
}

package crawl

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// TestMaxWait: Retry-After, retries and slow answers together cost no more than
// fetch.max_wait beyond what the pages take anyhow. All other pages are read, and what is
// unread says so. Ordinary is how long the bad pages may take without being waited for.
func TestMaxWait(t *testing.T) {
	const kb, minute = 1000, time.Minute
	for name, c := range map[string]struct {
		script   string
		fault    testsite.Fault // of the bad pages, with script
		pages    int
		bad      int // of these, spread over them
		wait     time.Duration
		ordinary time.Duration
		over     bool // the time is used up
	}{
		"an hour asked for":       {"status /bad/* 503 3600", nil, 100, 10, 10 * minute, 0, true},
		"no time at all":          {"status /bad/* 429 3600", nil, 100, 10, 0, 0, true},
		"nothing asked for":       {"status /bad/* 503", nil, 1000, 10, 10 * minute, 0, false},
		"retries take the time":   {"status /bad/* 503", nil, 400, 40, 10 * time.Second, 0, true},
		"robots.txt and sitemap":  {"times 1 status /robots.txt 503 100\nstatus /sitemap.xml 503 100\nstatus /bad/* 503 100", nil, 30, 3, 4 * minute, 0, true},
		"slow bodies":             {"", trickle(1500), 100, 10, 3 * minute, 10 * 25 * time.Second, true},
		"bodies of ordinary size": {"", trickle(25 * kb), 100, 10, time.Second, 10 * 25 * time.Second, false},
		"slow headers":            {"", late(25 * time.Second), 100, 20, 15 * time.Second, 20 * 10 * time.Second, true},
	} {
		for _, concurrency := range []int{1, 8} {
			t.Run(fmt.Sprint(name, " with ", concurrency), func(t *testing.T) {
				r := newRig(t, c.script)
				paths := numbered(c.pages)
				for i := range c.bad {
					paths[i*c.pages/c.bad+2] = fmt.Sprint("/bad/", i)
				}
				for _, path := range paths {
					r.HTML(path, path, "Text.")
				}
				r.HTML("/", "Home", "", paths...)
				if c.fault != nil {
					r.Fault("/bad/*", func(req *http.Request, a *testsite.Answer) {
						a.Body = append(a.Body, strings.Repeat(" ", 300*kb)...)
						c.fault(req, a)
					})
				}
				r.opts.Retries, r.opts.RetryWait, r.opts.Concurrency, r.opts.MaxWait = 2, time.Second, concurrency, c.wait
				r.bubble(func(t *testing.T) {
					began := time.Now()
					n := r.run()
					took := time.Since(began)
					warned := slices.ContainsFunc(n.survey.Warnings, func(w document.Warning) bool { return w.Kind == "wait" })
					h := n.host()
					if took > c.wait+c.ordinary || warned != c.over || h.State != document.HostOK || !h.Covered || len(n.pages) != c.pages+1 || h.Unread > c.bad {
						t.Errorf("%s, warned %v, %d of %d pages, %+v", took, warned, len(n.pages), c.pages, h)
					}
					for path, p := range n.pages {
						if p.Seen != document.Read && (p.Seen != document.Unread || !strings.HasPrefix(path, "/bad/")) {
							t.Errorf("%s is %s: %s", path, p.Seen, p.Why)
						}
					}

				})
			})
		}
	}
}

// trickle sends the body at so many bytes a second.
func trickle(rate int) testsite.Fault {
	return func(r *http.Request, a *testsite.Answer) {
		gate := make(chan struct{})
		go func() {
			for {
				select {
				case <-r.Context().Done():
					return
				case <-time.After(time.Second):
				}
				select {
				case <-r.Context().Done():
					return
				case gate <- struct{}{}:
				}
			}
		}()
		testsite.Drip(rate, gate)(r, a)
	}
}

// late lets the header wait.
func late(wait time.Duration) testsite.Fault {
	return func(r *http.Request, _ *testsite.Answer) {
		select {
		case <-r.Context().Done():
		case <-time.After(wait):
		}
	}
}

// TestFailingFirst: what the last look did not read is asked early, but so many in a row
// that the host would be given up only where nothing else is left.
func TestFailingFirst(t *testing.T) {
	for _, depth := range []int{0, 1} {
		r := newRig(t, "many 100 set /p/%d P|Text %d")
		r.HTML("/", "Home", "")
		r.opts.Concurrency, r.opts.MaxDepth = 1, depth
		for i, path := range numbered(100) { // in the order of their addresses, most of these come in a row
			r.known[path] = document.Known{Document: true, Failing: i < 25}
		}
		r.script("many 25 status /p/%d 403")
		var order []string
		r.hook = func(_ *night, p *document.Page) error {
			if path := strings.TrimPrefix(p.URL, r.origin); path != "/" {
				order = append(order, path)
			}
			return nil
		}
		n := r.run()
		if h := n.host(); len(order) != 100 || h.State != document.HostOK || h.Unread != 25 {
			t.Fatalf("%d pages, %+v", len(order), h)
		}
		failed := 0
		for i, path := range order {
			if n.pages[path].Seen != document.Unread {
				continue
			}
			if i < 4*failed-1 || i > 4*failed { // the start page stands among the others
				t.Errorf("depth %d: %s is asked as number %d", depth, path, i)
			}
			failed++
		}
	}
}

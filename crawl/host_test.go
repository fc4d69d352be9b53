package crawl

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sitesync/crawl/pace"
	"sitesync/crawl/site"
	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// TestBreaker: twenty failures in a row, or half of the last hundred, end the run
// for a host, also for one that is not well already.
func TestBreaker(t *testing.T) {
	for name, c := range map[string]struct {
		fails func(i int) bool
		looks int // after which the host is given up; 0: never
	}{
		"all":                {func(int) bool { return true }, 20},
		"19 of 20":           {func(i int) bool { return i%20 != 0 }, 100},
		"every other":        {func(i int) bool { return i%2 == 1 }, 100},
		"49 of 100":          {func(i int) bool { return i%100 < 98 && i%2 == 1 }, 0},
		"all from the 200th": {func(i int) bool { return i >= 200 }, 220},
		"19 in a row":        {func(i int) bool { return i%50 < 19 }, 0},
		"half after a while": {func(i int) bool { return i >= 100 && i%2 == 1 }, 200},
	} {
		for _, state := range []document.HostState{document.HostOK, document.HostSitemapCollapse} {
			h := &host{pace: pace.New(1, 0, 0), found: document.Host{State: document.HostOK}}
			h.degrade(state, "before")
			looks, unread := 0, 0
			for ; looks < 1000 && !h.given.Load(); looks++ {
				if c.fails(looks) {
					unread++
				}
				h.looked(c.fails(looks), fmt.Sprint("reason ", looks), false)
			}
			r := h.report()
			if want := c.looks; want > 0 && (looks != want || r.State != document.HostUnreachable || r.Covered || !r.ReadOnly) || want == 0 && (r.State != state || !r.Covered) {
				t.Errorf("%s: given up after %d looks, want %d; %+v", name, looks, want, r)
			}
			if r.Asked != looks || r.Unread != unread {
				t.Errorf("%s: %d looks, %d unread; %+v", name, looks, unread, r)
			}
			if want := fmt.Sprintf("%d of its pages were unread, the last one: reason %d", unread, looks-1); c.looks > 0 && r.Reason != want {
				t.Errorf("%s: reason %q, want %q", name, r.Reason, want)
			}
		}
	}
}

// TestEmptyFiles: a folder of empty files is no host that is down.
func TestEmptyFiles(t *testing.T) {
	r := newRig(t, "many 30 raw /p/%d \"\"\nheader /p/* Content-Type application/pdf")
	r.HTML("/", "Home", "Welcome", numbered(30)...)
	r.opts.Concurrency = 1
	if h := r.run().host(); h.State != document.HostOK || !h.Covered || h.Asked != 31 {
		t.Errorf("%+v", h)
	}
}

// TestGivenUpHost: nothing more is asked of a host that was given up, and others go
// on.
func TestGivenUpHost(t *testing.T) {
	for _, sitemap := range []string{"", "status /sitemap.xml 500"} {
		r, other := newRig(t, sitemap), newRig(t, "set / Other|Welcome|/a\nset /a A|A")
		r.HTML("/", "Home", "", numbered(40)...)
		r.Fault("/p/*", testsite.Status(503, ""))
		r.opts.Start = append(r.opts.Start, other.origin+"/")
		r.opts.Concurrency = 1
		n := r.run()
		h := n.host()
		if h.State != document.HostUnreachable || h.Covered || h.Asked != 21 || len(r.asked()) != 21 || len(n.pages) != 21+2 {
			t.Errorf("%+v", h)
		}
		holds(t, "reason", h.Reason, "20 of its pages were unread, the last one: HTTP status 503 Service Unavailable")
		if o := n.survey.Hosts[1]; o.State != document.HostOK || !o.Covered || o.Asked != 2 || n.survey.Complete {
			t.Errorf("the other host: %+v", o)
		}
	}
}

// slowFolder is a folder of ten pages whose robots.txt asks for a minute between
// requests. Time in it is that of a bubble.
func slowFolder(t *testing.T) *rig {
	files := map[string]string{"robots.txt": "User-agent: *\nCrawl-delay: 60"}
	for i := range 10 {
		files[fmt.Sprintf("%d.html", i)] = "<p>page"
	}
	r := &rig{t: t, origin: "https://www.example.com"}
	r.opts = Options{
		Options:   site.Options{Start: []string{r.origin + "/0.html"}, Folder: writeFolder(t, files)},
		UserAgent: "sitesync", Concurrency: 4, MaxBody: 1 << 20, MaxFile: 1 << 20,
	}
	return r
}

func TestCrawlDelay(t *testing.T) {
	for _, c := range []struct {
		delay, want time.Duration
		ignore      bool
	}{
		{0, 9 * time.Minute, false},
		{2 * time.Minute, 20 * time.Minute, false}, // robots.txt is a request as well
		{time.Second, time.Second + 9*time.Minute, false},
		{time.Second, 9 * time.Second, true},
		{0, 0, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := slowFolder(t)
			r.opts.Delay, r.opts.IgnoreRobots = c.delay, c.ignore
			began := time.Now()
			if n := r.run(); len(n.pages) != 10 || time.Since(began) != c.want {
				t.Errorf("delay %s: %d pages took %s, want %s", c.delay, len(n.pages), time.Since(began), c.want)
			}
		})
	}
}

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
		"an hour asked for":       {"status /bad/* 503 3600", nil, 100, 10, 0, 0, false},
		"two minutes asked for":   {"status /bad/* 503 120", nil, 100, 30, 10 * minute, 0, true},
		"no time at all":          {"status /bad/* 429 60", nil, 100, 10, 0, 0, true},
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

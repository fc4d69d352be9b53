package crawl

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"sitesync/crawl/pace"
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
			h := newHost("https://a.test", 0, pace.New(1, 0, 0))
			h.degrade(state, "before")
			looks, unread := 0, 0
			for ; looks < 1000 && !h.closed(); looks++ {
				if c.fails(looks) {
					unread++
				}
				h.looked(c.fails(looks), fmt.Sprint("reason ", looks), "")
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
	r := newRig(t, "")
	var links []string
	for i := range 30 {
		links = append(links, fmt.Sprintf("/f%d.pdf", i))
		r.Set(fmt.Sprintf("/f%d.pdf", i), testsite.Page{Header: map[string]string{"Content-Type": "application/pdf"}})
	}
	r.HTML("/", "Home", "Welcome", links...)
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
		var links []string
		for i := range 40 {
			links = append(links, fmt.Sprintf("/p/%d", i))
		}
		r.HTML("/", "Home", "", links...)
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
		Start: []string{r.origin + "/0.html"}, Folder: writeFolder(t, files), UserAgent: "sitesync", Concurrency: 4,
		MaxBody: 1 << 20, MaxFile: 1 << 20,
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

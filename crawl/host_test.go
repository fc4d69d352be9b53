package crawl

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// TestBreaker: twenty failures in a row, or half of the last hundred, end the run
// for the host; the rest is not asked, and other hosts go on.
func TestBreaker(t *testing.T) {
	for name, c := range map[string]struct {
		fails   func(i int) bool
		sitemap string // fault of the sitemap
		asked   int    // of 241
		state   document.HostState
	}{
		"all":                         {func(int) bool { return true }, "", 21, document.HostUnreachable},
		"all, and the sitemap":        {func(int) bool { return true }, "status /sitemap.xml 500", 21, document.HostUnreachable},
		"19 of 20":                    {func(i int) bool { return i%20 != 19 }, "", 100, document.HostUnreachable},
		"every other":                 {func(i int) bool { return i%2 == 0 }, "", 100, document.HostUnreachable},
		"every other and the sitemap": {func(i int) bool { return i%2 == 0 }, "status /sitemap.xml 500", 100, document.HostUnreachable},
		"49 of 100":                   {func(i int) bool { return i%100 < 98 && i%2 == 0 }, "", 241, document.HostOK},
		"49 of 100 and the sitemap":   {func(i int) bool { return i%100 < 98 && i%2 == 0 }, "status /sitemap.xml 500", 241, document.HostSitemapCollapse},
		"all from the 201st on":       {func(i int) bool { return i >= 199 }, "", 220, document.HostUnreachable},
		"19 in a row":                 {func(i int) bool { return i%50 < 19 }, "", 241, document.HostOK},
		"half after a while":          {func(i int) bool { return i >= 100 && i%2 == 0 }, "", 200, document.HostUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, c.sitemap)
			other := newRig(t, "set / Other|Welcome|/a\nset /a A|A")
			var links []string
			for i := range 240 {
				path := fmt.Sprintf("/%d", i)
				links = append(links, path)
				if r.HTML(path, "Page", "<p>Page</p>"); c.fails(i) {
					r.Fault(path, testsite.Status(503, ""))
				}
			}
			r.HTML("/", "Home", "", links...)
			r.opts.Start = append(r.opts.Start, other.origin+"/")
			r.opts.Concurrency = 1
			n := r.run()
			h := n.host()
			if h.State != c.state || h.Asked != c.asked || h.Covered != (c.asked == 241) || len(r.asked()) != c.asked || len(n.pages) != c.asked+2 {
				t.Errorf("asked %d, want %d; %+v", h.Asked, c.asked, h)
			}
			if h.State == document.HostUnreachable {
				holds(t, "reason", h.Reason, fmt.Sprintf("%d of its pages were unread, the last one: HTTP status 503", h.Unread))
			}
			if o := n.survey.Hosts[1]; o.State != document.HostOK || o.Asked != 2 || n.survey.Complete != (c.asked == 241) {
				t.Errorf("the other host: %+v", o)
			}
		})
	}
}

// TestBreakerAtAnyConcurrency: what is under way when a host is given up may still
// end, no more.
func TestBreakerAtAnyConcurrency(t *testing.T) {
	r := newRig(t, "")
	var links []string
	for i := range 200 {
		links = append(links, fmt.Sprintf("/%d", i))
	}
	r.HTML("/", "Home", "", links...)
	r.Fault("/*", testsite.After(3, testsite.Status(503, ""))) // after robots.txt, the sitemap and the start page
	r.opts.Concurrency = 16
	n := r.run()
	if h := n.host(); h.State != document.HostUnreachable || h.Covered || h.Asked < 21 || h.Asked > 21+15 {
		t.Errorf("%+v", h)
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
		{2 * time.Minute, 18 * time.Minute, false},
		{time.Second, 9 * time.Minute, false},
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

// TestMaxDuration: nothing is asked once the time is over, even by those who wait
// for their turn.
func TestMaxDuration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := slowFolder(t)
		r.opts.MaxDuration = 150 * time.Second
		began := time.Now()
		n := r.run()
		if len(n.pages) != 3 || time.Since(began) != r.opts.MaxDuration {
			t.Errorf("%d pages took %s", len(n.pages), time.Since(began))
		}
		if n.survey.Complete || n.host().Covered || n.host().State != document.HostOK {
			t.Errorf("survey: %+v", n.survey)
		}
	})
}

// TestCancelWhileWaiting: a run that waits for a host's turn ends at once.
func TestCancelWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := slowFolder(t)
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		began := time.Now()
		n, err := r.try(ctx, t.TempDir())
		if !errors.Is(err, context.DeadlineExceeded) || len(n.pages) != 2 || time.Since(began) != 90*time.Second {
			t.Errorf("%d pages, %v after %s", len(n.pages), err, time.Since(began))
		}
	})
}

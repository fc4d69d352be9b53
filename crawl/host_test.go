package crawl

import (
	"fmt"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// TestBreaker: twenty failures in a row, or half of the last hundred, end the run
// for the host; the rest is not asked, and other hosts go on.
func TestBreaker(t *testing.T) {
	for name, c := range map[string]struct {
		fails func(i int) bool
		asked int // of 301
		state document.HostState
	}{
		"all":                {func(int) bool { return true }, 21, document.HostUnreachable},
		"19 of 20":           {func(i int) bool { return i%20 != 19 }, 100, document.HostUnreachable},
		"every other":        {func(i int) bool { return i%2 == 0 }, 100, document.HostUnreachable},
		"49 of 100":          {func(i int) bool { return i%100 < 98 && i%2 == 0 }, 301, document.HostOK},
		"from the 201st on":  {func(i int) bool { return i >= 199 }, 220, document.HostUnreachable},
		"19 in a row":        {func(i int) bool { return i%50 < 19 }, 301, document.HostOK},
		"half after a while": {func(i int) bool { return i >= 100 && i%2 == 0 }, 200, document.HostUnreachable},
	} {
		for _, sitemap := range []bool{true, false} {
			t.Run(fmt.Sprint(name, ", sitemap ", sitemap), func(t *testing.T) {
				r := newRig(t, "")
				other := newRig(t, "set / Other|Welcome|/a\nset /a A|A")
				var links []string
				for i := range 300 {
					path := fmt.Sprintf("/%d", i)
					links = append(links, path)
					if r.HTML(path, "Page", "<p>Page</p>"); c.fails(i) {
						r.Fault(path, testsite.Status(503, ""))
					}
				}
				r.HTML("/", "Home", "", links...)
				if !sitemap {
					r.script("status /sitemap.xml 500")
				}
				r.opts.Start = append(r.opts.Start, other.origin+"/")
				r.opts.Concurrency = 1
				n := r.run()
				h := n.host()
				want := c.state
				if want == document.HostOK && !sitemap {
					want = document.HostSitemapCollapse
				}
				if h.State != want || h.Asked != c.asked || h.Covered != (c.asked == 301) || len(r.asked()) != c.asked || len(n.pages) != c.asked+2 {
					t.Errorf("asked %d, want %d; %+v", h.Asked, c.asked, h)
				}
				if h.State == document.HostUnreachable {
					holds(t, "reason", h.Reason, fmt.Sprintf("%d of its pages were unread, the last one: HTTP status 503", h.Unread))
				}
				if o := n.survey.Hosts[1]; o.State != document.HostOK || o.Asked != 2 || n.survey.Complete != (c.asked == 301) {
					t.Errorf("the other host: %+v", o)
				}
			})
		}
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

package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/crawl/pace"
	"sitesync/crawl/reading"
	"sitesync/internal/document"
)

// TestRetries: what can pass is asked again, after waits that double or as long as
// the site asks for; what can't is asked once.
func TestRetries(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		script  string
		retries int
		asked   int // requests for /x
		seen    document.Seen
		why     string
		least   time.Duration
		most    time.Duration // 0: least
	}{
		"well":                 {"", 2, 1, document.Read, "", 0, 0},
		"503 twice":            {"times 2 status /x 503", 2, 3, document.Read, "", 1500 * ms, 4500 * ms},
		"500 for good":         {"status /x 500", 2, 3, document.Unread, "HTTP status 500 Internal Server Error", 1500 * ms, 4500 * ms},
		"five retries":         {"status /x 502", 5, 6, document.Unread, "502", 15500 * ms, 46500 * ms},
		"none wanted":          {"status /x 503", 0, 1, document.Unread, "503", 0, 0},
		"408":                  {"times 1 status /x 408", 1, 2, document.Read, "", 500 * ms, 1500 * ms},
		"425":                  {"times 1 status /x 425", 1, 2, document.Read, "", 500 * ms, 1500 * ms},
		"cut":                  {"times 1 cut /x 20", 1, 2, document.Read, "", 500 * ms, 1500 * ms},
		"reset before a byte":  {"times 2 reset /x -1", 2, 3, document.Read, "", 500 * ms, 4500 * ms},
		"reset in the body":    {"times 1 reset /x 10", 1, 2, document.Read, "", 500 * ms, 1500 * ms},
		"a missing page, cut":  {"remove /x\ntimes 1 cut /x 20", 1, 2, document.Missing, "", 500 * ms, 1500 * ms},
		"Retry-After":          {"times 1 status /x 429 30", 2, 2, document.Read, "", 30 * time.Second, 0},
		"of another status":    {"times 1 status /x 500 30", 2, 2, document.Read, "", 30 * time.Second, 0},
		"as a date":            {"times 1 status /x 503 Sat, 01 Jan 2000 00:00:30 GMT", 2, 2, document.Read, "", 30 * time.Second, 0},
		"soon":                 {"times 1 status /x 503 soon", 2, 2, document.Read, "", 500 * ms, 1500 * ms},
		"as long as is waited": {"times 1 status /x 503 120", 2, 2, document.Read, "", 2 * time.Minute, 0},
		"too long": {"times 1 status /x 503 121", 2, 1, document.Unread,
			"HTTP status 503 Service Unavailable; its Retry-After is longer than the 2m0s that are waited", 0, 0},
		"far too long": {"status /x 503 99999999999999999999", 2, 1, document.Unread, "its Retry-After is longer than the 2m0s that are waited", 0, 0},
		"403":          {"status /x 403", 2, 1, document.Unread, "403", 0, 0},
		"501":          {"status /x 501", 2, 1, document.Unread, "501", 0, 0},
		"410":          {"status /x 410 30", 2, 1, document.Gone, "", 0, 0},
		"too large":    {"oversize /x 2000000", 2, 1, document.Unread, "fetch.max_body", 0, 0},
		"a bomb":       {"bomb /x 90000000", 2, 1, document.Unread, "fetch.max_body", 0, 0},
		"no encoding":  {"header /x Content-Encoding compress", 2, 1, document.Unread, "not understood", 0, 0},
		"no gzip":      {"header /x Content-Encoding gzip", 2, 1, document.Read, "", 0, 0},
		"empty":        {"raw /x", 2, 1, document.Unread, "empty", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "set / Home|Welcome|/x\nset /x X|A text that is long enough to be cut\n"+strings.Replace(c.script, "raw /x", `raw /x ""`, 1))
			r.opts.Retries, r.opts.RetryWait, r.opts.AutoSitemaps = c.retries, time.Second, false
			r.bubble(func(t *testing.T) {
				began := time.Now()
				n := r.run()
				took := time.Since(began)
				if p := n.pages["/x"]; p.Seen != c.seen || !strings.Contains(p.Why, c.why) || took < c.least || took > max(c.least, c.most) {
					t.Errorf("%s (%s) after %s", p.Seen, p.Why, took)
				}
				if got := r.Count("/x"); got != c.asked {
					t.Errorf("asked %d times, want %d", got, c.asked)
				}
				if h := n.host(); h.Asked != 2 || n.survey.Fetched != 2 || h.State != document.HostOK || !h.Covered { // one look each
					t.Errorf("%+v, fetched %d", h, n.survey.Fetched)
				}
			})
		})
	}
}

// TestDownHost: a host that is down is given up soon, whatever it asks for.
func TestDownHost(t *testing.T) {
	for script, most := range map[string]time.Duration{
		"status /p/* 500":                         23 * time.Second,
		"status /p/* 503 60":                      130 * time.Second,
		"status /p/* 503 7200":                    130 * time.Second,
		"reset /p/* -1":                           23 * time.Second,
		"status /p/* 429 60\nstatus /p/1 502 110": 130 * time.Second,
	} {
		for _, concurrency := range []int{1, 4, 16} {
			r := newRig(t, script)
			r.HTML("/", "Home", "", numbered(60)...)
			r.opts.Retries, r.opts.RetryWait, r.opts.Concurrency = 2, time.Second, concurrency
			r.bubble(func(t *testing.T) {
				began := time.Now()
				n := r.run()
				want := document.HostUnreachable
				if strings.Contains(script, " 503 ") { // it says when to come again
					want = document.HostGuarded
				}
				if h := n.host(); h.State != want || h.Unread < 20 || h.Unread > 20+concurrency || time.Since(began) > most {
					t.Errorf("%s with %d: %+v after %s", script, concurrency, h, time.Since(began))
				}
			})
		}
	}
}

// TestRetryEndsWithItsHost: when a host is given up, who waits to ask it again does
// so no longer, and what was seen last counts.
func TestRetryEndsWithItsHost(t *testing.T) {
	r := newRig(t, "status /p/* 403\nstatus /p/1 500")
	r.HTML("/", "Home", "", numbered(60)...)
	r.opts.Retries, r.opts.RetryWait = 2, time.Minute
	r.bubble(func(t *testing.T) {
		began := time.Now()
		n := r.run()
		if p := n.pages["/p/1"]; p.Status != 500 || r.Count("/p/1") != 1 || n.host().State != document.HostUnreachable || time.Since(began) > time.Second {
			t.Errorf("%+v, %+v after %s", p, n.host(), time.Since(began))
		}
	})
}

func numbered(n int) []string {
	var paths []string
	for i := range n {
		paths = append(paths, fmt.Sprintf("/p/%d", i))
	}
	return paths
}

// TestNoOneWaitsTooLong: the end of a run ends every wait.
func TestNoOneWaitsTooLong(t *testing.T) {
	for _, script := range []string{"status /x 503 100", "status /x 500 100", "stall /x", "hold /x"} {
		const site = "set / Home|Welcome|/x /y\nset /y Y|Y"
		r := newRig(t, site)
		r.opts.Retries, r.opts.MaxDuration = 2, 10*time.Second
		r.bubble(func(t *testing.T) {
			r.script(script)
			began := time.Now()
			n := r.run()
			if _, ok := n.pages["/x"]; ok || time.Since(began) != r.opts.MaxDuration || n.host().Covered || n.host().State != document.HostOK {
				t.Errorf("%s: %q, %+v after %s", script, n.seen(), n.survey, time.Since(began))
			}
		})
		r = newRig(t, site)
		r.opts.Retries = 2
		r.bubble(func(t *testing.T) {
			r.script(script)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			began := time.Now()
			n, err := r.try(ctx, t.TempDir())
			if _, ok := n.pages["/x"]; ok || !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 10*time.Second {
				t.Errorf("%s: %q, %v after %s", script, n.seen(), err, time.Since(began))
			}
		})
	}
}

// TestTimeEndsDiscovery: the end of the time ends what comes before the pages too: nothing is
// deleted then, and a run that looked at no page says so.
func TestTimeEndsDiscovery(t *testing.T) {
	for path, state := range map[string]document.HostState{
		"/robots.txt": document.HostOK, "/sitemap.xml": document.HostSitemapCollapse, "/s/*": document.HostSitemapCollapse, "/nosuchpage*": document.HostOK,
	} {
		r := newRig(t, "set / Home|Welcome\nraw /sitemap.xml a\nmany 40 raw /s/%d a\nraw /index.xml \"<sitemapindex><sitemap><loc>/s/1</loc></sitemap><sitemap><loc>/s/2</loc></sitemap></sitemapindex>\"")
		if path == "/s/*" {
			r.script(`robots "Sitemap: /index.xml"`)
		}
		r.hosts[r.origin] = document.HostMemory{Sitemap: 20}
		r.opts.MaxDuration = 3 * time.Second
		if path == "/nosuchpage*" { // whose sitemap listed nothing before
			r.hosts = nil
		}
		r.bubble(func(t *testing.T) {
			r.script("stall " + path)
			began := time.Now()
			n := r.run()
			told := slices.ContainsFunc(n.survey.Warnings, func(w document.Warning) bool { return w.Kind == "duration" })
			if cause := "--max-duration gave is over"; state != document.HostOK && !strings.HasSuffix(n.host().Reason, cause) {
				t.Errorf("%s: %s", path, n.host().Reason)
			}
			if time.Since(began) != r.opts.MaxDuration || len(n.pages) > 0 || n.host().State != state || n.host().Covered || !told {
				t.Errorf("%s: %q, %+v after %s", path, n.seen(), n.survey, time.Since(began))
			}
		})
	}
}

// TestLookIsBrief: a person who looks at one page waits seconds at most, whatever
// the site asks for.
func TestLookIsBrief(t *testing.T) {
	r := newRig(t, "robots \"User-agent: *\\nCrawl-delay: 60\"\nset /x X|X\nredirect /to /x\ntimes 1 status /x 503 5\ntimes 1 status /robots.txt 503 5")
	r.opts.Retries, r.opts.RetryWait = 2, time.Second
	r.bubble(func(t *testing.T) {
		c := r.crawler()
		c.client.transport = r.transport
		began := time.Now()
		trace, err := c.Look(t.Context(), r.url("/to"), func(p *document.Page) error {
			if p.Target == "" && p.Seen != document.Read {
				t.Errorf("%s %s", p.Seen, p.Why)
			}
			return nil
		})
		if err != nil || len(trace.Hops) != 2 || time.Since(began) > 4*briefWait {
			t.Errorf("%+v, %v after %s", trace, err, time.Since(began))
		}
		_ = c.Close()
	})
}

// TestReply: what counts as a good answer, and what as too much to do.
func TestReply(t *testing.T) {
	c := &client{patience: pace.Longest}
	header, late := http.Header{"Retry-After": {" 120 "}}, http.Header{"Retry-After": {"121"}}
	for _, k := range []struct {
		x    exchange
		want pace.Reply
	}{
		{exchange{Answer: reading.Answer{Status: 200, Header: header}, took: 1}, pace.Reply{Good: true, Took: 1}},
		{exchange{Answer: reading.Answer{Status: 404}, took: 1}, pace.Reply{Good: true, Took: 1}},
		{exchange{Answer: reading.Answer{Status: 200}, took: 1, err: io.ErrUnexpectedEOF}, pace.Reply{Took: 1}},
		{exchange{Answer: reading.Answer{Status: 500, Header: header}, took: 1}, pace.Reply{Took: 1, Pause: pace.Longest}},
		{exchange{Answer: reading.Answer{Status: 503}, took: 1}, pace.Reply{Took: 1, Overload: true}},
		{exchange{Answer: reading.Answer{Status: 429, Header: header}, took: 1}, pace.Reply{Took: 1, Overload: true, Pause: pace.Longest}},
		{exchange{Answer: reading.Answer{Status: 429, Header: late}, took: 1}, pace.Reply{Took: 1, Overload: true}},
		{exchange{took: 1, err: os.ErrDeadlineExceeded}, pace.Reply{Overload: true}},
		{exchange{took: 1, err: io.EOF}, pace.Reply{}},
	} {
		if got := c.reply(&k.x); got != k.want {
			t.Errorf("%+v: %+v, want %+v", k.x, got, k.want)
		}
	}
}

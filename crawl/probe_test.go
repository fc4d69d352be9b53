package crawl

import (
	"fmt"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestProbe: what a host answers to a page that can't exist decides what a page of
// that look is, known or new; robots.txt is obeyed, and a folder is not asked.
func TestProbe(t *testing.T) {
	const site = "set / Home|Welcome|/a /new\nset /a A|About ants\n"
	for name, c := range map[string]struct {
		script string
		want   []string
		probes int
	}{
		"404":                {"", []string{"/ read", "/a read", "/b missing", "/new missing"}, 2},
		"200":                {"soft404 on", []string{"/ read", "/a read", "/b missing", "/new missing"}, 2},
		"forbidden":          {"soft404 on\nrobots \"User-agent: *\\nDisallow: /nosuchpage\"", []string{"/ read", "/a read", "/b read", "/new read"}, 0},
		"a wall is no print": {"stand /nosuch* parked", []string{"/ read", "/a read", "/b missing", "/new missing"}, 2},
		"start page too":     {"soft404 on\nremove /", []string{"/ missing", "/a read", "/b missing"}, 2},
		"an error":           {"status /nosuch* 500", []string{"/ read", "/a read", "/b missing", "/new missing"}, 2},
	} {
		r := newRig(t, site+c.script)
		r.known = map[string]document.Known{"/": {Document: true}, "/a": {Document: true}, "/b": {Document: true}}
		n := r.run()
		probes := 0
		for path, count := range r.Counts() {
			if isProbe(path) {
				probes += count
			}
		}
		if probes != c.probes {
			t.Errorf("%s: %d probes", name, probes)
		}
		same(t, name, n.seen(), c.want...)
		if n.host().State != document.HostOK {
			t.Errorf("%s: %+v", name, n.host())
		}
	}
}

// TestProbeAtTheEnd: a host that begins to answer 200 while it is crawled is not ok,
// and its answer is handed on.
func TestProbeAtTheEnd(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/a\nset /a A|About ants")
	r.known["/gone"] = document.Known{Document: true}
	r.hook = func(_ *night, p *document.Page) error {
		r.Soft404(strings.HasSuffix(p.URL, "/a") || p.Seen == document.Missing)
		return nil
	}
	n := r.run()
	if h := n.host(); h.State != document.HostSoft404 || h.Lost == nil || !h.Covered {
		t.Errorf("%+v", h)
	}
	if p := n.pages["/gone"]; p.Seen != document.Missing || p.Status != 200 || p.Why != document.WhySoft404 {
		t.Errorf("%+v", p)
	}
}

// TestWalledPages: what stands in place of a page is unread and leads nowhere, and a
// host that is given up for it says so.
func TestWalledPages(t *testing.T) {
	for kind, want := range map[string]document.HostState{
		"bot-guard": document.HostBotGuard, "login-wall": document.HostLoginWall, "maintenance": document.HostMaintenance, "parked": document.HostParked,
	} {
		r := newRig(t, "stand /p/* "+kind)
		var links []string
		for i := range 40 {
			links = append(links, fmt.Sprintf("/p/%d", i))
		}
		r.HTML("/", "Home", "", links...)
		r.opts.Concurrency = 1
		n := r.run()
		if h := n.host(); h.State != want || h.Covered || h.Unread != 20 || len(n.pages) != 21 {
			t.Errorf("%s: %+v", kind, h)
		}
		if p := n.pages["/p/0"]; p.Seen != document.Unread || p.Interstitial != want {
			t.Errorf("%s: %+v", kind, p)
		}
	}
	r := newRig(t, "set / Home|Welcome|/a\nredirect /a /login 302\nset /login Log in|x\nredirect /b /login 301")
	r.known["/b"] = document.Known{Document: true}
	same(t, "login redirects", r.run().seen(), "/ read", "/a elsewhere /login", "/b elsewhere /login")
}

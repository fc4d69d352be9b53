package crawl

import (
	"fmt"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

func manyNumbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprint(&b, i, " ")
	}
	return b.String()
}

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
		"too large a print":  {"lost 200 Sorry|" + manyNumbers(200_000), []string{"/ read", "/a read", "/b read", "/new read"}, 1},
		"a wall is no print": {"stand /nosuch* login-wall", []string{"/ read", "/a read", "/b missing", "/new missing"}, 1},
		"start page too":     {"soft404 on\nremove /", []string{"/ missing", "/a read", "/b missing"}, 2},
		"an error":           {"status /nosuch* 500", []string{"/ read", "/a read", "/b missing", "/new missing"}, 1},
	} {
		r := newRig(t, site+c.script)
		r.opts.MaxBody = 2 << 20
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

// TestProbeOfRefusals: what a host shows with its 404 is missing with a 200 as well,
// whatever address and ID stand in it; the start page alone is still read.
func TestProbeOfRefusals(t *testing.T) {
	const lost = "lost 404 Sorry: %p|We have no %p here. Tell us about it as %x, please.\n"
	for name, c := range map[string]struct {
		script string
		want   []string
		links  bool
	}{
		"a page":     {lost + "vanish /a 200", []string{"/ read", "/a missing", "/b read"}, true},
		"410":        {strings.Replace(lost, "404", "410", 1) + "vanish /a 200", []string{"/ read", "/a missing", "/b read"}, true},
		"every page": {lost + "vanish /a 200\nvanish /b 200\nvanish / 200", []string{"/ read", "/a missing", "/b missing"}, false},
		"a shell":    {`lost 404 A|</p><div id=app></div><script>start()</script><p>` + "\nvanish /a 200", []string{"/ read", "/a read", "/b read"}, true},
	} {
		r := newRig(t, "set / Home|Welcome to the town|/a /b\nset /a A|About ants\nset /b B|About bees\n"+c.script)
		r.known = map[string]document.Known{"/a": {Document: true}, "/b": {Document: true}}
		n := r.run()
		same(t, name, n.seen(), c.want...)
		if p := n.pages["/"]; n.host().State != document.HostOK || (p.Interstitial == "") != c.links {
			t.Errorf("%s: %+v, %+v", name, n.host(), p)
		}
		if p := n.pages["/a"]; p.Seen == document.Missing && (p.Status != 200 || p.Interstitial != document.Soft404) {
			t.Errorf("%s: %+v", name, p)
		}
	}
	// A site of one page that scripts make, whose 404 is that page: its links are followed.
	const app = `"<title>Town</title><h1>All of our town in one place</h1><a href=/a>Ants</a>"`
	r := newRig(t, "raw / "+app+"\nset /a A|About ants")
	r.Lost(testsite.Page{Status: 404, Body: strings.Trim(app, `"`)})
	n := r.run()
	same(t, "the start page is the 404", n.seen(), "/ read", "/a read")
	if p := n.pages["/"]; p.Interstitial != document.Soft404 {
		t.Errorf("%+v", p)
	}
}

// TestProbeOfRedirects: where a host sends what does not exist, pages are missing. That is
// no login, no wall, and no other form of the address.
func TestProbeOfRedirects(t *testing.T) {
	const site = "set / Home|Welcome|/a /gone /new /plain\nset /a A|About ants\nset /error Sorry|There is nothing here\nset /plain/ Plain|About plains\n"
	for name, c := range map[string]struct {
		script string
		want   []string
	}{
		"with the address": {"astray /error?url=%p", []string{"/ read", "/a read", "/gone missing", "/new missing", "/plain missing"}},
		"for good":         {"astray /error 301", []string{"/ read", "/a read", "/gone missing", "/new missing", "/plain missing"}},
		"to the start":     {"astray / 301", []string{"/ read", "/a read", "/gone missing", "/new missing", "/plain missing"}},
		"that is linked":   {"astray /error\nset /a A|About ants|/error", []string{"/ read", "/a read", "/error read", "/gone missing", "/new missing", "/plain missing"}},
		"to a login":       {"astray /login\nset /login Log in|x", []string{"/ read", "/a read", "/gone elsewhere /login", "/new elsewhere /login", "/plain elsewhere /login"}},
		"to an error":      {"robots \"User-agent: *\"\nastray /later\nstatus /later 500", []string{"/ read", "/a read", "/gone elsewhere /later", "/later unread", "/new elsewhere /later", "/plain elsewhere /later"}},
		"out of the site":  {"robots \"User-agent: *\"\nastray http://elsewhere.invalid/", []string{"/ read", "/a read", "/gone elsewhere http://elsewhere.invalid/", "/new elsewhere http://elsewhere.invalid/", "/plain elsewhere http://elsewhere.invalid/"}},
		"forbidden":        {"astray /error\nrobots \"User-agent: *\\nDisallow: /error\"", []string{"/ read", "/a read", "/error disallowed", "/gone elsewhere /error", "/new elsewhere /error", "/plain elsewhere /error"}},
		"by the page":      {`lost 200 Sorry|Nothing.</p><meta http-equiv=refresh content="3;/error"><p>`, []string{"/ read", "/a read", "/gone missing", "/new missing", "/plain missing"}},
		"with a slash":     {"astray /plain/\nredirect /plain /plain/", []string{"/ read", "/a read", "/gone missing", "/new missing", "/plain moved /plain/", "/plain/ read"}},
	} {
		r := newRig(t, site+c.script)
		r.known = map[string]document.Known{"/gone": {Document: true}}
		n := r.run()
		same(t, name, n.seen(), c.want...)
		if p := n.pages["/gone"]; p.Seen == document.Missing && (p.Interstitial != document.Soft404 || (p.Status < 300) != (name == "by the page") || p.Target != "") {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// TestProbeThroughForms: a redirect that writes the address in another form is followed,
// and its end counts.
func TestProbeThroughForms(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/en/a /en/b\nset /en/a A|About ants")
	r.Lost(testsite.Page{Status: 301, Header: map[string]string{"Location": "/en%p"}})
	r.Trap("/en/", func(string) testsite.Page {
		return testsite.Page{Body: testsite.Markup{Title: "Sorry", Main: "<p>There is nothing at this address</p>"}.String()}
	})
	same(t, "seen", r.run().seen(), "/ read", "/en/a read", "/en/b missing")
	r = newRig(t, "set / Home|Welcome|/a")
	r.Lost(testsite.Page{Status: 301, Header: map[string]string{"Location": "/x%p"}})
	r.run()
	probes := 0
	for path := range r.Counts() {
		if strings.Contains(path, "nosuchpage") {
			probes++
		}
	}
	if probes != 6 {
		t.Errorf("%d addresses were asked", probes)
	}
}

package crawl

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// TestRobotsOutage: where robots.txt can't be had, nothing else is asked of the host
// (RFC 9309, section 2.3.1.4).
func TestRobotsOutage(t *testing.T) {
	for fault, reason := range map[string]string{
		"status /robots.txt 503":        "robots.txt answered 503",
		"status /robots.txt 429 60":     "robots.txt answered 429",
		"reset /robots.txt -1":          "robots.txt can't be read: the server broke the connection",
		"cut /robots.txt 5":             "robots.txt can't be read: body cut",
		"hold /robots.txt":              "robots.txt can't be read: time-out while waiting for response headers",
		"oversize /robots.txt 17000000": "robots.txt can't be read: body is over",
		`answer /robots.txt "HTTP/1.1 000 Nothing\r\n\r\nUser-agent: *"`:                   "robots.txt answered 0",
		`answer /robots.txt "HTTP/1.1 101 Up\r\nUpgrade: tea\r\n\r\n"`:                     "robots.txt answered 101",
		`answer /robots.txt "HTTP/1.1 301 Moved\r\nLocation: http://[\r\n\r\n"`:            "robots.txt can't be read: ",
		`answer /robots.txt "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"`: "robots.txt can't be read: body cut",
		`raw /robots.txt "\x00\xff\xfeUser-agent: *\x00\nDisallow\x1b[2J: /\xff\r\r"`:      "",
		`series /robots.txt 40000 "User-agent: *\n|Disallow: /*a%d*b$\n|"`:                 "",
		"stand /robots.txt bot-guard":                                                      "robots.txt: a challenge for robots",
		"say /robots.txt 202 Wait|.\nheader /robots.txt X-Amzn-Waf-Action challenge":       "robots.txt: a challenge for robots",
		"say /robots.txt 405 Solve|.\nheader /robots.txt X-Amzn-Waf-Action captcha":        "robots.txt: a challenge for robots",
		"redirect /robots.txt /nowhere":                                                    "",
		"status /robots.txt 404":                                                           "",
		"status /robots.txt 403":                                                           "",
		"say /robots.txt 200 Sign in|.":                                                    "",
		"header /robots.txt Content-Type image/png":                                        "",
		"header /robots.txt Content-Encoding none":                                         "",
		"header /robots.txt Content-Encoding gzip":                                         "", // which it is not
		"header /robots.txt Content-Encoding zstd":                                         `robots.txt can't be read: content encoding "zstd"`,
	} {
		t.Run(fault, func(t *testing.T) {
			r := newRig(t, `
				robots "User-agent: *"
				set / Home|Welcome|/a
				set /a A|A
				set /robots-is-here /|/
			`)
			r.opts.Timeout = time.Second // for nothing but the fault that holds
			if !strings.HasPrefix(fault, "hold") {
				r.opts.Timeout = time.Minute
			}
			r.known["/a"], r.known["https://elsewhere.test/"] = document.Known{Document: true}, document.Known{Document: true}
			r.script(fault)
			n := r.run()
			h := n.host()
			if reason == "" {
				same(t, "seen", n.seen(), "/ read", "/a read", "https://elsewhere.test/ out-of-scope")
				if h.State != document.HostOK || !h.Covered || h.Followed == "" {
					t.Errorf("%+v", h)
				}
				return
			}
			same(t, "asked", r.asked())
			same(t, "seen", n.seen(), "https://elsewhere.test/ out-of-scope")
			if h.State != document.HostRobotsOutage || h.Covered || !h.ReadOnly || h.Asked != 0 || h.Followed != "" || n.survey.Complete {
				t.Errorf("%+v", n.survey)
			}
			holds(t, "reason", h.Reason, reason)
			if r.Count("/sitemap.xml") > 0 {
				t.Error("the sitemap was asked for")
			}
		})
	}
}

// TestRobotsRedirect: five redirects are followed; what lies behind more of them is
// no robots.txt (RFC 9309, section 2.3.1.2).
func TestRobotsRedirect(t *testing.T) {
	for hops, want := range map[int]document.Seen{0: document.Disallowed, 1: document.Disallowed, 5: document.Disallowed, 6: document.Read, 50: document.Read} {
		r := newRig(t, "set / Home|Welcome|/private\nset /private P|P")
		path := "/robots.txt"
		for i := range hops {
			next := fmt.Sprintf("/robots.txt?%d", i)
			r.Redirect(path, next, 301+i%2)
			path = next
		}
		r.Set(path, testsite.Page{Body: "User-agent: *\nDisallow: /private", Unlisted: true})
		n := r.run()
		if got := n.pages["/private"].Seen; got != want || n.host().State != document.HostOK {
			t.Errorf("%d redirects: /private is %s, want %s; %+v", hops, got, want, n.host())
		}
		if hops > 5 && r.Count("/robots.txt?5") > 0 {
			t.Errorf("%d redirects: the sixth was followed", hops)
		}
	}
	r := newRig(t, "redirect /robots.txt /robots.txt\nset / Home|Welcome")
	if n := r.run(); n.pages["/"].Seen != document.Read || r.Count("/robots.txt") != 6 {
		t.Errorf("a loop: %q, robots.txt asked %d times", n.seen(), r.Count("/robots.txt"))
	}
	r = newRig(t, "say /robots.txt 302 Moved|Elsewhere\nheader /robots.t* Location /there\nstall /robots.*\nraw /there \"User-agent: *\\nDisallow: /\"\nset / Home|Welcome")
	if n := r.run(); n.pages["/"].Seen != document.Disallowed { // net/http reads a redirect's body before it goes on
		t.Errorf("a redirect whose body does not end: %q, %s", n.seen(), n.host().Reason)
	}
}

func TestRobotsIgnored(t *testing.T) {
	r := newRig(t, `
		set / Home|Welcome|/private
		set /private P|P
		status /robots.txt 503
	`)
	r.opts.IgnoreRobots = true
	if n := r.run(); n.pages["/private"].Seen != document.Read || r.Count("/robots.txt") != 0 || n.host().Followed == "" {
		t.Errorf("%q, %+v", n.seen(), n.host())
	}
}

// TestRobotsCopy: where robots.txt can't be had, or was lost, the host is asked for what its
// last good copy allows, and it is an outage all the same.
func TestRobotsCopy(t *testing.T) {
	for _, fault := range []string{"status /robots.txt 503", "reset /robots.txt -1", "status /robots.txt 404", "say /robots.txt 200 Sign in|.", "stand /robots.txt bot-guard"} {
		r := newRig(t, "set / Home|Welcome|/x /y\nset /x X|X\nset /y Y|Y\nrobots \"User-agent: *\\nDisallow: /x\"")
		first := r.run()
		r.hosts[r.origin] = document.HostMemory{Robots: *first.host().Robots, Followed: first.host().Followed}
		r.known["/y"] = document.Known{Document: true, Ask: true, Hints: first.pages["/y"].Hints}
		r.Reset()
		r.script(fault)
		n := r.run()
		same(t, fault, n.seen(), "/ read", "/x disallowed", "/y kept")
		if h := n.host(); h.State != document.HostRobotsOutage || !h.ReadOnly || !h.Covered || h.Followed != first.host().Followed || r.Count("/x") > 0 {
			t.Errorf("%s: %+v", fault, h)
		}
	}
}

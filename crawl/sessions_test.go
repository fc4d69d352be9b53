package crawl

import (
	"net/http"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// TestRedirectIntoASession: a server that redirects each page to itself, with a session in
// the address, is read as one without. A loop stays a loop, and robots.txt is obeyed.
func TestRedirectIntoASession(t *testing.T) {
	for name, c := range map[string]struct {
		robots, form, page string
		seen               document.Seen
	}{
		"ASP.NET":               {"", "/(S(lit3py55t21z5v55vlm25s55))%p", "/a", document.Read},
		"a parameter":           {"", "%p;jsessionid=8A7C6E5D4F3B2A190817263544536271", "/a", document.Read},
		"a session that ended":  {"", "/sid-8A7C6E5D4F3B2A19%p", "/sid-0A7C6E5D4F3B2A19/a", document.Read},
		"to itself":             {"", "%p", "/a", document.Elsewhere},
		"robots.txt forbids it": {"User-agent: *\nDisallow: /(S", "/(S(lit3py55t21z5v55vlm25s55))%p", "/a", document.Elsewhere},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "set / Home|Welcome\nset /a A|Ants")
			r.HTML("/", "Home", "<p>Welcome", c.page)
			r.Robots(c.robots)
			if c.form != "%p" {
				r.Visit(c.form)
			}
			r.Fault(c.page, func(_ *http.Request, a *testsite.Answer) {
				a.Status, a.Body = http.StatusFound, nil
				a.Header.Set("Location", strings.Replace(c.form, "%p", "/a", 1))
			})
			r.Heal("*") // links stay as they are
			n := r.run()
			p := n.pages[c.page]
			if p.Seen != c.seen || p.Seen == document.Read && !strings.Contains(n.texts[c.page], "Ants") {
				t.Errorf("%s is %s, %s: %q", c.page, p.Seen, p.Why, n.texts[c.page])
			}
			if r.Count(c.page) > 1 && c.form != "%p" {
				t.Errorf("asked %d times", r.Count(c.page))
			}
		})
	}
}

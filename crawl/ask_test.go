package crawl

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// TestRound: a page that sends a visitor without its cookie around is asked with it, once. No
// other request carries the cookie, and the next night's goes round as well.
func TestRound(t *testing.T) {
	const set = "seen=1; Path=/"
	for name, c := range map[string]struct {
		steps  map[string]string // path → Location, and the cookie that it sets
		robots string
		want   string // how /a is seen
		asked  string // on its first round, with + where the cookie goes along
	}{
		"to itself":                    {map[string]string{"/a": "/a " + set}, "", "read", "/a /a+"},
		"for good":                     {map[string]string{"/a": "301 /a " + set}, "", "read", "/a /a+"},
		"by a parameter":               {map[string]string{"/a": "/a?set=1 " + set, "/a?set=1": "/a"}, "", "read", "/a /a?set=1+ /a+"},
		"by another page":              {map[string]string{"/a": "/in?to=%2Fa", "/in?to=%2Fa": "/a " + set}, "", "read", "/a /in?to=%2Fa /a+"},
		"by two":                       {map[string]string{"/a": "/in?to=/a", "/in?to=/a": "/on?to=/a", "/on?to=/a": "/a " + set}, "", "read", "/a /in?to=/a /on?to=/a /a+"},
		"by three":                     {map[string]string{"/a": "/1?/a", "/1?/a": "/2?/a", "/2?/a": "/3?/a", "/3?/a": "/a " + set}, "", "elsewhere /1?/a", "/a /1?/a /2?/a /3?/a"},
		"without a cookie":             {map[string]string{"/a": "/a"}, "", "elsewhere /a", "/a"},
		"with a cookie of another":     {map[string]string{"/a": "/a other=1"}, "", "elsewhere /a", "/a /aother=1"},
		"to a parameter":               {map[string]string{"/a": "/a?lang=en", "/a?lang=en": ""}, "", "elsewhere /a?lang=en", "/a"},
		"for another path":             {map[string]string{"/a": "/a seen=1; Path=/b"}, "", "elsewhere /a", "/a /a"},
		"that does not come back":      {map[string]string{"/a": "/in?to=/a " + set, "/in?to=/a": ""}, "", "elsewhere /in?to=/a", "/a /in?to=/a+"},
		"to a page that names nothing": {map[string]string{"/a": "/in " + set, "/in": "/a"}, "", "elsewhere /in", "/a"},
		"to a login":                   {map[string]string{"/a": "/login?next=/a " + set}, "", "elsewhere /login?next=/a", "/a"},
		"that robots.txt forbids":      {map[string]string{"/a": "/in?to=/a", "/in?to=/a": "/a " + set}, "User-agent: *\nDisallow: /in", "elsewhere /in?to=/a", "/a"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "set / Home|Welcome|/a\nset /a A|Ants")
			r.Robots(c.robots)
			var mu sync.Mutex
			var asked []string
			answer := func(req *http.Request, a *testsite.Answer) {
				mu.Lock()
				defer mu.Unlock()
				path, cookie := req.URL.RequestURI(), req.Header.Get("Cookie")
				asked = append(asked, path+strings.Replace(cookie, "seen=1", "+", 1))
				to, set, _ := strings.Cut(c.steps[path], " ")
				a.Status = http.StatusFound
				if to == "301" {
					a.Status = http.StatusMovedPermanently
					to, set, _ = strings.Cut(set, " ")
				}
				switch {
				case path == "/a" && cookie == "seen=1", to == "":
					a.Status = http.StatusOK
				default:
					a.Body = nil
					a.Header.Set("Location", to)
					a.Header.Set("Set-Cookie", set)
				}
			}
			for _, path := range []string{"/a*", "/in*", "/on*", "/1*", "/2*", "/3*"} {
				r.Fault(path, answer)
			}
			n := r.run()
			if want := strings.TrimSpace("/a " + c.want); !slices.Contains(n.seen(), want) {
				t.Errorf("got %v, want %s", n.seen(), want)
			}
			first := min(len(asked), len(strings.Fields(c.asked)))
			if strings.Join(asked[:first], " ") != c.asked || strings.Contains(strings.Join(asked[first:], " "), "+") {
				t.Errorf("asked %v, want %s", asked, c.asked)
			}
			if c.want == "read" && n.texts["/a"] == "" {
				t.Error("it has no text")
			}
			if r.remember(n); c.want != "read" {
				return
			}
			asked = nil
			if n := r.run(); n.pages["/a"].Seen != document.Kept || strings.Join(asked, " ") != c.asked {
				t.Errorf("the next night %v, asked %v", n.seen(), asked)
			}
		})
	}
}

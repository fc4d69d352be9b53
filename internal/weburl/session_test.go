package weburl

import (
	"regexp"
	"testing"
)

func TestSessionParam(t *testing.T) {
	for _, c := range []struct{ target, want string }{
		{"/a?PHPSESSID=u7dk2l0q9v3m5n8b1c4x6z0a2s", "PHPSESSID"},
		{"/a?x=1&sid=0123456789abcdef&y=2", "sid"},
		{"/a?x=1;jsessionid=8A7C6E5D4F3B2A190817263544536271.node1", "jsessionid"},
		{"/a?jsessionid=8A7C6E5D4F3B2A190817263544536271!-123", "jsessionid"},
		{"/a?ASPSESSIONIDQQABCDEF=KJHGFDSA1POIUYTREWQLKMNB", "ASPSESSIONIDQQABCDEF"},
		{"/a?CFID=12345&CFTOKEN=87654321", "CFID"},
		{"/a?sid=12", ""}, {"/a?sid=news-and-other-things", ""}, {"/a?sid", ""}, {"/a?page=0123456789abcdef", ""}, {"/sid=0123456789abcdef", ""},
		{"/a?sid=0123456789/bcdef", ""}, {"/a;jsessionid=8A7C6E5D4F3B2A190817263544536271?x=1", ""}, {"/a?", ""},
	} {
		got, pattern := SessionParam(c.target)
		if got != c.want || pattern != "" && !regexp.MustCompile(pattern).MatchString(c.target) {
			t.Errorf("%s: %q %s, want %q", c.target, got, pattern, c.want)
		}
	}
}

// TestSessionsInPaths: what is removed from a canonical URL, and what only looks like a
// session.
func TestSessionsInPaths(t *testing.T) {
	canon := NewCanonicalizer([]string{"utm_*"})
	const id = "8A7C6E5D4F3B2A190817263544536271"
	for path, want := range map[string]string{
		"/a;jsessionid=" + id + ".node1?x=1":                  "/a?x=1",
		"/a;JSESSIONID=short/b":                               "/a/b",
		"/a;v=2;jsessionid=" + id + ";w=3/b;sid=" + id:        "/a;v=2;w=3/b",
		"/a;PHPSESSID=" + id + "?utm_source=x":                "/a",
		"/é;jsessionid=" + id:                                 "/%C3%A9",
		"/(S(lit3py55t21z5v55vlm25s55))/page.aspx":            "/page.aspx",
		"/app/(S(lit3py55t21z5v55vlm25s55))/a/b.aspx?q=1":     "/app/a/b.aspx?q=1",
		"/(X(1)F(abcdefghijklmnop-1_2)S(lit3py55t21z5v55))/a": "/a",
		"/(S(lit3py55t21z5v55vlm25s55));jsessionid=1/a":       "/a",
		"/(S(lit3py55t21z5v55vlm25s55))//b":                   "//b",
		// none
		"/a;sid=12":                                       "/a;sid=12",
		"/a;version=" + id:                                "/a;version=" + id,
		"/a?x=(S(lit3py55t21z5v55vlm25s55))/b":            "/a?x=(S(lit3py55t21z5v55vlm25s55))/b",
		"/a?b=1;jsessionid=" + id:                         "/a?b=1;jsessionid=" + id,
		"/Products(1)/(2)/(S(1))/(T(abcdefghijklmnopq))/": "/Products(1)/(2)/(S(1))/(T(abcdefghijklmnopq))/",
	} {
		got, err := canon.URL("https://www.example.com" + path)
		if err != nil || Target(got) != want {
			t.Errorf("%s: %s, %v; want %s", path, Target(got), err, want)
		}
	}
	if got, err := canon.URL("https://www.example.com/a/..;jsessionid=1/b"); err == nil {
		t.Errorf("dots behind a session: %s", got)
	}
	if got, err := canon.Resolve("https://www.example.com/d/p.html", "q.html;jsessionid="+id+"#top"); err != nil || got != "https://www.example.com/d/q.html" {
		t.Errorf("a relative link: %s, %v", got, err)
	}
}

func TestSessionForm(t *testing.T) {
	const id = "0a1b2c3d4e5f6a7b"
	for path, want := range map[string]string{
		"/sid-" + id + "/a.html":     "/sid-*/a.html",
		"/x/session/" + id:           "/x/session/*",
		"/S/" + id + "/a":            "/S/*/a",
		"/session_" + id + "z/b/c":   "/session_*/b/c",
		"/sid-0a1b/a":                "",
		"/session/0123456789012345/": "",
		"/session/abcdefghijklmnop/": "",
		"/assets/" + id + "/":        "",
		"/":                          "",
	} {
		form, found := SessionForm(path)
		if found != (want != "") || found && form != want || !found && form != path {
			t.Errorf("%s: %s, %t", path, form, found)
		}
	}
}

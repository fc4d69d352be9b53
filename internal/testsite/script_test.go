package testsite

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestScript runs lines one after the other; after each, the path has the
// status, and its body or headers hold the text.
func TestScript(t *testing.T) {
	s := newSite(t)
	for _, test := range []struct {
		line, path string
		status     int
		text       string
	}{
		{"set /a First page|some text|/b /c|<meta name=robots content=noindex>", "/a", 200, "<p>some text</p>"},
		{"soft404 off", "/a", 200, `<a href="/c">`},
		{"soft404 off", "/a", 200, "content=noindex>"},
		{"set /b  Title alone", "/b", 200, "<title>Title alone</title>"},
		{"edit /a some text|other text, longer", "/a", 200, "<p>other text, longer</p>"},
		{`raw /raw "a\xffb\n"`, "/raw", 200, "a\xffb\n"},
		{`series /raw 3 "<ul>|<li>%d\n|</ul>"`, "/raw", 200, "<ul><li>0\n<li>1\n<li>2\n</ul>"},
		{"raw /raw it's as is", "/raw", 200, "it's as is"},
		{`robots "User-agent: *\nDisallow: /x\n"`, "/robots.txt", 200, "*\nDisallow: /x\n"},
		{"redirect /old /a", "/old", 301, "Location: /a"},
		{"redirect /old /a 302", "/old", 302, "Location: /a"},
		{"sitemap on", "/sitemap.xml", 200, "/a</loc>"},
		{"sitemap off", "/sitemap.xml", 404, ""},
		{"remove /b", "/b", 404, ""},
		{"soft404 on", "/b", 200, "not found"},
		{"validators off", "/a", 200, ""},
		{"status /a 503 120", "/a", 503, "Retry-After: 120"},
		{"status /a 500", "/a", 500, ""},
		{"heal /a", "/a", 200, "other text"},
		{"say /* 200 Parked|For sale.", "/b", 200, "<p>For sale.</p>"},
		{"heal /*", "/a", 200, "other text"},
		{"maintenance on", "/robots.txt", 503, "maintenance"},
		{"maintenance off", "/a", 200, "other text"},
		{"login on", "/a", 302, "Location: /login"},
		{"login off", "/a", 200, "other text"},
		{"botguard on", "/a", 403, "challenge"},
		{"botguard off", "/a", 200, "other text"},
		{"stand /a maintenance", "/a", 200, "Maintenance"},
		{"stand /a login-wall", "/a", 200, `type="password"`},
		{"heal /a", "/a", 200, "other text"},
		{`header /a X-Note "\xffodd"`, "/a", 200, "X-Note: \xffodd"},
		{"headers /a 3 5", "/a", 200, "X-More-2: xxxxx"},
		{`answer /a "HTTP/1.1 599 Odd\r\n\r\nraw"`, "/a", 599, "raw"},
		{"auth /a u p", "/a", 401, ""},
		{"times 1 status /a 410", "/a", 410, ""},
		{"forget", "/a", 200, "other text"},
		{"after 1 status /a 410", "/a", 200, "other text"},
		{"count /a 2", "/a", 410, ""},
		{"oversize /a 5000", "/a", 200, "Content-Length: 5000"},
		{"bomb /a 5000", "/a", 200, "Content-Encoding: gzip"},
		{"heal /a", "/a", 200, "other text"},
		{"calendar /day/", "/day/7", 200, `<p>Day 7</p>
<ul>
<li><a href="/day/8">`},
		{"calendar /full/ Open", "/full/12", 200, "Open: one two"},
		{"repeat /deep", "/deep/more/", 200, `<a href="more/">`},
		{"sessions /deep/* sid", "/deep/", 200, `<a href="/?sid=`},
	} {
		if err := s.Script(test.line); err != nil {
			t.Errorf("%s: %v", test.line, err)
		}
		got := get(t, s.URL()+test.path)
		whole := got.body
		for name, values := range got.header {
			whole += "\n" + name + ": " + strings.Join(values, ", ")
		}
		if got.status != test.status || !strings.Contains(whole, test.text) {
			t.Errorf("%s: got %d %q", test.line, got.status, whole)
		}
	}
}

func TestScriptErrors(t *testing.T) {
	s := newSite(t)
	for line, want := range map[string]string{
		"":                   "no command",
		"dance /a":           `no command "dance"`,
		"set /a":             `the command is "set PATH TITLE|TEXT|LINKS|HEAD"`,
		"forget everything":  `the command is "forget"`,
		"sitemap maybe":      "neither on nor off",
		"edit /a x|y":        "no such page",
		"remove /a":          "no page at /a",
		"redirect /a /b old": `"old" is no number`,
		"series /a x y":      `"x" is no number`,
		"cut /a":             "the command is",
		"stand /a still":     `nothing is called "still"`,
		"release /a":         "nothing is held",
		"times 2 forget":     `no command "forget"`,
		"count /a 1":         "asked for 0 times",
	} {
		if err := s.Script(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", line, err, want)
		}
	}
}

// TestScriptDocumented holds the package comment to the commands.
func TestScriptDocumented(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Concat(pageCommands(), siteCommands(), lostCommands(), faultCommands()) {
		if !strings.Contains(string(text), "//\t"+c.usage) {
			t.Errorf("doc.go does not tell of %q", c.usage)
		}
	}
}

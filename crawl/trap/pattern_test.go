package trap

import (
	"regexp"
	"strings"
	"testing"

	"sitesync/internal/weburl"
)

func shapeAt(target string) (string, bool) {
	return shapeOf("http://a.test" + target)
}

// TestShape: what stands in the second column is the shape of every URL in the
// first; "" is one that no other URL has.
func TestShape(t *testing.T) {
	const params = `)(?:=[^&]*)?(?:&|$))+$`
	for _, c := range []struct{ urls, want string }{
		{"/ /about /a/b.html /a-b_c /%C3%B8 /a(b)", ""},
		{"/calendar/2024/01/15 /calendar/7/7/7", `^/calendar/\d+/\d+/\d+$`},
		{"/2024-01-15.html /1-2-3.html", `^/\d+-\d+-\d+\.html$`},
		{"/%C3%B82 /%C3%B877", `^/%C3%B8\d+$`},
		{"/x/550e8400-e29b-41d4-a716-446655440000/y /x/00000000-0000-0000-0000-00000000000a/y /x/d41d8cd98f00b204e9800998ecf8427e/y /x/dGhpcyBpcyBhIHRlc3Q0/y",
			`^/x/[\w-]+/y$`},
		{"/iPhone-12-Pro-Max-256GB", `^/iPhone-\d+-Pro-Max-\d+GB$`},
		{"/s?a=1&b=2 /s?b=x&a= /s?a&b /s?a=1&a=2&b=3", `^/s\?(?:(?:a|b` + params},
		{"/s?a=1&b=2&c=3 /s?d&e&f&g=4", `^/s\?(?:[^&]*&){2}`},
		{"/s?a[0]=1&a[1]=2 /s?a[7]=", `^/s\?(?:(?:a\[\d+\]` + params},
		{"/p/3?page=2 /p/4?page=9", `^/p/\d+\?(?:(?:page` + params},
		{"/a;jsessionid=0123456789abcdef /a;jsessionid=fedcba9876543210", `^/a;jsessionid=[\w-]+$`},
	} {
		for target := range strings.FieldsSeq(c.urls) {
			got, variable := shapeAt(target)
			if variable != (c.want != "") || variable && got != c.want {
				t.Errorf("%s: %s, want %s", target, got, c.want)
			}
			if !regexp.MustCompile(got).MatchString(target) {
				t.Errorf("%s does not match its shape %s", target, got)
			}
		}
	}
	for _, c := range []struct{ pattern, other string }{
		{"/page2", "/page2/x"}, {"/page2", "/x/page2"}, {"/s?a=1", "/s"}, {"/s?a=1", "/s?b=1"}, {"/s?a=1", "/s?aa=1"}, {"/a.b1", "/axb1"},
	} {
		if pattern, _ := shapeAt(c.pattern); regexp.MustCompile(pattern).MatchString(c.other) {
			t.Errorf("the shape %s of %s matches %s", pattern, c.pattern, c.other)
		}
	}
}

func TestRepeated(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"/", ""}, {"/a/a/b", ""}, {"/a/b/a/b/a/b", ""}, {"/a/b/a/c/a/b", ""}, {"/11/11/11/11", ""}, {"/1/2/1/2/1/2/1/", ""}, {"/a////b", ""},
		{"/aa/a/aaa/aaaa", ""}, {"/a/a/a/", ""},
		{"/a/a/a/a", `(?:/a(?:/[^?]*)?){3}/a(?:[/?]|$)`},
		{"/z/a/a/a/a/y", `(?:/a(?:/[^?]*)?){3}/a(?:[/?]|$)`},
		{"/p1/1/p1/1/p1/1/p1/", `(?:/p\d+(?:/[^?]*)?){3}/p\d+(?:[/?]|$)`},
		{"/a/x/a/y/a/z/a", `(?:/a(?:/[^?]*)?){3}/a(?:[/?]|$)`},
		{"/a/x/y/a/a/z/a/b", `(?:/a(?:/[^?]*)?){3}/a(?:[/?]|$)`},
		{strings.Repeat("/x", 255), `(?:/x(?:/[^?]*)?){3}/x(?:[/?]|$)`},
	} {
		got := repeated(c.path)
		if got != c.want || !regexp.MustCompile(got).MatchString(c.path) {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}

// FuzzTrapPatterns: every pattern in which a URL counts is a regular expression that
// matches it, and its shape is that of the URL with other digits.
func FuzzTrapPatterns(f *testing.F) {
	for _, seed := range []string{
		"/a/b1/c?x=1&y[2]=3", "/a/a/a", "/x/1/x/2/x/3/x", "/a;sid=0123456789abcdef0", "/?&&=1&=", "/a?b?c=1&d", "/(a|b)*[c]{2}^$\\.", "/%C3%B82?%5B1%5D=",
		"/550e8400-e29b-41d4-a716-446655440000", "/p//1//p", "/a?b=" + strings.Repeat("1", 100),
	} {
		f.Add(seed)
	}
	canon := weburl.NewCanonicalizer(nil)
	f.Fuzz(func(t *testing.T, target string) {
		url, err := canon.URL("http://a.test" + target)
		if err != nil || weburl.Origin(url) != "http://a.test" {
			return
		}
		for _, p := range patternsOf(url) {
			if p.kind == pair { // a pair is not a regular expression
				continue
			}
			if re, err := regexp.Compile(p.text); err != nil || !re.MatchString(weburl.Target(url)) {
				t.Errorf("%s: %s does not match (%v)", url, p.text, err)
			}
		}
		before, _ := shapeAt(weburl.Target(url))
		if after, _ := shapeAt(weburl.Target(turnDigits(url))); after != before {
			t.Errorf("%s: its shape is %s, with other digits %s", url, before, after)
		}
	})
}

var escapeOrDigit = regexp.MustCompile(`%[[:xdigit:]]{2}|\d`)

// turnDigits replaces each digit by the next one, except in escapes.
func turnDigits(url string) string {
	const origin = "http://a.test"
	return origin + escapeOrDigit.ReplaceAllStringFunc(url[len(origin):], func(found string) string {
		if found[0] == '%' {
			return found
		}
		return string('0' + (found[0]-'0'+1)%10)
	})
}

package weburl

import (
	"strings"
	"testing"
)

func TestScopeCheck(t *testing.T) {
	origins := []string{"https://a.example", "http://b.example:8080"}
	cases := []struct {
		include, exclude []string
		url              string
		ok               bool
		why              string
	}{
		{nil, nil, "http://b.example:8080/x?y=1", true, ""},
		{nil, nil, "http://a.example/", false, "other origin http://a.example"},
		{nil, nil, "https://a.example.evil/", false, "other origin https://a.example.evil"},
		{[]string{"/news/**"}, nil, "https://a.example/news/1/2", true, `site.include "/news/**"`},
		{[]string{"/news/**"}, nil, "https://a.example/news", true, `site.include "/news/**"`},
		{[]string{"/news/**"}, nil, "https://a.example/newsletter", false, "no site.include matches"},
		{[]string{"/news/**"}, nil, "https://a.example/News/1", false, "no site.include matches"},
		{[]string{"/a", "/b"}, nil, "https://a.example/b?x", true, `site.include "/b"`},
		{[]string{"/**"}, []string{"/private/**"}, "https://a.example/private/x", false, `site.exclude "/private/**"`},
		{nil, []string{"**/*.pdf"}, "https://a.example/a/b.pdf?dl=1", false, `site.exclude "**/*.pdf"`},
		{nil, []string{"/ø/**"}, "https://a.example/%C3%B8/c", false, `site.exclude "/ø/**"`},
		{nil, []string{"/a b"}, "https://a.example/a%20b", false, `site.exclude "/a b"`},
		{nil, []string{`re:[?&]sort=`}, "https://a.example/list?page=1&sort=up", false, `site.exclude "re:[?&]sort="`},
		{nil, []string{`re:^/\d+$`}, "https://a.example/123?x", true, ""},
	}
	for _, c := range cases {
		scope, err := NewScope(origins, c.include, c.exclude)
		if err != nil {
			t.Fatal(err)
		}
		if ok, why := scope.Check(c.url); ok != c.ok || why != c.why {
			t.Errorf("include %q exclude %q: Check(%s) = %v, %q; want %v, %q", c.include, c.exclude, c.url, ok, why, c.ok, c.why)
		}
	}
}

func TestScopeNamesAllFaults(t *testing.T) {
	_, err := NewScope([]string{"https://a.example"},
		[]string{"news/**", "re:(", "/fine"}, []string{"/[", "", "/[øå]"})
	if err == nil {
		t.Fatal("faulty patterns were taken")
	}
	for _, want := range []string{`site.include "news/**"`, `site.include "re:("`, `site.exclude "/["`, `site.exclude ""`, `site.exclude "/[øå]"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not name %s", err, want)
		}
	}
	if strings.Contains(err.Error(), "fine") || strings.Count(err.Error(), "\n") != 4 {
		t.Errorf("error %q names other than the five faults", err)
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, url string
		want         bool
	}{
		{"/news/**", "https://a.test/news/1?page=2", true},
		{"/news/*", "https://a.test/news/a/b", false},
		{"**/print", "https://a.test/x/y/print", true},
		{"/{a,b}", "https://a.test/b", true},
		{"/ø/*", "https://a.test/%C3%B8/x", true},
		{`re:\?page=\d+$`, "https://a.test/news?page=12", true},
		{`re:\?page=\d+$`, "https://a.test/news", false},
		{"re:a.test", "https://a.test/news", false}, // the host is no part of it
		{"/", "https://a.test/x", false},
	} {
		patterns, err := ReadPatterns("pattern", []string{"/never/**", c.pattern})
		if err != nil {
			t.Fatal(err)
		}
		if patterns.Match(c.url) != c.want {
			t.Errorf("%q matches %s: %v, want %v", c.pattern, c.url, !c.want, c.want)
		}
	}
	if patterns, err := ReadPatterns("pattern", nil); err != nil || patterns.Match("https://a.test/") {
		t.Errorf("no pattern: %v", err)
	}
	_, err := ReadPatterns("pattern", []string{"news", "/ok", "re:(", "/[a"})
	if err == nil {
		t.Fatal("malformed patterns are taken")
	}
	for _, pattern := range []string{`pattern "news"`, `pattern "re:("`, `pattern "/[a"`} {
		if !strings.Contains(err.Error(), pattern) {
			t.Errorf("error: %q does not hold %q", err, pattern)
		}
	}
}

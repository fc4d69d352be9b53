package site

import (
	"fmt"
	"strings"
	"testing"
)

// TestIncludes: origins, site.include and site.exclude say what belongs to the site, and by which rule.
func TestIncludes(t *testing.T) {
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
		s, err := New(Options{Start: []string{"https://a.example/", "http://b.example:8080/"}, Include: c.include, Exclude: c.exclude})
		if err != nil {
			t.Fatal(err)
		}
		if ok, why := s.Includes(c.url); ok != c.ok || why != c.why {
			t.Errorf("include %q exclude %q: Includes(%s) = %v, %q; want %v, %q", c.include, c.exclude, c.url, ok, why, c.ok, c.why)
		}
	}
}

// TestNewNamesAllFaults: each invalid address and pattern is named, and no other.
func TestNewNamesAllFaults(t *testing.T) {
	_, err := New(Options{
		Start:   []string{"https://a.example/", "https://u:p@b.example/", "mailto:x"},
		Include: []string{"news/**", "re:(", "/fine"}, Exclude: []string{"/[", "", "/[øå]"},
	})
	if err == nil {
		t.Fatal("faulty patterns were taken")
	}
	for _, want := range []string{"site.start: ", "user name", "mailto", `site.include "news/**"`, `site.include "re:("`, `site.exclude "/["`, `site.exclude ""`, `site.exclude "/[øå]"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not name %s", err, want)
		}
	}
	if strings.Contains(err.Error(), "fine") || strings.Count(err.Error(), "\n") != 6 {
		t.Errorf("error %q names other than the seven faults", err)
	}
}

// TestViaFaults: each mistake in site.via is named.
func TestViaFaults(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"no start origin": {Options{Via: map[string]string{"https://live.test": "https://stage.test"}}, "site.via: https://live.test is no origin of site.start, which has https://www.a.test"},
		"crawled itself":  {Options{Via: map[string]string{"https://www.a.test": "https://files.test/"}, FileHosts: []string{"files.test"}}, "take it out of site.start"},
		"for two":         {Options{Start: []string{"https://b.test/"}, Via: map[string]string{"https://www.a.test": "https://s.test", "https://b.test": "https://s.test"}}, "both https://b.test and https://www.a.test"},
		"no origin":       {Options{Via: map[string]string{"https://www.a.test": "stage"}}, "read origin"},
		"a folder":        {Options{Folder: "public", Via: map[string]string{"https://www.a.test": "https://s.test"}}, "remove one of the two"},
	} {
		c.o.Start = append(c.o.Start, "https://www.a.test/")
		_, err := New(c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFileHostNames: a name gives two origins, which are no start origins and not pinned.
func TestFileHostNames(t *testing.T) {
	s, err := New(Options{Start: []string{"https://www.town.test/"}, FileHosts: []string{"files.test", "cdn.test:8080", "www.town.test"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(s.Origins(), s.FileOrigins()),
		"[https://www.town.test] [http://cdn.test:8080 http://files.test https://cdn.test:8080 https://files.test]"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

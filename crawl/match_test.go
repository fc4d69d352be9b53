package crawl

import "testing"

func TestPathMatcher(t *testing.T) {
	for _, c := range []struct {
		pattern, url string
		want         bool
	}{
		{"/news/**", "https://a.test/news/1", true},
		{"/news/**", "https://a.test/news/1?page=2", true},
		{"/news/**", "https://a.test/newsroom", false},
		{"/news/*", "https://a.test/news/a/b", false},
		{"**/print", "https://a.test/x/y/print", true},
		{"/{a,b}", "https://a.test/b", true},
		{"/ø/*", "https://a.test/%C3%B8/x", true},
		{"/news", "https://a.test/news?x", true},
		{`re:\?page=\d+$`, "https://a.test/news?page=12", true},
		{`re:\?page=\d+$`, "https://a.test/news", false},
		{"re:a.test", "https://a.test/news", false}, // the host is no part of it
		{"/", "https://a.test/", true},
		{"/", "https://a.test/x", false},
	} {
		match, err := PathMatcher([]string{"/never/**", c.pattern})
		if err != nil {
			t.Fatal(err)
		}
		if match(c.url) != c.want {
			t.Errorf("%q matches %s: %v, want %v", c.pattern, c.url, !c.want, c.want)
		}
	}
	if match, err := PathMatcher(nil); err != nil || match("https://a.test/") {
		t.Errorf("no pattern: %v", err)
	}
	_, err := PathMatcher([]string{"news", "/ok", "re:(", "/[a"})
	if err == nil {
		t.Fatal("malformed patterns are taken")
	}
	for _, pattern := range []string{`pattern "news"`, `pattern "re:("`, `pattern "/[a"`} {
		holds(t, "error", err.Error(), pattern)
	}
}

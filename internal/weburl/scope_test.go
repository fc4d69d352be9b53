package weburl

import (
	"strings"
	"testing"
)

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

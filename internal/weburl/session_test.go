package weburl

import (
	"regexp"
	"testing"
)

func TestSessionParam(t *testing.T) {
	for _, c := range []struct{ target, want string }{
		{"/a?PHPSESSID=u7dk2l0q9v3m5n8b1c4x6z0a2s", "PHPSESSID"},
		{"/a?x=1&sid=0123456789abcdef&y=2", "sid"},
		{"/a;jsessionid=8A7C6E5D4F3B2A190817263544536271.node1?x=1", "jsessionid"},
		{"/a;jsessionid=8A7C6E5D4F3B2A190817263544536271!-123/b", "jsessionid"},
		{"/a?ASPSESSIONIDQQABCDEF=KJHGFDSA1POIUYTREWQLKMNB", "ASPSESSIONIDQQABCDEF"},
		{"/a?CFID=12345&CFTOKEN=87654321", "CFID"},
		{"/a?sid=12", ""}, {"/a?sid=news-and-other-things", ""}, {"/a?sid", ""}, {"/a?page=0123456789abcdef", ""}, {"/sid=0123456789abcdef", ""},
		{"/a?sid=0123456789/bcdef", ""},
	} {
		got, pattern := SessionParam(c.target)
		if got != c.want || pattern != "" && !regexp.MustCompile(pattern).MatchString(c.target) {
			t.Errorf("%s: %q %s, want %q", c.target, got, pattern, c.want)
		}
	}
}

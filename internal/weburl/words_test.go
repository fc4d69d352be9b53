package weburl

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	got := ""
	for word := range Words("Über-uns: 4f5e, page_2 (DEADBEEF)…") {
		got += " " + word
	}
	if got != " über uns 4f5e page 2 deadbeef" {
		t.Errorf("%q", got)
	}
	for word, want := range map[string]bool{"facade": false, "deadbeef": true, "deadbeeg": false, "a1": true, "٣": true, "council": false} {
		if Varies(word) != want {
			t.Errorf("%q varies: %t", word, !want)
		}
	}
}

// TestOwnWords: words of path and query count, decoded where they can be.
func TestOwnWords(t *testing.T) {
	for url, want := range map[string]string{
		"https://a.test/":                             "",
		"https://a.test/%C3%BCber-uns/?q=da":          "da q uns über",
		"https://a.test/100%/News":                    "100 news",
		"https://news.test/a/bc/def?next=/ghi/a%20jk": "a bc def ghi jk next",
	} {
		if got := strings.Join(slices.Sorted(maps.Keys(OwnWords(url, 1))), " "); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	if got := OwnWords("https://a.test/a/bc/def", 3); len(got) != 1 || !got["def"] {
		t.Errorf("words of three bytes: %v", got)
	}
}

func TestRequestOriginIsTheConfiguredOne(t *testing.T) {
	for configured, request := range map[string]string{
		"https://WWW.example.com:443/x": "https://www.example.com/y",
		"http://www.example.com":        "http://www.example.com:80/",
		"http://bücher.example:8080":    "http://xn--bcher-kva.example:8080/",
		"http://[::1]":                  "http://[::1]:80/",
	} {
		u, err := url.Parse(request)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ConfiguredOrigin(configured); err != nil || got != RequestOrigin(u) {
			t.Errorf("%s is %q (%v), %s is %q", configured, got, err, request, RequestOrigin(u))
		}
	}
}

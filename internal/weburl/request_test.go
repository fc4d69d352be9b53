package weburl

import (
	"net/url"
	"testing"
)

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

func TestFirstFolder(t *testing.T) {
	for url, want := range map[string]string{
		"https://a.test/": "", "https://a.test/x": "", "https://a.test/x?y=/z/": "", "https://a.test//x/": "",
		"https://a.test/x/": "https://a.test/x/", "https://a.test/x/y/z": "https://a.test/x/", "https://a.test:8/x/y?z": "https://a.test:8/x/",
	} {
		if got := FirstFolder(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

package crawl

import (
	"fmt"
	"testing"

	"sitesync/internal/testsite"
)

func TestCheck(t *testing.T) {
	r := newRig(t, `
		robots "User-agent: *\nDisallow: /private\nSitemap: /map.xml\nSitemap: /other.xml"
		set / Home|Welcome
		redirect /moved /
		status /broken 500
	`)
	down := newRig(t, "status /robots.txt 503")
	r.Set("/map.xml", testsite.Page{Body: r.urls("/", "/a", "https://elsewhere.test/")})
	r.opts.Start = []string{r.url("/"), r.url("/moved"), r.url("/private"), r.url("/broken"), r.url("/none"), down.url("/")}
	findings, err := r.crawler().Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%t %s: %s", f.OK, f.Subject, f.Text))
	}
	same(t, "findings", got,
		"true "+r.url("/robots.txt")+": read, or absent: no rules",
		"false "+down.url("/robots.txt")+": robots.txt answered 503; the host is not crawled until it can be read",
		"true "+r.origin+" sitemaps: 2 URLs",
		"false "+r.url("/other.xml")+": HTTP status 404",
		"true "+r.url("/")+": read, HTTP status 200",
		"true "+r.url("/moved")+": read, HTTP status 200",
		"false "+r.url("/private")+": not asked: robots.txt: Disallow: /private",
		"false "+r.url("/broken")+": unread, HTTP status 500 Internal Server Error",
		"false "+r.url("/none")+": missing, HTTP status 404",
		"false "+down.url("/")+": not asked: robots.txt: answered 503",
	)
}

package crawl

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// said returns what a check of the rig's site says, one line a finding.
func (r *rig) said(c *Crawler) []string {
	r.t.Helper()
	findings, err := c.Check(r.t.Context(), func(p *document.Page) (string, string) {
		if textOf(p) == "" {
			return "nothing", "render it"
		}
		return textOf(p), ""
	})
	if err != nil {
		r.t.Fatal(err)
	}
	var got []string
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%t %s %s: %s -> %s", f.OK, f.Subject, f.Of, f.Text, f.Next))
	}
	return got
}

func TestCheck(t *testing.T) {
	r := newRig(t, `
		robots "User-agent: *\nDisallow: /private\nCrawl-delay: 0.001\nSitemap: /map.xml\nSitemap: /other.xml\nSitemap: /theirs.xml"
		set / Home|Welcome
		redirect /moved /
		redirect /away https://elsewhere.test/a
		redirect /loop /loop
		status /broken 500
		status /secret 401
		set /noindex No|Text||<meta name=robots content=noindex>
		set /hub Hub|Hub
		raw /shell "<body></body>"
		set /copy Copy|Copy||<link rel=canonical href=https://elsewhere.test/copy>
	`)
	down := newRig(t, "status /robots.txt 503")
	plain := newRig(t, "set / Plain|Plain")
	r.Set("/map.xml", testsite.Page{Body: r.urls("/", "/a", "/excluded", "https://elsewhere.test/")})
	r.Set("/theirs.xml", testsite.Page{Body: r.urls("https://elsewhere.test/", "https://elsewhere.test/a")})
	r.opts.Exclude = []string{"/excluded"}
	r.opts.FollowOnly = []string{"/hub"}
	r.opts.Start = nil
	for _, path := range []string{"/", "/moved", "/away", "/loop", "/private", "/broken", "/secret", "/noindex", "/hub", "/shell", "/copy", "/none", "/excluded"} {
		r.opts.Start = append(r.opts.Start, r.url(path))
	}
	r.opts.Start = append(r.opts.Start, down.url("/"), plain.url("/"))
	page := func(path, text string) string { return "start page " + r.url(path) + ": " + text }
	same(t, "findings", r.said(r.crawler()),
		"true DNS "+r.origin+": 127.0.0.1 -> ",
		"true robots.txt "+r.origin+": read; 1 rule for sitesync, crawl-delay 1ms, 3 sitemaps named -> ",
		"true sitemap "+r.url("/map.xml")+": 4 URLs, 1 out of scope, 1 on other hosts -> ",
		"false sitemap "+r.url("/theirs.xml")+`: 2 URLs, 2 on other hosts -> none of it is of this site: should it be site.start = ["https://elsewhere.test/"]?`,
		"false sitemap "+r.url("/other.xml")+": HTTP status 404 -> repair the file, or take it out of robots.txt or site.sitemaps",
		"true sitemaps "+r.origin+": in all 6 URLs, 1 out of scope, 3 on other hosts -> ",
		"true "+page("/", "Welcome -> "),
		"true "+page("/moved", "redirects; Welcome -> name "+r.url("/")+" in site.start"),
		"false "+page("/away", `redirects; out of scope: other origin https://elsewhere.test -> should it be site.start = ["https://elsewhere.test/"]?`),
		"false "+page("/loop", "redirects; its redirects don't end -> name in site.start where they should lead"),
		"false "+page("/private", "not asked: robots.txt: Disallow: /private -> let robots.txt allow sitesync, or name another page in site.start"),
		"false "+page("/broken", "unread: HTTP status 500 Internal Server Error -> name in site.start a page that answers with status 200"),
		"false "+page("/secret", "unread: HTTP status 401 Unauthorized: the page asks for a user and a password -> give the host's password or headers under [[fetch.auth]]"),
		"false "+page("/noindex", "noindex: meta robots: noindex -> take the directive away, or name another page in site.start"),
		"true "+page("/hub", `followed, not indexed: site.follow_only "/hub" -> `),
		"true "+page("/shell", "nothing -> render it"),
		"true "+page("/copy", "Copy -> it calls https://elsewhere.test/copy its canonical address: should site.start name that?"),
		"false "+page("/none", "missing: HTTP status 404 -> name in site.start a page that answers with status 200"),
		"false "+page("/excluded", `out of scope: site.exclude "/excluded" -> name another page in site.start, or change the rule`),
		"true DNS "+down.origin+": 127.0.0.1 -> ",
		"false robots.txt "+down.origin+": robots.txt answered 503 -> the host is not crawled until it can be read: let the server send it, or answer 404 if the site has no robots.txt",
		"true DNS "+plain.origin+": 127.0.0.1 -> ",
		"true robots.txt "+plain.origin+": none (HTTP status 404): everything may be crawled -> ",
		"true sitemap "+plain.origin+": none: robots.txt names none, and /sitemap.xml is not there; pages are found by their links -> ",
		"true start page "+plain.url("/")+": Plain -> ",
	)
	if n := r.Count("/robots.txt"); n != 1 {
		t.Errorf("%d requests for robots.txt", n)
	}
}

// A name is looked up and each of its addresses judged before anything is asked.
func TestCheckNames(t *testing.T) {
	r := newRig(t, "")
	r.opts.Start = []string{"http://mixed.test/", "http://private.test/", "http://nowhere.test/"}
	r.opts.Timeout = time.Minute
	names := guardNames{"mixed.test": {{"93.184.216.34", "10.0.0.1"}}, "private.test": {{"10.0.0.1"}}}
	c := r.crawler()
	c.guard.Resolver = names
	c.guard.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, net.ErrClosed }
	got := r.said(c)
	for i, want := range []string{
		"true DNS http://mixed.test: 93.184.216.34, 10.0.0.1 is a private network",
		"false robots.txt http://mixed.test: robots.txt can't be read: ",
		"false DNS http://private.test: 10.0.0.1 is a private network",
		"false DNS http://nowhere.test: the name nowhere.test has no address (DNS) -> is it spelt",
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
	if !strings.Contains(got[2], `under [fetch]: networks = ["10.0.0.1/32"]`) || len(got) != 4 {
		t.Errorf("%q", got)
	}
	r.opts.Proxy, r.opts.Start = "http://127.0.0.1:1", []string{"http://nowhere.test/"}
	c = r.crawler()
	c.guard.Resolver = guardNames{}
	if got := r.said(c); !strings.HasPrefix(got[0], "true DNS http://nowhere.test: not looked up: requests go through http://127.0.0.1:1 (fetch.proxy)") {
		t.Errorf("through a proxy: %q", got)
	}
}

func TestCheckCertificate(t *testing.T) {
	for _, k := range []struct {
		days    int
		host    string
		trusted bool
		want    string // of the line on TLS
	}{
		{40, "127.0.0.1", true, `true TLS X: TLS 1.3, issued by "testsite.invalid", valid for 39 more days, until `},
		{10, "localhost", true, `true TLS X: TLS 1.3, issued by "testsite.invalid", valid for 9 more days, until `},
		{-1, "127.0.0.1", true, "false TLS X: the certificate of \"CN=testsite.invalid\""},
		{40, "127.0.0.1", false, "false TLS X: the certificate of \"CN=testsite.invalid\""},
		{40, "127.0.0.2", true, "false TLS X: the certificate of \"CN=testsite.invalid\""},
	} {
		r := newRig(t, "")
		site := testsite.NewTLS(time.Now().AddDate(0, 0, k.days))
		t.Cleanup(site.Close)
		site.HTML("/", "Home", "Welcome")
		_, port, _ := net.SplitHostPort(strings.TrimPrefix(site.URL(), "https://"))
		origin := "https://" + net.JoinHostPort(k.host, port)
		r.opts.Start = []string{origin + "/"}
		if k.trusted {
			r.opts.CAFile = filepath.Join(t.TempDir(), "authority.pem")
			if err := os.WriteFile(r.opts.CAFile, site.Authority(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c := r.crawler()
		c.guard.Resolver = guardNames{"localhost": {{"127.0.0.1"}}}
		real := c.guard.Dial
		c.guard.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return real(ctx, network, net.JoinHostPort("127.0.0.1", port))
		}
		got := r.said(c)
		if want := strings.Replace(k.want, "X", origin, 1); len(got) < 2 || !strings.HasPrefix(got[1], want) {
			t.Errorf("%+v: %q", k, got)
			continue
		}
		next := map[bool]string{true: "-> let the server renew", false: "-> "}[k.days < 14]
		if !strings.Contains(got[1], next) || (k.days >= 14 && strings.HasPrefix(k.want, "true")) != strings.HasSuffix(got[1], "-> ") {
			t.Errorf("%+v: %q", k, got[1])
		}
		if strings.HasPrefix(k.want, "false") && len(got) != 2 {
			t.Errorf("%+v: a fault of the certificate is told more than once: %q", k, got)
		}
	}
}

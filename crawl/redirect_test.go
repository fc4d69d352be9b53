package crawl

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"sitesync/crawl/site"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/testsite"
)

// TestRedirectsToPrivateAddresses: a public site leads pages, robots.txt and sitemaps
// into a private network. Nothing there is dialled, and the owner is told.
func TestRedirectsToPrivateAddresses(t *testing.T) {
	names := guardNames{"www.test": {{"93.184.216.34"}}, "intra.test": {{"10.0.0.1"}}}
	for name, test := range map[string]struct {
		script string
		text   string // in a page's, host's or warning's words
	}{
		"page": {"redirect / http://intra.test/",
			`intra.test resolves to 10.0.0.1, a private network, RFC 1918: not connected; to allow it write under [fetch]: networks = ["10.0.0.1/32"]`},
		"robots.txt": {"redirect /robots.txt http://intra.test/robots.txt?a=b",
			"robots.txt can't be read: redirected to http://intra.test/robots.txt: intra.test resolves to 10.0.0.1, a private network"},
		"robots.txt, spelt oddly": {"redirect /robots.txt http://[::ffff:a00:1]/",
			"robots.txt can't be read: redirected to http://[::ffff:a00:1]/: ::ffff:a00:1 resolves to 10.0.0.1, a private network"},
		"sitemap": {"redirect /sitemap.xml http://169.254.169.254/latest\nrobots Sitemap: /sitemap.xml",
			"http://www.test/sitemap.xml: redirected to http://169.254.169.254/latest: 169.254.169.254 is link-local"},
		"sitemap that robots.txt names": {"robots Sitemap: http://127.0.0.1/sitemap.xml",
			"http://127.0.0.1/sitemap.xml: 127.0.0.1 is loopback: not connected; to crawl this machine write under [site]: start = [\"http://127.0.0.1:80/\"]"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "set / Home|Welcome\n"+test.script)
			r.opts.Start = []string{"http://www.test/", "http://intra.test/"}
			guard, err := transport.NewGuard(r.opts.Start, nil)
			if err != nil {
				t.Fatal(err)
			}
			guard.Resolver = names
			var mu sync.Mutex
			var dialled []string
			guard.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				mu.Lock()
				defer mu.Unlock()
				dialled = append(dialled, address)
				return new(net.Dialer).DialContext(ctx, network, strings.TrimPrefix(r.origin, "http://"))
			}
			r.transport = transport.New(transport.Options{Guard: guard})
			r.opts.IgnoreRobots = name == "page" // else intra.test is asked for its robots.txt alone
			n := r.run()
			var said strings.Builder
			for _, p := range n.pages {
				fmt.Fprintln(&said, p.URL+":", p.Why)
			}
			for _, h := range n.survey.Hosts {
				fmt.Fprintln(&said, h.Reason)
			}
			for _, w := range n.survey.Warnings {
				fmt.Fprintln(&said, w.URL+":", w.Text)
			}
			holds(t, "what is said", said.String(), test.text)
			if slices.ContainsFunc(dialled, func(a string) bool { return a != "93.184.216.34:80" }) || len(dialled) == 0 {
				t.Errorf("dialled %v", dialled)
			}
		})
	}
}

// TestPrivateNetworkIsOpenAtNamedPorts: in a private network that is open, robots.txt,
// sitemaps and pages lead to no port but those that the configuration names.
func TestPrivateNetworkIsOpenAtNamedPorts(t *testing.T) {
	const (
		site = `
			robots "User-agent: *\nSitemap: http://intra.test:8080/sitemap.xml\nSitemap: http://intra.test:9090/other.xml"
			set / Home|Welcome|http://files.test/a.pdf http://intra.test:9090/page
			redirect /sitemap.xml http://intra.test:9090/map.xml
			raw /a.pdf %PDF-1.7
			raw /map.xml <urlset/>
			raw /other.xml <urlset/>`
		moved = "redirect /robots.txt http://intra.test:9090/rules\nraw /rules User-agent:*\nset / Home|Welcome"
		own   = "10.0.0.1:8080"
		files = "10.0.0.2:80"
	)
	for name, test := range map[string]struct {
		script  string
		port    int
		dialled []string
		text    string // of a warning or the host
	}{
		"sitemaps":             {site, 0, []string{own, files}, `other.xml: intra.test resolves to 10.0.0.1, a private network, RFC 1918: not connected; to allow it write under [fetch]: networks = ["10.0.0.1:9090"]`},
		"a sitemap redirects":  {site, 0, []string{own, files}, "sitemap.xml: redirected to http://intra.test:9090/map.xml: intra.test resolves to 10.0.0.1"},
		"robots.txt redirects": {moved, 0, []string{own}, "robots.txt can't be read: redirected to http://intra.test:9090/rules: intra.test resolves to 10.0.0.1"},
		"its port is open":     {moved, 9090, []string{own, "10.0.0.1:9090"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, test.script)
			r.opts.Start, r.opts.FileHosts = []string{"http://intra.test:8080/"}, []string{"files.test"}
			r.opts.Networks = []transport.Network{{Prefix: netip.MustParsePrefix("10.0.0.0/8"), Port: test.port}}
			c := r.crawler()
			c.guard.Resolver = guardNames{"intra.test": {{"10.0.0.1"}}, "files.test": {{"10.0.0.2"}}}
			var mu sync.Mutex
			dialled := map[string]bool{}
			c.guard.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				mu.Lock()
				defer mu.Unlock()
				dialled[address] = true
				return new(net.Dialer).DialContext(ctx, network, strings.TrimPrefix(r.origin, "http://"))
			}
			r.transport = c.client.transport
			n := r.run()
			same(t, "dialled", slices.Sorted(maps.Keys(dialled)), test.dialled...)
			said := n.host().Reason
			for _, w := range n.survey.Warnings {
				said += "\n" + w.URL + ": " + w.Text
			}
			holds(t, "what is said", said, test.text)
			if got, want := n.host().State == document.HostOK, !strings.Contains(test.text, "robots.txt"); got != want {
				t.Errorf("the host is ok: %v, %s", got, said)
			}
		})
	}
}

// TestRedirectsCarryNothingAcross: where robots.txt and a sitemap redirect to another
// host, that gets no credential, header or cookie of the first.
func TestRedirectsCarryNothingAcross(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]http.Header{}
	var away string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.Host+r.URL.Path] = r.Header.Clone()
		mu.Unlock()
		if strings.HasPrefix(r.Host, "127.") && r.URL.Path != "/" {
			http.Redirect(w, r, away+r.URL.Path, http.StatusFound)
		}
	}))
	defer server.Close()
	own := server.Listener.Addr().String()
	other := strings.Replace(own, "127.0.0.1", "localhost", 1)
	away = "http://" + other
	cookies := filepath.Join(t.TempDir(), "cookies.txt")
	if err := os.WriteFile(cookies, []byte("127.0.0.1\tTRUE\t/\tFALSE\t0\tsession\tc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := New(Options{
		Options: site.Options{Start: []string{server.URL, away}}, AutoSitemaps: true, UserAgent: "sitesync/1", Cookies: cookies,
		Work: t.TempDir(), Table: spool.NewTable(), Group: &spool.Group{},
		Credentials: []transport.Credential{{Origin: server.URL, User: "u", Password: "p", Headers: map[string]document.Secret{"X-Token": "t"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Run(t.Context(), &night{rig: &rig{}}, noSink{}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/robots.txt", "/sitemap.xml", "/"} {
		if h := seen[own+path]; h.Get("Authorization") != "Basic dTpw" || h.Get("X-Token") != "t" || h.Get("Cookie") != "session=c" {
			t.Errorf("%s: the first host got %v", path, h)
		}
		if h := seen[other+path]; h == nil || h.Get("Authorization") != "" || h.Get("X-Token") != "" || h.Get("Cookie") != "" {
			t.Errorf("%s: the other host got %v", path, h)
		}
	}
}

// noSink takes pages and keeps none.
type noSink struct{}

func (noSink) Page(context.Context, *document.Page) error { return nil }

// TestRedirectIntoASession: a server that redirects each page to itself, with a session in
// the address, is read as one without. A loop stays a loop, and robots.txt is obeyed.
func TestRedirectIntoASession(t *testing.T) {
	for name, c := range map[string]struct {
		robots, form, page string
		seen               document.Seen
	}{
		"ASP.NET":               {"", "/(S(lit3py55t21z5v55vlm25s55))%p", "/a", document.Read},
		"a parameter":           {"", "%p;jsessionid=8A7C6E5D4F3B2A190817263544536271", "/a", document.Read},
		"a session that ended":  {"", "/sid-8A7C6E5D4F3B2A19%p", "/sid-0A7C6E5D4F3B2A19/a", document.Read},
		"to itself":             {"", "%p", "/a", document.Elsewhere},
		"robots.txt forbids it": {"User-agent: *\nDisallow: /(S", "/(S(lit3py55t21z5v55vlm25s55))%p", "/a", document.Elsewhere},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "set / Home|Welcome\nset /a A|Ants")
			r.HTML("/", "Home", "<p>Welcome", c.page)
			r.Robots(c.robots)
			if c.form != "%p" {
				r.Visit(c.form)
			}
			r.Fault(c.page, func(_ *http.Request, a *testsite.Answer) {
				a.Status, a.Body = http.StatusFound, nil
				a.Header.Set("Location", strings.Replace(c.form, "%p", "/a", 1))
			})
			r.Heal("*") // links stay as they are
			n := r.run()
			p := n.pages[c.page]
			if p.Seen != c.seen || p.Seen == document.Read && !strings.Contains(n.texts[c.page], "Ants") {
				t.Errorf("%s is %s, %s: %q", c.page, p.Seen, p.Why, n.texts[c.page])
			}
			if r.Count(c.page) > 1 && c.form != "%p" {
				t.Errorf("asked %d times", r.Count(c.page))
			}
		})
	}
}

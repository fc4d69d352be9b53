package crawl

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"sitesync/crawl/scout"
	"sitesync/internal/document"
	"sitesync/internal/testsite"
	"sitesync/internal/weburl"
)

// counted writes what was counted in one line.
func counted(list []scout.Counted) string {
	var all []string
	for _, c := range list {
		all = append(all, fmt.Sprintf("%s=%d", c.Text, c.N))
	}
	return strings.Join(all, " ")
}

// A sample has pages of every section, thirty at most, and no page twice.
func TestExploreSpreads(t *testing.T) {
	r := newRig(t, `robots "User-agent: *\nDisallow: /private\n"
		sitemap on
		set / Home|Welcome|/small/1 /private/x /logo.png
		set /small/1 Small|One
		set /private/x Private|x
		set /moved/1 Moved|x
		redirect /moved/1 /`)
	for i := range 200 {
		r.HTML(fmt.Sprintf("/large/%d?page=%d", i, i), "Large", "Text")
	}
	for i := range 20 {
		r.HTML(fmt.Sprintf("/medium/%d", i), "Medium", "Text")
	}
	r.Set("/large/doc.pdf", testsite.Page{Body: "%PDF-1.4"})
	asked := map[string]int{}
	pages := 0
	found, err := r.crawler().Explore(t.Context(), func(p *document.Page) {
		folder, _, _ := strings.Cut(weburl.Target(p.URL)[1:], "/")
		asked[folder]++
		pages++
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages > scout.MaxSample || pages != found.Sampled || asked["medium"] < 12 || asked["large"] < 12 || asked["small"] != 1 || asked["private"] != 0 || asked[""] != 1 {
		t.Errorf("%d pages, %d counted: %v", pages, found.Sampled, asked)
	}
	if got, want := counted(found.Sections), "/large/=201 /medium/=20 /private/=1 /small/=1"; got != want {
		t.Errorf("sections %s, want %s", got, want)
	}
	if got := counted(found.Params); got != "page=200" || !found.Named || found.Listed != 224 || len(found.Sitemaps) != 1 {
		t.Errorf("parameters %s, %+v", got, found)
	}
	seen := map[string]bool{}
	for _, uri := range r.asked() {
		if seen[uri] && uri != "/" {
			t.Errorf("%s was asked for twice", uri)
		}
		seen[uri] = true
	}
}

// Long pauses make the sample small, and a site that breaks ends it.
func TestExploreIsPolite(t *testing.T) {
	for delay, want := range map[time.Duration]int{0: 30, time.Millisecond: 30, 5 * time.Second: 13, time.Minute: 2, time.Hour: 1} {
		if got := scout.SampleSize(delay); got != want {
			t.Errorf("with pauses of %s: %d pages, want %d", delay, got, want)
		}
	}
	broken := newRig(t, "set / Home|Welcome|/a /b /c /d /e /f /g /h")
	for _, path := range []string{"/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h"} {
		broken.script("status " + path + " 500")
	}
	found, err := broken.crawler().Explore(t.Context(), func(*document.Page) {})
	failed := 0
	for _, path := range broken.asked() {
		if len(path) == 2 {
			failed++
		}
	}
	if err != nil || found.Sampled != 1 || failed != exploreFaults {
		t.Errorf("%v, %d pages, %d failures", err, found.Sampled, failed)
	}
}

func TestExploreInterrupted(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/a\nhold /a")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_ = r.Await(ctx, "/a", 1)
		cancel()
	}()
	if _, err := r.crawler().Explore(ctx, func(*document.Page) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// http redirects to https, the bare name to www: that is the site. The guard judges
// where a redirect leads by the address that was given.
func TestExploreFollowsTheSite(t *testing.T) {
	site := testsite.NewTLS(time.Now().AddDate(0, 0, 30))
	t.Cleanup(site.Close)
	site.HTML("/", "Home", "Welcome", "/a")
	site.HTML("/a", "A", "About")
	r := newRig(t, "redirect / https://www.town.test/\nredirect /inside http://inside.test/\nredirect /here http://127.0.0.1:9/")
	addr := strings.TrimPrefix(site.URL(), "https://")
	explore := func(path string) (*scout.Exploration, error) {
		r.opts.Start = []string{"http://town.test" + path}
		c := r.crawler()
		c.guard.Resolver = guardNames{"town.test": {{"93.184.216.34"}}, "www.town.test": {{"93.184.216.35"}}, "inside.test": {{"10.0.0.1"}}}
		c.guard.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			to := map[string]string{"93.184.216.34:80": strings.TrimPrefix(r.origin, "http://"), "93.184.216.35:443": addr}[address]
			return new(net.Dialer).DialContext(ctx, network, to)
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(site.Authority())
		certain := &http.Transport{DialContext: c.guard.DialContext, TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "localhost"}}
		t.Cleanup(certain.CloseIdleConnections)
		c.transport = certain
		return c.Explore(t.Context(), func(*document.Page) {})
	}
	found, err := explore("/")
	if err != nil || found.Start != "https://www.town.test/" || found.Asked != "http://town.test/" || found.Sampled != 2 {
		t.Errorf("%+v, %v", found, err)
	}
	for path, want := range map[string]string{"/inside": "10.0.0.1", "/here": "loopback"} {
		if _, err := explore(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "not connected") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

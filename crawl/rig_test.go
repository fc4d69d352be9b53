package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/html"

	"sitesync/crawl/site"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/testsite"
)

// rig is a site on loopback, a crawler's settings, and what earlier runs know of
// the site.
type rig struct {
	*testsite.Site
	t      *testing.T
	origin string
	opts   Options                        // Work, Table and Group are each night's own
	known  map[string]document.Known      // by path; whole URLs stand for themselves
	hosts  map[string]document.HostMemory // by origin
	hook   func(n *night, p *document.Page) error
	net    map[string]*testsite.Site // by host name, at port 80; nil: the rig's site alone
	limit  int                       // those that are not 0

	transport http.RoundTripper // nil: the crawler's own
}

// newRig returns a rig for a site that the lines of a site script build.
func newRig(t *testing.T, script string) *rig {
	t.Helper()
	served := testsite.New()
	t.Cleanup(served.Close)
	r := &rig{Site: served, t: t, origin: served.URL(), known: map[string]document.Known{}, hosts: map[string]document.HostMemory{}}
	r.opts = Options{
		Options:      site.Options{Start: []string{r.origin + "/"}},
		AutoSitemaps: true, Links: true, UserAgent: "sitesync/1", Concurrency: 4,
		Timeout: 10 * time.Minute, MaxWait: 10 * time.Minute, MaxBody: 1 << 20, MaxFile: 2 << 20,
	}
	r.script(script)
	return r
}

func (r *rig) script(script string) {
	r.t.Helper()
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := r.Site.Script(line); err != nil {
			r.t.Fatal(err)
		}
	}
}

// guardNames answers look-ups from a table.
type guardNames map[string][][]string

func (n guardNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if len(n[host]) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, s := range n[host][0] {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	return addrs, nil
}

// night is one run: the ledger that it asks, and all that it hands over.
type night struct {
	rig    *rig
	survey document.Survey
	table  *spool.Table
	group  *spool.Group
	work   string

	mu        sync.Mutex
	sightings *spool.Log
	pages     map[string]document.Page // by path
	left      map[string]document.Page // no documents: left out, and other hosts
	texts     map[string]string        // what they say
}

// run crawls the site from the beginning. It must come to its end.
func (r *rig) run() *night {
	r.t.Helper()
	n, err := r.try(r.t.Context(), r.t.TempDir())
	if err != nil {
		r.t.Fatal(err)
	}
	return n
}

// try crawls in a work folder, which an earlier run may have left: what that handed
// over is marked as internal/plan does.
func (r *rig) try(ctx context.Context, work string) (*night, error) {
	r.t.Helper()
	log, err := spool.OpenLog(filepath.Join(work, "sightings.log"))
	if err != nil {
		r.t.Fatal(err)
	}
	n := &night{
		rig: r, table: spool.NewTable(), group: &spool.Group{}, work: work,
		sightings: log, pages: map[string]document.Page{}, left: map[string]document.Page{}, texts: map[string]string{},
	}
	n.group.Add(log, false)
	for _, url := range log.All() {
		n.table.Mark(spool.Fingerprint(string(url)), spool.Sighted|spool.Queued)
	}
	o := r.opts
	o.Work, o.Table, o.Group = work, n.table, n.group
	crawler, err := New(o)
	if err != nil {
		r.t.Fatal(err)
	}
	if r.net != nil {
		r.reroute(crawler)
	}
	if r.transport != nil {
		crawler.client.transport = r.transport
	}
	crawler.trapLimit = r.limit
	n.survey, err = crawler.Run(ctx, n, n)
	if err := errors.Join(crawler.Close(), log.Close()); err != nil {
		r.t.Fatal(err)
	}
	return n, err
}

// Known visits what the rig says is known, as the ledger does.
func (n *night) Known(visit func(string, document.Known) error) error {
	urls := map[string]document.Known{}
	for path, known := range n.rig.known {
		urls[n.rig.url(path)] = known
	}
	for _, url := range slices.Sorted(maps.Keys(urls)) {
		n.table.Mark(spool.Fingerprint(url), spool.Known)
		if err := visit(url, urls[url]); err != nil {
			return err
		}
	}
	return nil
}

func (n *night) Lookup(url string) (document.Known, error) {
	return cmp.Or(n.rig.known[url], n.rig.known[n.path(url)]), nil
}

func (n *night) Host(origin string) (document.HostMemory, error) { return n.rig.hosts[origin], nil }

// Page keeps the page, apart where it is only told of; its URL is on disk with the next flush,
// as a sighting is.
func (n *night) Page(_ context.Context, p *document.Page) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	path := n.path(p.URL)
	if p.Seen == document.LeftOut || p.Seen == document.OtherHost {
		n.left[path] = *p
		return nil
	}
	if _, twice := n.pages[path]; twice {
		n.rig.t.Errorf("%s was handed over twice", path)
	}
	if n.rig.hook != nil {
		if err := n.rig.hook(n, p); err != nil {
			return err
		}
	}
	kept := *p
	kept.Root, kept.Body = nil, nil
	n.pages[path], n.texts[path] = kept, textOf(p)
	n.sightings.Append([]byte(p.URL))
	return nil
}

// textOf returns the first paragraph of a page, or what a file holds.
func textOf(p *document.Page) string {
	if p.Root != nil {
		for node := range p.Root.Descendants() {
			if node.Data == "p" && node.FirstChild != nil && node.FirstChild.Type == html.TextNode {
				return node.FirstChild.Data
			}
		}
	}
	return string(p.Body)
}

// reroute makes the names of the rig's net public addresses, which lead to its sites.
func (r *rig) reroute(c *Crawler) {
	guard, err := transport.NewGuard(r.opts.Start, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	names, sites := guardNames{}, map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(r.net)) {
		public := fmt.Sprint("93.184.216.", i+1)
		names[name] = [][]string{{public}}
		sites[public+":80"] = strings.TrimPrefix(r.net[name].URL(), "http://")
	}
	guard.Resolver = names
	guard.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if sites[address] == "" {
			return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
		}
		return new(net.Dialer).DialContext(ctx, network, sites[address])
	}
	c.client.transport = transport.New(transport.Options{Guard: guard, Via: c.site.Via, Timeout: r.opts.Timeout, Credentials: r.opts.Credentials, Concurrency: r.opts.Concurrency})
}

func (r *rig) url(path string) string {
	if strings.HasPrefix(path, "/") {
		return r.origin + path
	}
	return path
}

func (n *night) path(url string) string { return strings.TrimPrefix(url, n.rig.origin) }

// remember makes what a night handed over the knowledge of the next, as a ledger
// would whose every document was acknowledged. All hints may be used.
func (r *rig) remember(n *night) {
	for path, p := range n.pages {
		r.known[path] = document.Known{Hints: p.Hints, Ask: true, Skip: true, Document: p.Seen == document.Read || p.Seen == document.Kept, First: p.First}
	}
	for _, h := range n.survey.Hosts {
		memory := document.HostMemory{Sitemap: h.Sitemap, Folded: h.Folded, Repeats: h.Repeats}
		if h.Covered {
			memory.Followed = h.Followed
		}
		r.hosts[h.Host] = memory
	}
}

// host returns what the night found of the first host.
func (n *night) host() document.Host { return n.survey.Hosts[0] }

// seen lists the pages as "PATH SEEN", and where those lead that lead somewhere.
func (n *night) seen() []string {
	var lines []string
	for path, p := range n.pages {
		line := path + " " + string(p.Seen)
		if p.Target != "" || p.Canonical != "" {
			line += " " + n.path(p.Target+p.Canonical)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// whole lists all that is said of each page.
func (n *night) whole() []string {
	var lines []string
	for path, p := range n.pages {
		p.Header, p.File, p.Known.Hints = nil, nil, document.Hints{}
		lines = append(lines, fmt.Sprintf("%s %+v %q", path, p, n.texts[path]))
	}
	slices.Sort(lines)
	return lines
}

// isProbe reports whether a path is that of a page that can't exist.
func isProbe(path string) bool { return strings.HasPrefix(path, "/nosuchpage") }

// asked lists the paths that were asked for since the last call, robots.txt, the
// probe and sitemap.xml aside, with a number where it is not 1.
func (r *rig) asked() []string {
	lines := []string{}
	for path, n := range r.Counts() {
		if path == "/robots.txt" || strings.HasPrefix(path, "/sitemap") || isProbe(path) {
			continue
		}
		if n != 1 {
			path = fmt.Sprint(path, " ", n)
		}
		lines = append(lines, path)
	}
	slices.Sort(lines)
	r.Reset()
	return lines
}

// same compares two lists, each in one line for those that are short.
func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	var diff strings.Builder
	for _, line := range got {
		if !slices.Contains(want, line) {
			fmt.Fprintf(&diff, "\n  + %s", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			fmt.Fprintf(&diff, "\n  - %s", line)
		}
	}
	t.Errorf("%s: got %d, want %d:%s", what, len(got), len(want), cmp.Or(diff.String(), fmt.Sprintf("\n  %q\n  %q", got, want)))
}

// holds reports an error when text lacks a part.
func holds(t *testing.T, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s: %q does not hold %q", what, text, part)
	}
}

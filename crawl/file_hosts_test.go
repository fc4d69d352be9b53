package crawl

import (
	"fmt"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// newNet returns a rig for the site www.town.test, which stands in a network of its
// own with other sites, each at port 80 of its name.
func newNet(t *testing.T, script string, others map[string]string) *rig {
	r := newRig(t, script)
	r.origin = "http://www.town.test"
	r.opts.Start = []string{r.origin + "/"}
	r.net = map[string]*testsite.Site{"www.town.test": r.Site}
	for name, script := range others {
		r.net[name] = newRig(t, script).Site
	}
	return r
}

// TestFileHosts: of another host nothing but files belongs to the site. Its
// robots.txt is obeyed, and read only when a file is due.
func TestFileHosts(t *testing.T) {
	r := newNet(t, `
		set / Home|Welcome|http://files.test/a.pdf http://files.test/page http://files.test/old.docx http://files.test/away.pdf http://files.test/trap.pdf http://files.test/secret/x.pdf http://files.test/out/x.pdf http://foreign.test/x.pdf
		raw /c.pdf %PDF-1.7 c
	`, map[string]string{
		"files.test": `
			robots "User-agent: *\nDisallow: /secret/\nSitemap: http://files.test/map.xml"
			raw /a.pdf %PDF-1.7 a
			redirect /old.docx /new/b.docx
			raw /new/b.docx PK b
			redirect /away.pdf http://www.town.test/c.pdf
			set /trap.pdf Sign in|Please|/never.pdf
			header /trap.pdf Content-Type text/html
			raw /known.pdf %PDF-1.7 k
			set /lost.pdf Sign in|Please
			header /lost.pdf Content-Type text/html
			set /page Page|No file
		`,
		"idle.test":    "raw /x.pdf %PDF-1.7",
		"foreign.test": "raw /x.pdf %PDF-1.7",
	})
	r.opts.FileHosts, r.opts.Exclude = []string{"files.test", "idle.test", "www.town.test"}, []string{"/out/**"}
	for _, path := range []string{"/known.pdf", "/lost.pdf", "/page"} {
		r.known["http://files.test"+path] = document.Known{Document: true}
	}
	n := r.run()
	same(t, "seen", n.seen(), "/ read", "/c.pdf read",
		"http://files.test/a.pdf read", "http://files.test/away.pdf moved /c.pdf", "http://files.test/known.pdf read", "http://files.test/lost.pdf unread",
		"http://files.test/new/b.docx read", "http://files.test/old.docx moved http://files.test/new/b.docx", "http://files.test/page out-of-scope",
		"http://files.test/secret/x.pdf disallowed")
	holds(t, "page", n.pages["http://files.test/page"].Why, "site.file_hosts: only files (PDF, DOCX and the like) of http://files.test")
	holds(t, "lost.pdf", n.pages["http://files.test/lost.pdf"].Why, "the host of a file answered with a page")
	for path, want := range map[string]int{"/robots.txt": 1, "/map.xml": 0, "/sitemap.xml": 0, "/page": 0, "/never.pdf": 0, "/secret/x.pdf": 0, "/out/x.pdf": 0} {
		if got := r.net["files.test"].Count(path); got != want {
			t.Errorf("files.test%s was asked for %d times, want %d", path, got, want)
		}
	}
	for _, name := range []string{"idle.test", "foreign.test"} {
		if asked := r.net[name].Requests(); len(asked) != 0 {
			t.Errorf("%s was asked: %v", name, asked)
		}
	}
	if h := n.survey.Hosts; len(h) != 2 || h[1].Host != "http://files.test" || h[1].State != document.HostOK || !n.survey.Complete {
		t.Errorf("hosts: %+v", h)
	}

	r.remember(n)
	r.known["http://files.test/a.pdf"] = document.Known{Document: true, Ask: true, Hints: n.pages["http://files.test/a.pdf"].Hints}
	r.net["files.test"].Robots("User-agent: *\nDisallow: /secret/")
	if n = r.run(); n.pages["http://files.test/a.pdf"].Seen != document.Kept {
		t.Errorf("the second night: %q", n.seen())
	}
	r.net["files.test"].Fault("/robots.txt", testsite.Status(503, ""))
	n = r.run()
	if h := n.survey.Hosts[1]; h.State != document.HostRobotsOutage || h.Covered || n.survey.Hosts[0].State != document.HostOK || n.pages["http://files.test/a.pdf"].URL != "" {
		t.Errorf("without robots.txt: %+v, %q", n.survey.Hosts, n.seen())
	}
}

// TestFileHostNames: a name gives two origins, which are no start origins and not
// pinned.
func TestFileHostNames(t *testing.T) {
	c, err := New(Options{Start: []string{"https://www.town.test/"}, FileHosts: []string{"files.test", "cdn.test:8080", "www.town.test"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(c.site.Origins(), c.site.FileOrigins()),
		"[https://www.town.test] [http://cdn.test:8080 http://files.test https://cdn.test:8080 https://files.test]"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

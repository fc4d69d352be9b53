package crawl

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
	"sitesync/internal/weburl"
)

// linesOf reads a file whose lines behind the first are its links.
func linesOf(p *document.Page) (*document.File, error) {
	lines := strings.Split(string(p.Body), "\n")
	if slices.Contains(lines, "damaged") {
		return nil, errors.New("it is damaged")
	}
	return &document.File{Links: lines[1:]}, nil
}

// library is a site of which half hangs on files.
func library(t *testing.T) *rig {
	return newRig(t, strings.ReplaceAll(`
		robots "User-agent: *\nDisallow: /secret"
		set / Home|Welcome|/a /guide.pdf /mute.pdf /damaged.pdf
		set /a A|A|/deep.pdf /hidden.pdf /unfollowed.pdf
		raw /guide.pdf "%PDF-1.7\nbehind?utm_source=pdf#top\n/secret/x\n/out/of/it\nmailto:a@b\nhttp://elsewhere.test/\n/LONG\n/guide.pdf\n/next.docx"
		header /guide.pdf ETag "v1"
		raw /next.docx "PK\n/last"
		raw /deep.pdf "%PDF-1.7\n/last\nbehind"
		raw /mute.pdf "%PDF-1.7\n/from-mute"
		header /mute.pdf X-Robots-Tag nofollow
		raw /hidden.pdf "%PDF-1.7\n/from-hidden"
		header /hidden.pdf X-Robots-Tag noindex
		raw /unfollowed.pdf "%PDF-1.7\n/from-unfollowed"
		raw /damaged.pdf "%PDF-1.7\ndamaged\n/from-damaged"
		set /behind Behind|Behind|/further /guide.pdf
		set /further Further|Further
		set /last Last|Last
		set /from-hidden Hidden|Hidden
	`, "LONG", strings.Repeat("long", weburl.MaxLen/4)))
}

// TestFileLinks: links in files are followed as those of pages are, and their text is
// nobody's.
func TestFileLinks(t *testing.T) {
	r := library(t)
	r.opts.IgnoreParams, r.opts.Exclude, r.opts.NoFollow = []string{"utm_*"}, []string{"/out/**"}, []string{"/unfollowed.pdf"}
	pages := []string{"/ read", "/a read", "/damaged.pdf read", "/deep.pdf read", "/guide.pdf read", "/hidden.pdf noindex", "/mute.pdf read", "/unfollowed.pdf read"}
	same(t, "without", r.run().seen(), pages...)

	r.opts.ReadFile = linesOf
	var whole []string
	for _, r.opts.Concurrency = range []int{1, 16} {
		n := r.run()
		same(t, "seen", n.seen(), slices.Sorted(slices.Values(append([]string{
			"/behind read", "/further read", "/last read", "/next.docx read", "/from-hidden read", "/secret/x disallowed",
		}, pages...)))...)
		for path, from := range map[string]string{"/behind": "/deep.pdf", "/next.docx": "/guide.pdf", "/last": "/deep.pdf", "/further": "/behind"} {
			if p := n.pages[path]; n.path(p.First.From) != from || p.Link.Text != "" {
				t.Errorf("%s was found on %q by %q, want %s", path, p.First.From, p.Link.Text, from)
			}
		}
		if n.pages["/guide.pdf"].File == nil || n.pages["/damaged.pdf"].File != nil || n.pages["/damaged.pdf"].FileFault == nil {
			t.Error("what was read of a file is not in its page")
		}
		if whole == nil {
			whole = n.whole()
		}
		same(t, "said", n.whole(), whole...)
		if !slices.ContainsFunc(n.survey.Warnings, func(w document.Warning) bool { return w.Kind == "link" && w.URL == r.origin+"/guide.pdf" }) {
			t.Errorf("nothing tells of the address that was refused: %+v", n.survey.Warnings)
		}
	}
}

// TestFileLinksFromNightToNight: what decides on the links in files makes the first
// night read all; then a file is asked for conditionally, except for one that could not
// be read.
func TestFileLinksFromNightToNight(t *testing.T) {
	r := library(t)
	r.remember(r.run())
	r.Reset()
	r.opts.ReadFile = linesOf
	n := r.run()
	if p := n.pages["/guide.pdf"]; p.Seen != document.Read || n.survey.NotModified != 0 {
		t.Errorf("the first night with links in files: %s, %d not modified", p.Seen, n.survey.NotModified)
	}
	r.remember(n)
	n = r.run()
	for path, want := range map[string]document.Seen{"/guide.pdf": document.Kept, "/behind": document.Kept, "/damaged.pdf": document.Read} {
		if got := n.pages[path].Seen; got != want {
			t.Errorf("the second night: %s is %s, want %s", path, got, want)
		}
	}
	if !n.survey.Complete {
		t.Error("the second night did not cover the site")
	}
}

// TestFileLinksKeepToMaxDepth: a file is a step, from night to night.
func TestFileLinksKeepToMaxDepth(t *testing.T) {
	r := newRig(t, `
		set / Home|Welcome|/one.pdf /1
		set /1 1|One|/2
		set /2 2|Two|/three.pdf
		raw /one.pdf "%PDF-1.7\n/behind-one"
		raw /three.pdf "%PDF-1.7\n/behind-three"
		set /behind-one A|A|/two.pdf
		raw /two.pdf "%PDF-1.7\n/behind-three"
		set /behind-three B|B|/end
		set /end End|End
	`)
	r.opts.ReadFile = linesOf
	two := []string{"/", "/1", "/2", "/behind-one", "/one.pdf"}
	three := append([]string{"/three.pdf", "/two.pdf"}, two...)
	four := append([]string{"/behind-three"}, three...)
	for depth, want := range map[int][]string{1: {"/", "/1", "/one.pdf"}, 2: two, 3: three, 4: four, 5: append([]string{"/end"}, four...)} {
		r.opts.MaxDepth = depth
		clear(r.known)
		for night := range 3 {
			n := r.run()
			r.remember(n)
			same(t, fmt.Sprint("depth ", depth, " night ", night), r.asked(), slices.Sorted(slices.Values(want))...)
			if n.survey.Complete != (depth == 5) && night == 0 {
				t.Errorf("depth %d: complete %v", depth, n.survey.Complete)
			}
		}
	}
}

// A page on which the program fails is unread, by name, and the crawl goes on.
func TestPanicIsUnread(t *testing.T) {
	r := library(t)
	r.opts.ReadFile = func(p *document.Page) (*document.File, error) {
		if strings.HasSuffix(p.URL, "/guide.pdf") {
			panic("no such part")
		}
		return linesOf(p)
	}
	n := r.run()
	same(t, "seen", n.seen(), "/ read", "/a read", "/behind read", "/damaged.pdf read", "/deep.pdf read", "/from-hidden read", "/from-unfollowed missing", "/further read", "/guide.pdf unread",
		"/hidden.pdf noindex", "/last read", "/mute.pdf read", "/unfollowed.pdf read")
	if why := n.pages["/guide.pdf"].Why; why != "the program fails on this page (no such part): please report it" {
		t.Errorf("why: %q", why)
	}
}

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

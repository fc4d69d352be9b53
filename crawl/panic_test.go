package crawl

import (
	"strings"
	"testing"

	"sitesync/internal/document"
)

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

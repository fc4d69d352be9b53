package crawl

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// TestVariantsAreFolded: links, canonicals, redirects, sitemaps and known IDs that
// name a variant of the start origin mean the start origin, if the variant's root
// page leads there. It is asked once, and only when something names it.
func TestVariantsAreFolded(t *testing.T) {
	r := newNet(t, `
		set / Home|Welcome|http://town.test/a /b /c http://town.test:8080/x http://sub.town.test/
		set /a A|A
		set /b B|B||<link rel="canonical" href="http://town.test/b">
		redirect /c http://town.test/d
		set /d D|D|http://town.test/a
		set /e E|E
		set /old Old|Old
	`, map[string]string{"town.test": "redirect / http://www.town.test/home"})
	r.Sitemap(testsite.Entry{Loc: "http://town.test/e"})
	r.known["http://town.test/old"] = document.Known{Document: true}
	for _, concurrency := range []int{1, 16} {
		r.opts.Concurrency = concurrency
		n := r.run()
		same(t, "seen", n.seen(), "/ read", "/a read", "/b read", "/c moved /d", "/d read", "/e read", "/old read", "http://town.test/old moved /old")
		if !n.pages["/e"].InSitemap || fmt.Sprint(n.host().Folded) != "[http://town.test]" || n.host().Sitemap != 1 {
			t.Errorf("%+v", n.host())
		}
		if all := r.net["town.test"].Requests(); len(all) != concurrency/16+1 || all[0].URI != "/" {
			t.Errorf("town.test was asked: %v", all)
		}
	}
	r.HTML("/", "Home", "<p>Welcome</p>", "/b")
	r.Remove("/sitemap.xml")
	r.script("remove /c\nremove /d")
	delete(r.known, "http://town.test/old")
	r.HTML("/b", "B", "<p>B</p>")
	r.net["town.test"].Reset()
	if r.run(); len(r.net["town.test"].Requests()) > 0 {
		t.Error("town.test was asked though nothing names it")
	}
}

// TestVariantAnswers: what the variant's root page must say. When it says nothing,
// the last run's answer holds, and nothing is told of known IDs there.
func TestVariantAnswers(t *testing.T) {
	const folded, foreign, unsure = "moved /old", "out-of-scope", "unread"
	for _, c := range []struct {
		answer string
		before bool
		want   string
	}{
		{"redirect / http://www.town.test/ 301", false, folded},
		{"redirect / http://www.town.test/ 302", false, folded},
		{"redirect / //www.town.test/home?x=1 303", false, folded},
		{"redirect / http://www.town.test/ 308", false, folded},
		{"redirect / http://www.town.test/ 300", true, foreign},
		{"set / Another|Site", true, foreign},
		{"status / 404", true, foreign},
		{"redirect / /home", true, foreign},
		{"redirect / http://www.town.test:8080/", true, foreign},
		{"status / 503", false, unsure},
		{"status / 429", false, unsure},
		{"reset / -1", false, unsure},
		{"redirect / https://www.town.test/", false, unsure}, // which nobody answers for
		{"status / 503", true, folded},
	} {
		t.Run(fmt.Sprint(c.answer, c.before), func(t *testing.T) {
			r := newNet(t, "set / Home|Welcome\nset /old Old|Old", map[string]string{"town.test": c.answer})
			r.known["http://town.test/old"] = document.Known{Document: true}
			if c.before {
				r.hosts[r.origin] = document.HostMemory{Folded: []string{"http://town.test", "http://elsewhere.test"}}
			}
			n := r.run()
			lines := slices.DeleteFunc(n.seen(), func(line string) bool { return !strings.HasPrefix(line, "http://town.test/old ") })
			same(t, "seen", lines, "http://town.test/old "+c.want)
			if is := len(n.host().Folded) > 0; is != (c.want == folded) {
				t.Errorf("folded: %q", n.host().Folded)
			}
		})
	}
}

// TestVariantOfAStartPage: an owner who named the wrong form is told.
func TestVariantOfAStartPage(t *testing.T) {
	r := newNet(t, "redirect / http://town.test/", map[string]string{"town.test": "set / Home|Welcome"})
	n := r.run()
	same(t, "seen", n.seen(), "/ moved http://town.test/")
	if w := n.survey.Warnings; len(w) != 1 || w[0].Kind != "start" {
		t.Errorf("warnings: %+v", w)
	}
}

// TestVariantFoundLate: pages that were skipped tonight may lead to a variant that
// stands for the site since tonight. So the next run reads them.
func TestVariantFoundLate(t *testing.T) {
	r := newNet(t, "set / Home|Welcome|/a /b\nset /a A|A|http://town.test/c\nset /b B|B\nset /c C|C", map[string]string{"town.test": "set / Not|Yet"})
	r.remember(r.run())
	r.net["town.test"].Redirect("/", r.origin+"/", 301)
	r.HTML("/b", "B", "<p>B</p>", "http://town.test/b")
	for night, want := range []struct{ notModified, pages int }{{2, 3}, {0, 4}, {4, 4}} {
		n := r.run()
		if n.survey.NotModified != want.notModified || len(n.pages) != want.pages {
			t.Errorf("night %d: %d not modified of %d", night, n.survey.NotModified, len(n.pages))
		}
		r.remember(n)
	}
}

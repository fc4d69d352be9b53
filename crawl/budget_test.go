package crawl

import (
	"fmt"
	"slices"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

func TestMaxDepth(t *testing.T) {
	r := newRig(t, `
		set / Home|Welcome|/1 /old
		set /1 1|One|/2 /one.pdf
		set /2 2|Two|/3 /two.pdf
		set /3 3|Three|/4
		set /4 4|Four
		redirect /old /new
		set /new New|New|/newer
		set /newer Newer|Newer
		raw /one.pdf %PDF-1.7
		raw /two.pdf %PDF-1.7
	`)
	all := []string{"/", "/1", "/2", "/3", "/4", "/new", "/newer", "/old", "/one.pdf", "/two.pdf"}
	for _, c := range []struct {
		depth   int
		sitemap string
		covered bool
		want    []string
	}{
		{0, "/", true, all},
		{4, "/", true, all},
		{1, "/", false, []string{"/", "/1", "/old"}},
		{2, "/", false, []string{"/", "/1", "/2", "/new", "/old", "/one.pdf"}}, // a redirect is a step
		{1, "/3", false, []string{"/", "/1", "/3", "/4", "/old"}},
		{1, "/2", false, []string{"/", "/1", "/2", "/3", "/old", "/two.pdf"}},
	} {
		r.opts.MaxDepth = c.depth
		r.Sitemap(testsite.Entry{Loc: c.sitemap, Lastmod: ""})
		for _, concurrency := range []int{1, 16} {
			r.opts.Concurrency = concurrency
			r.Reset()
			n := r.run()
			same(t, fmt.Sprint("depth ", c.depth, c.sitemap), r.asked(), c.want...)
			if n.host().Covered != c.covered || n.survey.Complete != c.covered {
				t.Errorf("depth %d: covered %v, want %v", c.depth, n.host().Covered, c.covered)
			}
		}
	}
}

// TestMaxDepthOfAResumedRun: what was left out before the interruption is left out.
func TestMaxDepthOfAResumedRun(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/1\nset /1 1|One|/2\nset /2 2|Two")
	r.opts.MaxDepth = 1
	for k := range 2 {
		work, _ := r.killAt(k)
		n, err := r.try(t.Context(), work)
		if err != nil {
			t.Fatal(err)
		}
		if n.host().Covered {
			t.Errorf("killed at %d: the host counts as covered", k)
		}
	}
}

// TestMaxDepthStaysFromNightToNight: a page that is known is looked at, but it is
// no start from which to count anew.
func TestMaxDepthStaysFromNightToNight(t *testing.T) {
	r := newRig(t, `
		set / Home|Welcome|/1
		set /1 1|One|/2
		set /2 2|Two|/3
		set /3 3|Three
		redirect /old /new
		set /new New|New|/3
	`)
	r.opts.MaxDepth = 1
	want := []string{"/", "/1"}
	for range 3 {
		r.remember(r.run())
		same(t, "asked", r.asked(), want...)
	}
	for _, path := range []string{"/2", "/old"} {
		r.known[path] = document.Known{Document: true}
	}
	n := r.run()
	same(t, "asked with known pages beyond the depth", r.asked(), "/", "/1", "/2", "/new", "/old")
	if n.host().Covered {
		t.Error("the page behind a known one was left out, and the host counts as covered")
	}
}

// TestMaxPages: which pages are taken depends on their URLs alone, what is known
// goes first, and a host of which something was left out is not covered.
func TestMaxPages(t *testing.T) {
	r := town(t)
	all := len(r.run().pages)
	r.Reset()
	for _, limit := range []int{1, 2, 5, 20, all} {
		r.opts.MaxPages = limit
		var first []string
		for _, concurrency := range []int{1, 16} {
			r.opts.Concurrency = concurrency
			n := r.run()
			got := n.seen()
			if first == nil {
				first = got
			}
			same(t, fmt.Sprint("limit ", limit), got, first...)
			if len(got) != limit || n.survey.Complete != (limit == all) || n.host().Covered != (limit == all) {
				t.Errorf("limit %d: %d pages, %+v", limit, len(got), n.survey)
			}
		}
		if !slices.Contains(first, "/ read") {
			t.Errorf("limit %d: the start page is not among %q", limit, first)
		}
	}
	r.Reset()
	r.opts.MaxPages = 6
	known := []string{"/", "/deep/0", "/deep/1", "/s3/p5"}
	for _, path := range known {
		r.known[path] = document.Known{Document: true}
	}
	n := r.run()
	for _, path := range known {
		if _, ok := n.pages[path]; !ok {
			t.Errorf("%s is known and was not looked at", path)
		}
	}
	if len(n.pages) != 6 {
		t.Errorf("%d pages with a limit of 6: %q", len(n.pages), n.seen())
	}
	r.opts.MaxPages = 3
	var first []string
	for _, r.opts.Concurrency = range []int{1, 16} {
		n = r.run()
		if first == nil {
			first = n.seen()
		}
		same(t, "known, over the limit", n.seen(), first...)
		if len(n.pages) != 3 || n.pages["/"].Seen != document.Read || n.survey.Complete {
			t.Errorf("of %d known pages: %q", len(known), n.seen())
		}
		for path := range n.pages {
			if !slices.Contains(known, path) {
				t.Errorf("%s is asked before what is known", path)
			}
		}
	}
}

package crawl

import (
	"errors"
	"maps"
	"testing"

	"sitesync/internal/document"
)

// foundTown is a site whose pages are found in many ways, and by which page each is.
func foundTown(t *testing.T) (*rig, map[string]string) {
	r := newRig(t, `
		raw /sitemap.xml <urlset><url><loc>/listed</loc></url><url><loc>/listed.pdf</loc><lastmod>2024-01-02</lastmod></url></urlset>
		set / Home|Welcome|/b /a /listed /moved /known
		set /a A|A|/b /deep /form.pdf /a /listed.pdf
		set /b B|B|/a /deep /shallow|<link rel="canonical" href="/named">
		set /deep Deep|Deep|/deeper /shallow /twin
		set /shallow Shallow|Shallow|/deeper /form.pdf
		set /deeper Deeper|Deeper|/
		set /twin Twin|Twin|/deep
		set /named Named|Named|/late
		set /late Late|Late
		redirect /moved /target 308
		set /target Target|Target||<meta http-equiv="refresh" content="0; url=/refreshed">
		set /refreshed Refreshed|Refreshed
		set /listed Listed|Listed|/only-here
		status /only-here 500
		raw /form.pdf %PDF-1.7
		raw /listed.pdf %PDF-1.7
		set /known Known|Known|/late
	`)
	r.known["/known"] = document.Known{First: document.First{From: "https://old.test/"}}
	return r, map[string]string{
		"/": "", "/listed": "", "/listed.pdf": "", "/known": "https://old.test/", "/a": "/", "/b": "/", "/moved": "/",
		"/deep": "/a", "/shallow": "/b", "/named": "/b", "/deeper": "/deep", "/twin": "/deep", "/late": "/known",
		"/target": "/moved", "/refreshed": "/target", "/only-here": "/listed", "/form.pdf": "/a",
	}
}

// from lists by which page each page was found.
func (n *night) from(into map[string]string) {
	for path, p := range n.pages {
		into[path] = n.path(p.First.From)
	}
}

// TestReferrers: a page is found by the first of those that lead to it, by link,
// redirect, canonical or refresh: the one of the smallest depth, then address.
func TestReferrers(t *testing.T) {
	r, want := foundTown(t)
	for _, concurrency := range []int{1, 16} {
		r.opts.Concurrency = concurrency
		got := map[string]string{}
		n := r.run()
		if n.from(got); !maps.Equal(got, want) {
			t.Errorf("with %d: got %v\nwant %v", concurrency, got, want)
		}
		if p := n.pages["/listed.pdf"]; p.First.Lastmod == 0 || p.First.Link != "/listed.pdf" {
			t.Errorf("what a sitemap lists lost its date or link text: %+v", p.First)
		}
	}
}

// TestReferrersOfAResumedRun: wherever a run is stopped, the next one finds the same
// referrers.
func TestReferrersOfAResumedRun(t *testing.T) {
	r, want := foundTown(t)
	r.opts.Concurrency = 2
	stop := errors.New("stop")
	for last := range want {
		r.hook = func(n *night, p *document.Page) error {
			if n.path(p.URL) == last {
				return stop
			}
			return nil
		}
		work, got := t.TempDir(), map[string]string{}
		n, err := r.try(t.Context(), work)
		if !errors.Is(err, stop) {
			t.Fatal(err)
		}
		n.from(got)
		r.hook = nil
		if n, err = r.try(t.Context(), work); err != nil {
			t.Fatal(err)
		}
		n.from(got)
		if !maps.Equal(got, want) {
			t.Errorf("stopped at %s: got %v\nwant %v", last, got, want)
		}
	}
}

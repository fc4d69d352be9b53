package crawl

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// killAt runs the site until the k-th page is about to be handed over, and returns
// a copy of the work folder as a kill in that moment leaves it, with what was handed
// over before.
func (r *rig) killAt(k int) (work string, before []string) {
	r.t.Helper()
	r.hook = func(n *night, _ *document.Page) error {
		if len(n.pages) != k || work != "" {
			return nil
		}
		work, before = filepath.Join(r.t.TempDir(), "work"), n.whole()
		return errors.Join(n.group.Flush(), os.CopyFS(work, os.DirFS(n.work)))
	}
	defer func() { r.hook = nil }()
	r.run()
	if work == "" {
		r.t.Fatalf("the run handed over no more than %d pages", k)
	}
	return work, before
}

// TestKillAtAnyPage: wherever a run is killed, the next one in the same work folder
// asks for nothing that was handed over, and both together hand over what one whole
// run does.
func TestKillAtAnyPage(t *testing.T) {
	for name, set := range map[string]func(*rig){
		"links in files": func(r *rig) {
			r.script(`raw /files/a.pdf "%PDF-1.7\n/files/c.pdf\n/deep/1"`)
			r.script(`raw /files/c.pdf "%PDF-1.7\n/never"`)
			r.opts.ReadFile, r.opts.MaxDepth = linesOf, 4
		},
		"as it is":  func(*rig) {},
		"16 a time": func(r *rig) { r.opts.Concurrency = 16 },
		"max_pages": func(r *rig) { r.opts.MaxPages = 20 },
		"known": func(r *rig) {
			for _, path := range []string{"/lost", "/s1/p1", "/s1", "/secret/x", "/never"} {
				r.known[path] = document.Known{Document: true}
			}
			r.opts.MaxDepth = 2
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := town(t)
			r.opts.Concurrency = 1
			set(r)
			whole := r.run().whole()
			kills := []int{9, len(whole) - 9, 0, 2, len(whole) - 1}
			if testing.Short() {
				kills = kills[:2]
			}
			for _, k := range kills {
				work, before := r.killAt(k)
				r.Reset()
				n, err := r.try(t.Context(), work)
				if err != nil {
					t.Fatal(err)
				}
				same(t, fmt.Sprint("pages of both runs, killed at ", k), slices.Sorted(slices.Values(append(before, n.whole()...))), whole...)
				for _, line := range before {
					if path, _, _ := strings.Cut(line, " "); r.Count(path) > 0 {
						t.Errorf("killed at %d: %s was handed over before and is asked again", k, path)
					}
				}
			}
		})
	}
}

// TestResumedRunAsksMissingPagesTwice: what a killed run found missing once is no
// longer worth anything, and no page is handed over twice for it.
func TestResumedRunAsksMissingPagesTwice(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/a /b /c\nset /a A|A\nset /b B|B\nset /c C|C")
	r.known["/lost"] = document.Known{Document: true}
	for _, concurrency := range []int{1, 4} {
		r.opts.Concurrency = concurrency
		for k := range 4 {
			work, before := r.killAt(k)
			r.Reset()
			n, err := r.try(t.Context(), work)
			if err != nil {
				t.Fatal(err)
			}
			if len(n.pages)+len(before) != 5 || n.pages["/lost"].Seen != document.Missing || r.Count("/lost") != 2 {
				t.Errorf("killed at %d: /lost was asked for %d times; pages %q", k, r.Count("/lost"), n.seen())
			}
		}
	}
}

// TestDeepSiteKeepsFewFilesOpen: a chain of pages, one link further each, is a wave
// for each of them.
func TestDeepSiteKeepsFewFilesOpen(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/0")
	const deep = 150
	for i := range deep {
		r.HTML(fmt.Sprint("/", i), "Page", "<p>"+testsite.Words(i)+"</p>", fmt.Sprint("/", i+1))
	}
	most := 0
	r.hook = func(*night, *document.Page) error {
		open, err := os.ReadDir("/proc/self/fd")
		if most = max(most, len(open)); err != nil {
			t.Skip("this system does not tell which files are open")
		}
		return nil
	}
	if n := r.run(); len(n.pages) != deep+2 {
		t.Fatalf("%d pages", len(n.pages))
	}
	if most > deep {
		t.Errorf("%d files were open at once", most)
	}
}

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

package crawl

import (
	"errors"
	"fmt"
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

package crawl

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/crawl/site"
	"sitesync/internal/document"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample is the crawl of the sample site.
func sample(t *testing.T) *rig {
	r := &rig{t: t, origin: "https://www.fjordby.example", known: map[string]document.Known{}, hosts: map[string]document.HostMemory{}}
	r.opts = Options{
		Options:      site.Options{Start: []string{r.origin + "/"}, Folder: "../testdata/site", IgnoreParams: []string{"utm_*"}},
		AutoSitemaps: true, Links: true, UserAgent: "sitesync/1", Concurrency: 4, MaxBody: 1 << 20, MaxFile: 2 << 20,
	}
	return r
}

// golden is what the crawl of a folder says of each page; its ETags, which hold the
// time of the files, are left out.
func (n *night) golden() string {
	var lines []string
	for path, p := range n.pages {
		line := fmt.Sprintf("%s %s %d %s", path, p.Seen, p.Status, p.Media)
		for _, note := range []struct{ name, text string }{
			{"to", n.path(p.Target)}, {"canonical", n.path(p.Canonical)}, {"why", p.Why}, {"link", p.Link.Text}, {"from", n.path(p.Link.From)},
		} {
			if note.text != "" {
				line += fmt.Sprintf(" %s=%q", note.name, note.text)
			}
		}
		if p.InSitemap {
			line += fmt.Sprintf(" sitemap lastmod=%d", p.Hints.Lastmod)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// TestSampleSite: the sample site as a folder, page by page; go test -update writes
// the file anew.
func TestSampleSite(t *testing.T) {
	const file = "testdata/site.golden"
	r := sample(t)
	n := r.run()
	if *update {
		if err := os.WriteFile(file, []byte(n.golden()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	same(t, file, strings.Split(n.golden(), "\n"), strings.Split(strings.ReplaceAll(string(want), "\r\n", "\n"), "\n")...)
	if len(n.survey.Warnings) > 0 || !n.survey.Complete || n.host().State != document.HostOK {
		t.Errorf("%+v", n.survey)
	}
	r.opts.Concurrency = 16
	same(t, "16 at a time", r.run().whole(), n.whole()...)

	r.remember(n)
	kept := r.run()
	for path, p := range kept.pages {
		before := n.pages[path]
		want := before.Seen
		if before.Status == http.StatusOK && before.Header.Get("X-Robots-Tag") == "" {
			want = document.Kept // a page that says noindex itself is what it was, too
		}
		if p.Seen != want {
			t.Errorf("%s was %s and is %s", path, before.Seen, p.Seen)
		}
	}
	if len(kept.pages) != len(n.pages) || kept.survey.SkippedByHint != 0 {
		t.Errorf("%d pages, then %d; %+v", len(n.pages), len(kept.pages), kept.survey)
	}
}

// TestFolderThatCannotBeRead: what can't be listed is told, and the site counts as
// not covered.
func TestFolderThatCannotBeRead(t *testing.T) {
	dir := writeFolder(t, map[string]string{"index.html": "<p>Home", "a/b.html": "<p>B", "locked/c.html": "<p>C"})
	if err := os.Chmod(dir+"/locked", 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir+"/locked", 0o700) })
	if _, err := os.ReadDir(dir + "/locked"); err == nil {
		t.Skip("this user reads every folder")
	}
	r := sample(t)
	r.opts.Folder = dir
	n := r.run()
	same(t, "seen", n.seen(), "/ read", "/a/b.html read")
	if n.survey.Complete || len(n.survey.Warnings) != 1 {
		t.Errorf("%+v", n.survey)
	}
	holds(t, "warning", fmt.Sprint(n.survey.Warnings), "locked")
}

// writeFolder makes a folder of files.
func writeFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

package crawl

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"sitesync/internal/document"
)

// TestLeftOut: what is linked or listed, and makes no document, is told with the reason, as many
// pages as ask at a time. What is asked by another link, or known, is not; nor is a page.
func TestLeftOut(t *testing.T) {
	const script = `
		set / Home|Welcome|/a /pic.JPG /data /empty /in/x https://other.example/1 https://other.example/2|<link rel="next" href="/later">
		set /a A|A|/in/x /out /data /deep/|<meta name="robots" content="nofollow">
		raw /later <p>Later <a rel="nofollow" href="/cart">Cart</a> <a rel="nofollow" href="/a">A</a> <a href="https://third.example/">T</a>
		raw /data text
		header /data Content-Type application/x-thing
		raw /listed.png text
		header /listed.png Content-Type image/png
		set /deep/ Deep|Deep
		raw /sitemap.xml <urlset><url><loc>/listed.png</loc></url><url><loc>/in/y</loc></url><url><loc>https://www.example.org/z</loc></url></urlset>
	`
	const type1 = ` is neither HTML, PDF, an office file nor a .txt file`
	want := []string{
		`/cart: left-out: rel=nofollow`,
		`/data: left-out: media type "application/x-thing"` + type1,
		`/deep/: left-out: meta robots: nofollow`,
		`/in/x: left-out: site.exclude "/in/**"`,
		`/in/y: left-out: site.exclude "/in/**", listed`,
		`/listed.png: left-out: media type "image/png"` + type1 + `, listed`,
		`/out: left-out: meta robots: nofollow`,
		`/pic.JPG: left-out: its name ends in .jpg, which makes no document`,
		`https://other.example/: other-host: it is on another host`,
		`https://third.example/: other-host: it is on another host`,
		`https://www.example.org/z: other-host: it is on another host, listed`,
	}
	for _, concurrency := range []int{1, 9} {
		r := newRig(t, script)
		r.opts.Exclude, r.opts.Concurrency = []string{"/in/**"}, concurrency
		n := r.run()
		var got []string
		for url, p := range n.left {
			line := fmt.Sprintf("%s: %s: %s", url, p.Seen, p.Why)
			if p.InSitemap {
				line += ", listed"
			}
			got = append(got, line)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%d at a time:\ngot  %q\nwant %q", concurrency, got, want)
		}
		if len(n.pages["/a"].Links) != 0 || len(n.pages["/"].Links) != 8 {
			t.Errorf("links of the pages: %d, %d", len(n.pages["/a"].Links), len(n.pages["/"].Links))
		}
	}
}

// TestLeftOutIsBounded: of many addresses those are kept that their fingerprints choose, in
// whatever order they come.
func TestLeftOutIsBounded(t *testing.T) {
	const all = 70_000
	var before map[uint64]document.Page
	for seed := range uint64(3) {
		l := leftOut{all: map[uint64]document.Page{}}
		for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(2 * all) { //nolint:gosec // no secret
			p := document.Page{URL: fmt.Sprintf("https://www.example.com/%d", i/2), Seen: document.LeftOut, InSitemap: i%2 == 1}
			p.First.From = fmt.Sprint("by ", i%2)
			l.add(p)
		}
		if len(l.all) > 10_000 || len(l.all) < 3_000 || before != nil && !reflect.DeepEqual(before, l.all) {
			t.Fatalf("order %d: %d addresses, of %d before", seed, len(l.all), len(before))
		}
		for _, p := range l.all {
			if p.First.From != "by 0" || !p.InSitemap {
				t.Fatalf("%+v", p)
			}
		}
		before = l.all
	}
}

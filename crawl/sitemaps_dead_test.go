package crawl

import (
	"maps"
	"testing"

	"sitesync/crawl/sitemap"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/testsite"
)

// TestDeadSitemaps: how much is remembered of a file that listed something once, and is
// broken from then on.
func TestDeadSitemaps(t *testing.T) {
	r := newRig(t, "set / Home|Welcome\nset /1 1|One\nset /2 2|Two\nset /3 3|Three")
	r.Robots("Sitemap: /all.xml\nSitemap: /dead.xml")
	r.Set("/all.xml", testsite.Page{Body: r.index("/maps/a.xml", "/maps/b.xml")})
	r.Set("/maps/a.xml", testsite.Page{Body: r.urls("/1", "/2")})
	r.Set("/maps/b.xml", testsite.Page{Body: r.urls("/3")})
	r.script("status /dead.xml 500")
	night := func(what string, state document.HostState, files ...any) {
		t.Helper()
		h := r.run().host()
		want := map[uint64]int{}
		for i := 0; i < len(files); i += 2 {
			want[spool.Fingerprint(r.url(files[i].(string)))] = files[i+1].(int)
		}
		if h.State != state || !maps.Equal(h.Files, want) {
			t.Errorf("%s: %s, %s, files %v, want %v", what, h.State, h.Reason, h.Files, want)
		}
		r.hosts[r.origin] = document.HostMemory{Files: h.Files}
	}
	const ok, collapsed = document.HostOK, document.HostSitemapCollapse
	night("one of them is dead from the first day", ok, "/all.xml", 2, "/maps/a.xml", 2, "/maps/b.xml", 1)
	r.script("status /maps/a.xml 500")
	night("a file dies", collapsed, "/all.xml", 2, "/maps/a.xml", 1, "/maps/b.xml", 1)
	r.script("status /all.xml 503")
	night("so does the index, which hides the others", collapsed, "/all.xml", 1, "/maps/a.xml", 1, "/maps/b.xml", 1)
	r.script("heal /all.xml")
	night("the index is back", collapsed, "/all.xml", 2, "/maps/b.xml", 1)
	night("the file is believed to be dead", ok, "/all.xml", 2, "/maps/b.xml", 1)
	r.script("heal /maps/a.xml")
	night("it is back", ok, "/all.xml", 2, "/maps/a.xml", 2, "/maps/b.xml", 1)
	r.Set("/all.xml", testsite.Page{Body: r.index("/maps/a.xml")})
	night("one is listed no more", ok, "/all.xml", 1, "/maps/a.xml", 2)
	r.Set("/maps/a.xml", testsite.Page{Body: sitemapSet("")})
	night("the other one is empty", ok, "/all.xml", 1, "/maps/a.xml", 1)
	night("for good", ok, "/all.xml", 1)

	full := map[uint64]int{}
	for i := range uint64(sitemap.MaxFiles) {
		full[i] = 1
	}
	r.hosts[r.origin] = document.HostMemory{Files: full}
	r.script("status /maps/a.xml 500")
	if h := r.run().host(); h.State != collapsed || len(h.Files) != sitemap.MaxFiles {
		t.Errorf("more files than are remembered: %s, %d files", h.State, len(h.Files))
	}
}

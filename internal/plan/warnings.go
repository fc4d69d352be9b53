package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/health"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// keptWarnings is how many warnings of one kind about links a run keeps: those with
// the smallest URLs.
const keptWarnings = 200

// warnings are what the site's owner should know, on disk.
type warnings struct {
	kept    *spool.Spill[document.Warning]
	ofLinks map[string]int // how many there are of a kind about links
	misread map[misreading]misread
}

// misreading is what pages of one origin have in common that name one language and
// read like another; misread is how many there are, and the first in the order of URLs.
type (
	misreading struct{ origin, said, found string }
	misread    struct {
		pages int
		first string
	}
)

func newWarnings(s *spool.Scratch) warnings {
	return warnings{kept: spool.NewSpill[document.Warning](s, "warning"), ofLinks: map[string]int{}, misread: map[misreading]misread{}}
}

// warn keeps a warning; of those about links only the first, of those about languages
// none yet.
func (w *warnings) warn(one document.Warning) {
	kind, languages, _ := strings.Cut(one.Kind, ":")
	if said, found, both := strings.Cut(languages, ":"); kind == document.WarnLanguage && both {
		key := misreading{weburl.Origin(one.URL), said, found}
		so := w.misread[key]
		w.misread[key] = misread{so.pages + 1, cmp.Or(so.first, one.URL)}
		return
	}
	switch one.Kind {
	case document.WarnBroken, document.WarnNotLinked, document.WarnNotListed, document.WarnSameText:
		w.ofLinks[one.Kind]++
		if w.ofLinks[one.Kind] > keptWarnings {
			return
		}
	}
	w.kept.Add(one, nil)
}

// conclude adds how many warnings were left out, and one for what the pages of an origin
// have in common that are misread.
func (w *warnings) conclude() {
	for _, kind := range slices.Sorted(maps.Keys(w.ofLinks)) {
		if more := w.ofLinks[kind] - keptWarnings; more > 0 {
			w.kept.Add(document.Warning{Kind: kind, Text: fmt.Sprintf("and %d more of this kind", more)}, nil)
		}
	}
	order := func(a, b misreading) int {
		return cmp.Or(cmp.Compare(a.origin, b.origin), cmp.Compare(a.said, b.said), cmp.Compare(a.found, b.found))
	}
	for _, key := range slices.SortedFunc(maps.Keys(w.misread), order) {
		so := w.misread[key]
		pages := fmt.Sprintf("%d pages of %s, this one first, say", so.pages, key.origin)
		if so.pages == 1 {
			pages = "one page of " + key.origin + " says"
		}
		text := fmt.Sprintf("%s that the language is %s; the text reads like %s: correct the lang attribute", pages, key.said, key.found)
		w.kept.Add(document.Warning{Kind: document.WarnLanguage, URL: so.first, Text: text}, nil)
	}
}

// compareLinks warns of documents in a sitemap that no page links to, and of pages
// that are linked and in no sitemap.
func (v *verdicts) compareLinks(f *judge.Facts, verdict *judge.Verdict, flags uint16) {
	h := v.site.hosts[weburl.Origin(f.URL)]
	if !v.site.options.Links || !f.HostFull || h.Sitemap == 0 || h.Unlisted || h.State != document.HostOK {
		return
	}
	if v.sitemap.NotLinked == nil {
		v.sitemap.NotLinked, v.sitemap.NotListed = new(int), new(int)
	}
	kind, listed := health.Remains(f, verdict), f.Sighting.InSitemap
	switch {
	case kind == "":
	case listed && !f.Linked && flags&spool.Start == 0:
		*v.sitemap.NotLinked++
		verdict.Warnings = append(verdict.Warnings, document.Warning{Kind: document.WarnNotLinked, URL: f.URL, Text: "is in the sitemap, but no page links to it"})
	case !listed && f.Linked && kind == document.PageContent: // few sitemaps list files
		*v.sitemap.NotListed++
		verdict.Warnings = append(verdict.Warnings, document.Warning{Kind: document.WarnNotListed, URL: f.URL, Text: "is linked, but not in the sitemap"})
	}
}

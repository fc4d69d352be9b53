package plan

import (
	"fmt"
	"maps"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// keptWarnings is how many warnings of one kind about links a run keeps: those with
// the smallest URLs.
const keptWarnings = 200

// compareLinks warns of documents in a sitemap that no page links to, and of pages
// that are linked and in no sitemap.
func (v *verdicts) compareLinks(f *judge.Facts, verdict *judge.Verdict, flags uint16) {
	h := v.hosts[weburl.Origin(f.URL)]
	if !v.Links || !f.HostFull || h.Sitemap == 0 || h.Unlisted || h.State != document.HostOK {
		return
	}
	if v.sitemap.NotLinked == nil {
		v.sitemap.NotLinked, v.sitemap.NotListed = new(int), new(int)
	}
	kind := remains(f, verdict)
	warn := func(kind, text string) {
		verdict.Warnings = append(verdict.Warnings, document.Warning{Kind: kind, URL: f.URL, Text: text})
	}
	switch listed := f.Sighting.InSitemap; {
	case kind == "":
	case listed && !f.Linked && flags&spool.Start == 0:
		*v.sitemap.NotLinked++
		warn(document.WarnNotLinked, "is in the sitemap, but no page links to it")
	case !listed && f.Linked && kind == document.PageContent: // few sitemaps list files
		*v.sitemap.NotListed++
		warn(document.WarnNotListed, "is linked, but not in the sitemap")
	}
}

// remains returns the type of the document that a page that was read is, or is to
// be; empty when it is none.
func remains(f *judge.Facts, verdict *judge.Verdict) document.Type {
	change := verdict.Change
	switch {
	case f.Sighting.Seen != document.Read, change != nil && change.Op == document.Delete:
		return ""
	case change != nil:
		return change.Type
	case f.Record.IsDocument():
		return f.Record.Type
	}
	return ""
}

// warn piles up a warning; of those about links only the first, of those about
// languages none yet.
func (v *verdicts) warn(w document.Warning) error {
	if v.noteLanguage(w) {
		return nil
	}
	switch w.Kind {
	case document.WarnBroken, document.WarnNotLinked, document.WarnNotListed, document.WarnSameText:
		if v.told[w.Kind]++; v.told[w.Kind] > keptWarnings {
			return nil
		}
	}
	return v.warnings.add(w, nil)
}

// warnOfMore tells of the warnings that warn left out.
func (v *verdicts) warnOfMore() error {
	for _, kind := range slices.Sorted(maps.Keys(v.told)) {
		more := v.told[kind] - keptWarnings
		if more <= 0 {
			continue
		}
		if err := v.warnings.add(document.Warning{Kind: kind, Text: fmt.Sprintf("and %d more of this kind", more)}, nil); err != nil {
			return err
		}
	}
	return v.warnOfLanguages()
}

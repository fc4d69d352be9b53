package plan

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// sameContent is Sighting.Why of a near duplicate. foldGroup chose its canonical URL; the page names none.
const sameContent = "equal content under another form of the address"

// nearDuplicates finds variants: URLs on one host that show one page or identical files. A page's variants
// differ only in parameter, slash, index page, case, scheme or session. One variant becomes canonical for the
// others. Other pages with equal content stay. New pages and changed pages are compared with all.
type nearDuplicates struct {
	site  *site
	read  *spool.Table // keys (see variantKey) of the pages that this run read; may be nil
	byKey *spool.Sorter
}

func (d *nearDuplicates) see(seen *document.Sighting) {
	if seen.Seen != document.Read || seen.Canonical != "" {
		return
	}
	if d.read == nil {
		d.read = spool.NewTable()
	}
	key := variantKey(seen.URL, seen.File, seen.Content)
	d.read.Mark(spool.Fingerprint(key), spool.Queued)
	d.byKey.Add(spool.GroupKey(key, seen.URL), 0)
}

func (d *nearDuplicates) keep(rec *document.Record) {
	if d.read == nil || rec.Push != document.PushOK {
		return
	}
	key := variantKey(rec.ID, rec.Type == document.FileContent, rec.Content)
	if flags, _ := d.read.Get(spool.Fingerprint(key)); flags != 0 {
		d.byKey.Add(spool.GroupKey(key, rec.ID), 0)
	}
}

func (d *nearDuplicates) conclude() error {
	for _, variants := range spool.Grouped(d.byKey) {
		var urls []string
		for url := range variants {
			urls = append(urls, url)
		}
		if err := d.foldGroup(urls); err != nil {
			return err
		}
	}
	return d.site.folder.Group.Flush()
}

type variant struct {
	url      string
	sum      document.Hash // hash of a file's bytes, or of a page's main text
	language document.Hash
	rank     int // 0 if the service acknowledged the document, otherwise 1
	indexed  bool
	kept     bool // the page was not read in this run
	changed  bool
	fresh    bool // the page was not compared with the others in an earlier run
	hreflang []string
}

// foldGroup makes one of the variants with equal content (the winner) the canonical of the others. A variant
// with an acknowledged document wins, then the shorter URL, then the first in sorted order. A variant with an
// indexed document yields only if this run read its page and the winner is unchanged. So one notice in place
// of many pages removes no document.
func (d *nearDuplicates) foldGroup(urls []string) error {
	if len(urls) < 2 {
		return nil
	}
	var group []variant
	for _, url := range urls {
		v, found, err := d.variant(url)
		if err != nil {
			return err
		}
		if found {
			group = append(group, v)
		}
	}
	if !slices.ContainsFunc(group, func(v variant) bool { return v.fresh }) {
		return nil
	}
	slices.SortFunc(group, func(a, b variant) int {
		return cmp.Or(bytes.Compare(a.sum[:], b.sum[:]), bytes.Compare(a.language[:], b.language[:]),
			cmp.Compare(a.rank, b.rank), cmp.Compare(len(a.url), len(b.url)), strings.Compare(a.url, b.url))
	})
	var winner variant
	for _, v := range group {
		switch {
		case v.sum.IsZero() || v.sum != winner.sum || v.language != winner.language:
			winner = v
		case v.indexed && (v.kept || winner.changed), slices.Contains(v.hreflang, winner.url),
			slices.Contains(winner.hreflang, v.url):
		default:
			seen, err := d.site.sighting(v.url) // not nil: only variants that were read in this run get here
			if err != nil {
				return err
			}
			seen.Canonical, seen.Why = winner.url, sameContent
			d.site.replace(seen)
			d.site.leads.Add(v.url, 0)
		}
	}
	return nil
}

func (d *nearDuplicates) variant(url string) (v variant, found bool, err error) {
	rec, err := d.site.ledger.Get(url)
	if err != nil {
		return v, false, err
	}
	seen, err := d.site.sighting(url)
	if err != nil {
		return v, false, err
	}
	v = variant{url: url, rank: 1, indexed: rec.IsDocument()}
	if rec != nil && rec.Push == document.PushOK {
		v.rank = 0
	}
	switch {
	case seen == nil && v.rank == 0:
		v.kept = true
		v.compareAs(rec)
		return v, true, nil
	case seen == nil || seen.Seen != document.Read || seen.Canonical != "":
		return v, false, nil
	}
	compared := d.site.compared(seen)
	v.changed, v.hreflang = !seen.Same, seen.Alternates
	// the bytes of a file may change, although its document stays the same
	v.fresh = !compared || seen.File || d.site.options.Past.Full
	v.sum = seen.Content
	switch {
	case seen.File:
	case seen.Draft == 0 || compared:
		v.compareAs(rec)
	default:
		_, doc, err := d.site.finish(seen)
		if err != nil || seen.Seen == document.Unread {
			return v, false, err
		}
		v.comparePage(doc.FieldHashes())
	}
	return v, true, nil
}

func (v *variant) compareAs(rec *document.Record) {
	v.sum = rec.Content
	if rec.Type != document.FileContent {
		v.comparePage(rec.Fields)
	}
}

func (v *variant) comparePage(fields map[string]document.Hash) {
	v.sum, v.language = fields["Content"], fields["Language"]
	if v.sum.IsZero() {
		others := maps.Clone(fields)
		delete(others, "Url")
		v.sum = document.SumFields(document.PageContent, others)
	}
}

func variantKey(url string, file bool, sum document.Hash) string {
	host := weburl.Host(url)
	if file {
		return "file " + host + " " + sum.String()
	}
	name, _ := weburl.SessionForm(strings.ToLower(weburl.Path(url)))
	slash := strings.LastIndexByte(name, '/')
	if stem, _, _ := strings.Cut(name[slash+1:], "."); stem == "index" || stem == "default" {
		name = name[:slash]
	}
	return "page " + host + strings.TrimRight(name, "/")
}

// isVisit reports whether the URL is a known page under a new session ID. Such a URL gets no record.
func isVisit(f *judge.Facts) bool {
	if f.Record != nil || f.Sighting.Why != sameContent {
		return false
	}
	_, session := weburl.SessionForm(weburl.Path(f.URL))
	return session
}

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

// sameContent is why a near duplicate is folded, when its page does not say so itself.
const sameContent = "equal content under another form of the address"

// nearDuplicates finds variants of one page on one host (parameter, slash, index page, case, scheme,
// session) and identical files, and gives all but one of each a canonical. Equal content at other
// addresses stays. It compares new and changed pages with all others.
type nearDuplicates struct {
	site  *site
	read  *spool.Table  // the variant keys of pages that were read; nil: no page was
	byKey *spool.Sorter // by variant key and URL
}

// see takes in every page that was read and names no canonical.
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

// keep takes in an unchanged page that may equal one that was read.
func (d *nearDuplicates) keep(rec *document.Record) {
	if d.read == nil || rec.Push != document.PushOK {
		return
	}
	key := variantKey(rec.ID, rec.Type == document.FileContent, rec.Content)
	if flags, _ := d.read.Get(spool.Fingerprint(key)); flags != 0 {
		d.byKey.Add(spool.GroupKey(key, rec.ID), 0)
	}
}

// conclude goes through the variants, which stand together, and folds those of each key.
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

// variant is a page or file that may be a near duplicate of another one.
type variant struct {
	url        string
	sum        document.Hash // of a file's bytes, of what a page's document says
	language   document.Hash // of a page
	rank       int           // 0: acknowledged, 1: not
	held       bool          // the index holds, or may hold, a document for it
	kept       bool          // it was not read in this run
	changed    bool          // it is not what the index holds
	fresh      bool          // it was not compared with the others yet
	alternates []string      // Sighting.Alternates
}

// foldGroup folds the variants that have equal content: the acknowledged ID wins, then the shorter,
// then the smaller URL. A document gives way only if its page was read tonight, and only to one that
// is unchanged: a notice in place of all pages makes no variants.
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
		return cmp.Or(bytes.Compare(a.sum[:], b.sum[:]), bytes.Compare(a.language[:], b.language[:]), cmp.Compare(a.rank, b.rank),
			cmp.Compare(len(a.url), len(b.url)), strings.Compare(a.url, b.url))
	})
	var winner variant
	for _, v := range group {
		switch {
		case v.sum.IsZero() || v.sum != winner.sum || v.language != winner.language:
			winner = v
		case v.held && (v.kept || winner.changed), slices.Contains(v.alternates, winner.url), slices.Contains(winner.alternates, v.url):
		default:
			seen, err := d.site.sighting(v.url) // what is kept is held
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

// variant returns what is to be compared of a page; false where its own canonical folds it,
// and where it is no document.
func (d *nearDuplicates) variant(url string) (v variant, found bool, err error) {
	rec, err := d.site.ledger.Get(url)
	if err != nil {
		return v, false, err
	}
	seen, err := d.site.sighting(url)
	if err != nil {
		return v, false, err
	}
	v = variant{url: url, rank: 1, held: rec.IsDocument()}
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
	v.changed, v.alternates = !seen.Same, seen.Alternates
	v.fresh = !compared || seen.File || d.site.options.Past.Full // of a file without text only the bytes change
	v.sum = seen.Content
	switch {
	case seen.File:
	case seen.Draft == 0 || compared:
		v.compareAs(rec)
	default: // by the document that is to be sent, in which only the text of the page is left
		_, doc, err := d.site.finish(seen)
		if err != nil || seen.Seen == document.Unread {
			return v, false, err
		}
		v.comparePage(doc.FieldHashes())
	}
	return v, true, nil
}

// compareAs compares a page by what the index holds.
func (v *variant) compareAs(rec *document.Record) {
	v.sum = rec.Content
	if rec.Type != document.FileContent {
		v.comparePage(rec.Fields)
	}
}

// comparePage compares a page by its text; one without any, such as a frameset, by all that its
// document says but the address.
func (v *variant) comparePage(fields map[string]document.Hash) {
	v.sum, v.language = fields["Content"], fields["Language"]
	if v.sum.IsZero() {
		others := maps.Clone(fields)
		delete(others, "Url")
		v.sum = document.SumFields(document.PageContent, others)
	}
}

// variantKey returns what all variants of a page, or all copies of a file, have
// in common.
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

// isVisit reports whether a new address is that of a known page under another session:
// the next visit gets another one, so it is not worth a record.
func isVisit(f *judge.Facts) bool {
	if f.Record != nil || f.Sighting.Why != sameContent {
		return false
	}
	_, session := weburl.SessionForm(weburl.Path(f.URL))
	return session
}

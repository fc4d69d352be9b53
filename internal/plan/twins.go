package plan

import (
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// twins looks for pages and files that say the same.
type twins struct {
	*sightings
	touched *spool.Table  // variant keys of what is new or changed
	texts   *copies       // how many have a content
	groups  *spool.Sorter // by variant key and URL
	equal   *spool.Sorter // by content and URL
}

// foldTwins finds same-origin variants of one page (parameter, slash, index page,
// case, scheme) and identical files, and gives all but one of each a canonical. What
// has equal content at other addresses is only told. Looked at is what may equal
// something new or changed: what is unchanged on both sides was compared before.
func (s *sightings) foldTwins() error {
	t := &twins{sightings: s, touched: spool.NewTable(), groups: spool.NewSorter(s.work.Dir), equal: spool.NewSorter(s.work.Dir)}
	defer func() { _, _ = t.groups.Close(), t.equal.Close() }()
	if err := t.touch(); err != nil || t.texts == nil {
		return err
	}
	for _, step := range []func() error{t.gatherKept, t.gatherRead, t.foldGroups, t.work.Group.Flush, t.tellEqual} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// touch marks the variant keys of every page that is new or changed, and counts
// contents.
func (t *twins) touch() error {
	return t.eachTwin(func(seen *document.Sighting) error {
		if t.texts == nil {
			t.texts = &copies{}
		}
		t.texts.add(seen.Content)
		if !t.compared(seen) || seen.File || t.Full { // of a file without text only the bytes change
			t.touched.Mark(spool.Fingerprint(variantKey(seen.URL, seen.File, seen.Content)), spool.Queued)
		}
		return nil
	})
}

// eachTwin visits every page that was read and names no canonical.
func (t *twins) eachTwin(visit func(*document.Sighting) error) error {
	for seen, err := range t.work.Sightings() {
		if err == nil && seen.Seen == document.Read && seen.Canonical == "" {
			err = visit(&seen.Sighting)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// gatherKept sorts what was not read in this run and may equal something that was.
func (t *twins) gatherKept() error {
	return t.ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
		if flags, at := t.work.Table.Get(spool.Fingerprint(id)); flags&spool.Kept == 0 || at != 0 {
			return nil
		}
		rec, err := decode(true)
		if err != nil || rec.Push != document.PushOK {
			return err
		}
		if *t.texts.cell(rec.Content) > 0 {
			t.texts.add(rec.Content)
		}
		return t.gather(id, rec.Type == document.FileContent, rec.Content)
	})
}

func (t *twins) gatherRead() error {
	return t.eachTwin(func(seen *document.Sighting) error { return t.gather(seen.URL, seen.File, seen.Content) })
}

func (t *twins) gather(url string, file bool, sum document.Hash) error {
	if !sum.IsZero() && *t.texts.cell(sum) > 1 {
		if err := t.equal.Add(sum.String()+"\x00"+url, 0); err != nil {
			return err
		}
	}
	key := variantKey(url, file, sum)
	if flags, _ := t.touched.Get(spool.Fingerprint(key)); flags == 0 {
		return nil
	}
	return t.groups.Add(key+"\x00"+url, 0)
}

// variantKey returns what all variants of a page, or all copies of a file, have
// in common.
func variantKey(url string, file bool, sum document.Hash) string {
	base := weburl.Origin(url)
	host := weburl.Host(base)
	if file {
		return "file " + host + " " + sum.String()
	}
	name, _, _ := strings.Cut(strings.ToLower(url[len(base):]), "?")
	if slash := strings.LastIndexByte(name, '/'); isIndexPage(name[slash+1:]) {
		name = name[:slash]
	}
	return "page " + host + strings.TrimRight(name, "/")
}

func isIndexPage(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	return stem == "index" || stem == "default"
}

// variantsOf returns the addresses at which a page says it stands in another language,
// as far as they would be taken for variants of its own.
func variantsOf(p *document.Page) (variants []string) {
	for _, url := range p.Alternates {
		if variantKey(url, false, document.Hash{}) == variantKey(p.URL, false, document.Hash{}) {
			variants = append(variants, url)
		}
	}
	return variants
}

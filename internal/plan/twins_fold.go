package plan

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// sameContent is why a twin is folded, when its page does not say so itself.
const sameContent = "equal content under another form of the address"

// twin is a page or file that may be a variant of another one.
type twin struct {
	url        string
	sum        document.Hash // of a file's bytes, of the content of a page's document
	language   document.Hash // of a page
	acked      bool
	held       bool     // the index holds, or may hold, a document for it
	kept       bool     // it was not read in this run
	changed    bool     // it is not what the index holds
	alternates []string // Sighting.Alternates
}

// foldGroups goes through the variants, which stand together, and folds those of
// each key.
func (t *twins) foldGroups() error {
	var urls []string
	var last string
	for item := range t.groups.All() {
		key, url, _ := strings.Cut(item.Key, "\x00")
		if key != last {
			if err := t.foldGroup(urls); err != nil {
				return err
			}
			urls, last = urls[:0], key
		}
		urls = append(urls, url)
	}
	return t.foldGroup(urls)
}

// foldGroup folds the variants that have equal content: the acknowledged ID wins, then
// the shorter, then the smaller URL. What the index holds goes only when it was read,
// and for a document that shows what the index holds of it: else a notice that stands
// in place of all pages for a night would make them variants of one.
func (t *twins) foldGroup(urls []string) error {
	if len(urls) < 2 {
		return nil
	}
	group, err := t.variants(urls)
	if err != nil {
		return err
	}
	slices.SortFunc(group, func(a, b twin) int {
		return cmp.Or(bytes.Compare(a.sum[:], b.sum[:]), bytes.Compare(a.language[:], b.language[:]), compareBool(b.acked, a.acked),
			cmp.Compare(len(a.url), len(b.url)), strings.Compare(a.url, b.url))
	})
	var winner twin
	for _, v := range group {
		switch {
		case v.sum.IsZero() || v.sum != winner.sum || v.language != winner.language:
			winner = v
		case v.held && (v.kept || winner.changed), slices.Contains(v.alternates, winner.url), slices.Contains(winner.alternates, v.url):
		default:
			if err := t.fold(v.url, winner.url); err != nil {
				return err
			}
		}
	}
	return nil
}

// variants returns what is to be compared of pages, without those that are none:
// folded by their own canonical, or no documents.
func (t *twins) variants(urls []string) ([]twin, error) {
	var group []twin
	for _, url := range urls {
		rec, err := t.ledger.Get(url)
		if err != nil {
			return nil, err
		}
		seen, err := t.of(url)
		if err != nil {
			return nil, err
		}
		v := twin{url: url, acked: rec != nil && rec.Push == document.PushOK, held: rec.IsDocument()}
		switch {
		case seen == nil && v.acked:
			v.kept = true
			v.of(rec)
		case seen == nil || seen.Seen != document.Read || seen.Canonical != "":
			continue
		default:
			v.changed, v.alternates = !seen.Same, seen.Alternates
			if err := t.compare(&v, rec, seen); err != nil {
				return nil, err
			}
		}
		group = append(group, v)
	}
	return group, nil
}

// of compares a page by what the index holds.
func (v *twin) of(rec *document.Record) {
	if v.sum = rec.Content; rec.Type != document.FileContent {
		v.sum, v.language = rec.Fields["Content"], rec.Fields["Language"]
	}
}

// compare compares a page that was read by the document that is to be sent, in which
// nothing is left of what only surrounds its text.
func (t *twins) compare(v *twin, rec *document.Record, seen *document.Sighting) error {
	if v.sum = seen.Content; seen.File || v.sum.IsZero() {
		return nil
	}
	if seen.Draft == 0 || t.compared(seen) {
		v.of(rec)
		return nil
	}
	draft, err := t.work.Draft(seen.Draft)
	if err != nil {
		return err
	}
	fields := t.stages.Finish(draft, v.url, t.profile).FieldHashes()
	v.sum, v.language = fields["Content"], fields["Language"]
	return nil
}

// fold makes the crawl have seen that url names winner as its canonical.
func (s *sightings) fold(url, winner string) error {
	seen, err := s.of(url)
	if err != nil {
		return err
	}
	if seen == nil {
		rec, err := s.ledger.Get(url)
		if err != nil {
			return err
		}
		seen = s.unchanged(rec)
	}
	seen.Canonical, seen.Why = winner, sameContent
	return s.replace(*seen)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

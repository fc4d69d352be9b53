package pipeline

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// sameContent is why a twin is folded, when its page does not say so itself.
const sameContent = "equal content under another form of the address"

// twin is a page that may be a variant of another one.
type twin struct {
	url   string
	sum   document.Hash
	acked bool
}

// foldTwins finds same-origin variants of one page (parameter, slash, index page,
// case, scheme) and identical files, and gives all but one of each a canonical.
// Only variants of something that is new or changed are compared: what is
// unchanged on both sides was compared before.
func (s *sightings) foldTwins() error {
	touched, err := s.touched()
	if err != nil || touched.Count(spool.Queued) == 0 {
		return err
	}
	groups, err := s.groupTwins(touched)
	if err != nil {
		return err
	}
	defer func() { _ = groups.Close() }()
	if err := s.foldGroups(groups); err != nil {
		return err
	}
	return s.work.Group.Flush()
}

// foldGroups goes through the variants, which stand together, and folds those of
// each key.
func (s *sightings) foldGroups(groups *spool.Sorter) error {
	var group []twin
	var last string
	for item := range groups.All() {
		key, url, _ := strings.Cut(item.Key, "\x00")
		if key != last {
			if err := s.foldGroup(group); err != nil {
				return err
			}
			group, last = group[:0], key
		}
		t, ok, err := s.twin(url)
		if err != nil {
			return err
		}
		if ok {
			group = append(group, t)
		}
	}
	return s.foldGroup(group)
}

// touched returns the variant keys of every page that is new or changed.
func (s *sightings) touched() (*spool.Table, error) {
	touched := spool.NewTable()
	for _, record := range s.work.sightings.All() {
		seen, err := decodeSighting(record)
		if err != nil {
			return nil, err
		}
		if seen.Seen == document.Read && !seen.Same && seen.Canonical == "" {
			touched.Mark(spool.Fingerprint(variantKey(seen.URL, seen.Content)), spool.Queued)
		}
	}
	return touched, nil
}

// groupTwins sorts the pages whose variant key was touched by that key.
func (s *sightings) groupTwins(touched *spool.Table) (*spool.Sorter, error) {
	groups := spool.NewSorter(s.work.Dir)
	add := func(url string, sum document.Hash) error {
		key := variantKey(url, sum)
		if flags, _ := touched.Get(spool.Fingerprint(key)); flags == 0 {
			return nil
		}
		return groups.Add(key+"\x00"+url, 0)
	}
	for _, record := range s.work.sightings.All() {
		seen, err := decodeSighting(record)
		if err != nil {
			return nil, err
		}
		if seen.Seen == document.Read && seen.Canonical == "" {
			if err := add(seen.URL, seen.Content); err != nil {
				return nil, err
			}
		}
	}
	return groups, s.ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
		if flags, at := s.work.Table.Get(spool.Fingerprint(id)); flags&spool.Kept == 0 || at != 0 {
			return nil
		}
		rec, err := decode(true)
		if err != nil || rec.Push != document.PushOK {
			return err
		}
		return add(id, rec.Content)
	})
}

// twin returns what is to be compared of a page, false when it is none: folded by
// its own canonical, or no document.
func (s *sightings) twin(url string) (twin, bool, error) {
	rec, err := s.ledger.Get(url)
	if err != nil {
		return twin{}, false, err
	}
	acked := rec != nil && rec.Push == document.PushOK
	seen, err := s.of(url)
	if err != nil {
		return twin{}, false, err
	}
	if seen == nil {
		return twin{url, contentOf(rec), acked}, acked, nil
	}
	return twin{url, seen.Content, acked}, seen.Canonical == "", nil
}

func contentOf(rec *document.Record) document.Hash {
	if rec == nil {
		return document.Hash{}
	}
	return rec.Content
}

// foldGroup folds the pages of one group that have equal content: the
// acknowledged ID wins, then the shorter, then the smaller URL.
func (s *sightings) foldGroup(group []twin) error {
	slices.SortFunc(group, func(a, b twin) int {
		return cmp.Or(bytes.Compare(a.sum[:], b.sum[:]), compareBool(b.acked, a.acked),
			cmp.Compare(len(a.url), len(b.url)), strings.Compare(a.url, b.url))
	})
	var winner twin
	for _, t := range group {
		if t.sum.IsZero() || t.sum != winner.sum {
			winner = t
			continue
		}
		if err := s.fold(t.url, winner.url); err != nil {
			return err
		}
	}
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

// variantKey returns what all variants of a page, or all copies of a file, have
// in common.
func variantKey(url string, sum document.Hash) string {
	base := origin(url)
	name, _, _ := strings.Cut(strings.ToLower(url[len(base):]), "?")
	if document.FileMedia(name) != "" {
		return "file " + base + " " + sum.String()
	}
	if slash := strings.LastIndexByte(name, '/'); isIndexPage(name[slash+1:]) {
		name = name[:slash]
	}
	_, host, _ := strings.Cut(base, "://")
	return "page " + host + strings.TrimRight(name, "/")
}

func isIndexPage(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	return stem == "index" || stem == "default"
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

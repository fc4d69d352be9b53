package extract

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

const (
	maxSections = 1024 // of a profile
	maxParts    = 512  // that one run learns
	sampleSize  = 60   // pages of a section
)

// Learner makes the profile of a site of the pages that a run looked at. What it
// learns does not depend on the order in which it is offered them.
//
// For each section, the profile's and 512 parts that are new, it holds 60 references
// and a count for each of 500 blocks, and the blocks of 60 pages of one section at a
// time: under 10 MB, whatever the site; 1 MB where few sections are known. It is not
// safe for concurrent use.
type Learner struct {
	profile Profile
	looks   map[string]*looks
	fresh   []freshPart // that the profile does not know, by hash
}

type freshPart struct {
	hash uint64
	key  string
}

// looks are what the run found in one section.
type looks struct {
	sample []pageRef // by URL, of different contents
	kept   int       // pages that were not read, because they did not change
	read   int       // pages that were
	drafts int       // of those, spooled
	held   []int     // of those that were read, how many hold each thing that the section knows
}

// pageRef is a page to learn from.
type pageRef struct {
	content, url uint64 // hashes
	draft        int64
}

// NewLearner returns a learner that goes on with what is known of the site.
func NewLearner(profile Profile) *Learner {
	return &Learner{profile: profile, looks: map[string]*looks{}}
}

// Offer takes in a page that was read: what it holds of the profile, and its draft,
// as one to learn from. A page that names another one as its canonical is none.
func (l *Learner) Offer(seen *document.Sighting) {
	first := 0
	origin, part := sectionKeys(seen.URL)
	for _, key := range [...]string{origin, part} {
		s := l.section(key, key == part)
		if s == nil {
			continue
		}
		if !seen.File {
			s.count(seen, first)
		}
		if seen.Draft != 0 && seen.Canonical == "" && !seen.Content.IsZero() {
			s.offer(pageRef{binary.BigEndian.Uint64(seen.Content[:]), xxhash.Sum64String(seen.URL), seen.Draft})
		}
		first += len(s.held)
	}
}

// Keep takes in a page that was not read, because it did not change, after all that were
// offered.
func (l *Learner) Keep(url string) {
	origin, part := sectionKeys(url)
	for _, key := range [...]string{origin, part} {
		if s := l.looks[key]; s != nil {
			s.kept++
		}
	}
}

// section returns what was found in a section; nil where there are more than are
// kept. Of those that are new the ones with the smallest hashes stay, whenever they
// come.
func (l *Learner) section(key string, part bool) *looks {
	if s := l.looks[key]; s != nil || key == "" {
		return s
	}
	if _, known := l.profile[key]; part && !known && !l.admit(key) {
		return nil
	}
	s := &looks{held: make([]int, l.profile[key].Len())}
	l.looks[key] = s
	return s
}

func (l *Learner) admit(key string) bool {
	part := freshPart{xxhash.Sum64String(key), key}
	at, _ := slices.BinarySearchFunc(l.fresh, part, func(a, b freshPart) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.key, b.key))
	})
	if at == maxParts {
		return false
	}
	if l.fresh = slices.Insert(l.fresh, at, part); len(l.fresh) > maxParts {
		delete(l.looks, l.fresh[maxParts].key)
		l.fresh = l.fresh[:maxParts]
	}
	return true
}

// count sums up what a page holds; what the section knows stands from first on.
func (s *looks) count(seen *document.Sighting, first int) {
	s.read++
	if seen.Draft != 0 {
		s.drafts++
	}
	for i := range s.held {
		if at := first + i; at/8 < len(seen.Held) && seen.Held[at/8]&(1<<(at%8)) != 0 {
			s.held[i]++
		}
	}
}

// offer keeps the pages with the smallest hashes of their URLs, so that every night
// asks the same ones: of equal contents one, so that copies of a page make nothing of
// it the site's.
func (s *looks) offer(page pageRef) {
	if twin := slices.IndexFunc(s.sample, func(p pageRef) bool { return p.content == page.content }); twin >= 0 {
		if s.sample[twin].url <= page.url {
			return
		}
		s.sample = slices.Delete(s.sample, twin, twin+1)
	}
	at, _ := slices.BinarySearchFunc(s.sample, page, func(a, b pageRef) int {
		return cmp.Or(cmp.Compare(a.url, b.url), cmp.Compare(a.content, b.content))
	})
	if s.sample = slices.Insert(s.sample, at, page); len(s.sample) > sampleSize {
		s.sample = s.sample[:sampleSize]
	}
}

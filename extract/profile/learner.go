package profile

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	maxSections = 1024 // of a profile
	maxParts    = 512  // that one run learns
	sampleSize  = 60   // pages of a section
)

// Learner makes the profile of a site from the pages of a run.
//
// For each section, the profile's and 512 new parts, it holds 60 references and a
// count for each of 500 blocks, and the blocks of 60 pages of one section at a time:
// under 10 MB for any site, 1 MB where few sections are known.
type Learner struct {
	profile document.Profile
	samples map[string]*sample // by the keys of sections
	fresh   []string           // parts that the profile does not know, by hash
}

// sample is what the run found in one section.
type sample struct {
	pages  []pageRef // by URL, of different contents
	kept   int       // pages that were not read, because they did not change
	read   int       // pages that were
	drafts int       // of those, spooled
	held   []int     // of those that were read, how many hold each thing that the section knows
}

// NewLearner returns a learner that continues from what is known of the site.
func NewLearner(profile document.Profile) *Learner {
	return &Learner{profile: profile, samples: map[string]*sample{}}
}

// Offer takes in a page that was read: what it holds of the profile, and its draft to
// learn from, unless the page names another one of its origin as its canonical.
func (l *Learner) Offer(seen *document.Sighting) {
	first := 0 // bit of seen.Held that is the section's
	for i, key := range keysOf(seen.URL) {
		s := l.sampleOf(key, i == 1)
		if s == nil {
			continue
		}
		if !seen.File {
			s.read++
			if seen.Draft != 0 {
				s.drafts++
			}
			for j := range s.held {
				if at := first + j; at/8 < len(seen.Held) && seen.Held[at/8]&(1<<(at%8)) != 0 {
					s.held[j]++
				}
			}
		}
		isCopy := seen.Canonical != "" && weburl.Origin(seen.Canonical) == weburl.Origin(seen.URL)
		if seen.Draft != 0 && !isCopy && !seen.Content.IsZero() {
			s.include(pageRef{binary.BigEndian.Uint64(seen.Content[:]), xxhash.Sum64String(seen.URL), seen.Draft})
		}
		first += len(s.held)
	}
}

// sampleOf returns the sample of a section; nil where there are more sections than are
// kept. The new parts with the smallest hashes stay, whenever they come.
func (l *Learner) sampleOf(key string, isPart bool) *sample {
	s := l.samples[key]
	if s != nil || key == "" {
		return s
	}
	if _, known := l.profile[key]; isPart && !known {
		at, _ := slices.BinarySearchFunc(l.fresh, key, func(a, b string) int {
			return cmp.Or(cmp.Compare(xxhash.Sum64String(a), xxhash.Sum64String(b)), strings.Compare(a, b))
		})
		if at == maxParts {
			return nil
		}
		l.fresh = slices.Insert(l.fresh, at, key)
		if len(l.fresh) > maxParts {
			delete(l.samples, l.fresh[maxParts])
			l.fresh = l.fresh[:maxParts]
		}
	}
	s = &sample{held: make([]int, l.profile[key].Len())}
	l.samples[key] = s
	return s
}

// include keeps the pages with the smallest hashes of their URLs, so that every night
// asks the same ones. Of equal contents it keeps one, so that copies of a page do not
// make its text the site's.
func (s *sample) include(page pageRef) {
	if same := slices.IndexFunc(s.pages, func(p pageRef) bool { return p.content == page.content }); same >= 0 {
		if s.pages[same].url <= page.url {
			return
		}
		s.pages = slices.Delete(s.pages, same, same+1)
	}
	at, _ := slices.BinarySearchFunc(s.pages, page, func(a, b pageRef) int {
		return cmp.Or(cmp.Compare(a.url, b.url), cmp.Compare(a.content, b.content))
	})
	s.pages = slices.Insert(s.pages, at, page)
	if len(s.pages) > sampleSize {
		s.pages = s.pages[:sampleSize]
	}
}

// Learn returns the sections that are new or changed, with a warning for each that
// changed. A section is learned once and stands until its template changed (see
// changed). The same is asked of a part that is not known yet: a few new pages do not
// tell what stands on all. fit says which origins the pages are to be believed of;
// draft returns a spooled draft. Learn errs where that does.
func (l *Learner) Learn(fit func(origin string) bool, draft func(at int64) (document.Draft, error)) (document.Profile, []document.Warning, error) {
	learned := document.Profile{}
	var warnings []document.Warning
	byDepth := func(a, b string) int { // origins first
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
	}
	for _, key := range slices.SortedFunc(maps.Keys(l.samples), byDepth) {
		origin, s := keysOf(key)[0], l.samples[key]
		old, known := l.profile[key]
		above, anew := learned[origin]
		due := s.changed() || anew && s.represents() // an origin holds what its parts need not repeat
		if !known {
			due = len(l.profile)+len(learned) < maxSections && (key == origin || s.represents())
		}
		if !due || !fit(origin) {
			continue
		}
		if !anew {
			above = l.profile[origin]
		}
		if key == origin {
			above = document.Section{}
		}
		now, ok, err := learn(s.pages, draft, &above, key == origin)
		if err != nil {
			return nil, nil, err
		}
		if !ok || now.Version == old.Version {
			continue
		}
		learned[key] = now
		if known {
			gone := missing(old.Blocks, now.Blocks) + missing(old.Titles, now.Titles) + missing(old.Heads, now.Heads) +
				missing(old.Tails, now.Tails) + missing(old.Descriptions, now.Descriptions)
			warnings = append(warnings, document.Warning{Kind: document.WarnTemplate, URL: key, Text: fmt.Sprintf(
				"the template changed: of %d lines and parts of titles that most pages here repeated %d are gone, %d are new; its pages are read again, and those whose document differs are sent with cause rules",
				old.Len(), gone, now.Len()-old.Len()+gone)})
		}
	}
	return learned, warnings, nil
}

// Doubtful reports whether some section may have to be learned, or learned anew: only
// then the pages count that did not change.
func (l *Learner) Doubtful() bool {
	for key, s := range l.samples {
		if _, known := l.profile[key]; s.changed() || !known && len(s.pages) >= leastRich {
			return true
		}
	}
	return false
}

// Keep takes in a page that was not read, because it did not change, after all that were
// offered.
func (l *Learner) Keep(url string) {
	for _, key := range keysOf(url) {
		if s := l.samples[key]; s != nil {
			s.kept++
		}
	}
}

// changed reports whether the template of a section changed: of at least 8 pages that
// were read, four fifths lack one and the same thing that most of them had. Of a
// section that had nothing in common, most of it must have changed.
func (s *sample) changed() bool {
	return s.read >= leastRich && s.represents() &&
		(len(s.held) == 0 || slices.ContainsFunc(s.held, func(n int) bool { return 5*n <= s.read }))
}

// represents reports whether the drafts of the run stand for the whole section: at
// least half of it was read, and half of that was spooled.
func (s *sample) represents() bool { return s.read >= s.kept && 2*s.drafts >= s.read }

// missing returns how many of old are not in now.
func missing[T cmp.Ordered](old, now []T) int { return len(without(now, slices.Clone(old))) }

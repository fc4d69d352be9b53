package profile

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	maxSections = 1024 // maximum sections (origins or parts of the site) in a profile (text that pages share)
	maxParts    = 512  // maximum new parts of the site (first folders of paths) that one run learns
	sampleSize  = 60   // maximum pages that a section is learned from
)

// Learner makes the profile of a site (text that its pages share) from a run. It needs less than 10 MB.
type Learner struct {
	profile document.Profile
	samples map[string]*sample
	fresh   []string // keys of parts of the site that the profile does not have, sorted by hash
}

type sample struct {
	pages  []pageRef // pages to learn from, sorted by the hash of the URL, all with different content
	kept   int       // number of pages that were not read, because they did not change
	read   int
	drafts int   // number of the read pages whose draft was stored
	held   []int // for each known entry of the section, number of read pages that have the entry
}

// NewLearner returns a Learner. The parameter profile is the site's profile from earlier runs.
func NewLearner(profile document.Profile) *Learner {
	return &Learner{profile: profile, samples: map[string]*sample{}}
}

// Offer adds a page that was read. For each known entry (repeated line, title part or description) it counts
// the pages that have it. The page's draft (the document before repetitions are removed) joins the sample,
// unless the page names another page of its origin as canonical.
func (l *Learner) Offer(seen *document.Sighting) {
	sectionBit := 0
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
				if at := sectionBit + j; at/8 < len(seen.Held) && seen.Held[at/8]&(1<<(at%8)) != 0 {
					s.held[j]++
				}
			}
		}
		isCopy := seen.Canonical != "" && weburl.Origin(seen.Canonical) == weburl.Origin(seen.URL)
		if seen.Draft != 0 && !isCopy && !seen.Content.IsZero() {
			s.include(pageRef{binary.BigEndian.Uint64(seen.Content[:]), xxhash.Sum64String(seen.URL), seen.Draft})
		}
		sectionBit += len(s.held)
	}
}

// sampleOf returns the sample of a section, or nil. At most maxParts new parts of the site have a sample:
// those whose keys have the smallest hashes. So the order of the pages does not matter.
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

// include adds a page to the sample. The sample keeps the pages whose URLs have the smallest hashes, so each
// run samples the same pages. Of pages with equal content it keeps one: copies look like repetition.
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

// Learn returns the sections that are new or changed, with a warning for each changed section. It learns a
// known section again if its template (text around the content) changed, or if its origin was learned in this
// run and its drafts represent the section. It learns a new part of the site only if the run read at least
// half of its pages. It learns nothing from an origin for which fit returns false. draft returns a stored
// draft. Learn errs if draft errs.
func (l *Learner) Learn(
	fit func(origin string) bool, draft func(at int64) (document.Draft, error),
) (document.Profile, []document.Warning, error) {
	learned := document.Profile{}
	var warnings []document.Warning
	byDepth := func(a, b string) int { // sorts origins before their parts
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
	}
	for _, key := range slices.SortedFunc(maps.Keys(l.samples), byDepth) {
		origin, s := keysOf(key)[0], l.samples[key]
		old, known := l.profile[key]
		above, originLearned := learned[origin]
		due := s.changed() || originLearned && s.represents() // a part leaves out its origin's entries
		if !known {
			due = len(l.profile)+len(learned) < maxSections && (key == origin || s.represents())
		}
		if !due || !fit(origin) {
			continue
		}
		if !originLearned {
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
			text := "the template changed: its pages are read again, " +
				"and those whose document differs are sent with cause rules"
			warnings = append(warnings, document.Warning{Kind: document.WarnTemplate, URL: key, Text: text})
		}
	}
	return learned, warnings, nil
}

// Doubtful reports whether some section may have to be learned. Only then must Keep be called.
func (l *Learner) Doubtful() bool {
	for key, s := range l.samples {
		if _, known := l.profile[key]; s.changed() || !known && len(s.pages) >= leastRich {
			return true
		}
	}
	return false
}

// Keep counts a page that was not read, because it did not change. Call it after all calls of Offer.
func (l *Learner) Keep(url string) {
	for _, key := range keysOf(url) {
		if s := l.samples[key]; s != nil {
			s.kept++
		}
	}
}

// changed reports whether a section's template changed: an entry is on at most a fifth of the read pages, or
// the section has no entry. The run must have read at least 8 pages, and they must represent the section.
func (s *sample) changed() bool {
	return s.read >= leastRich && s.represents() &&
		(len(s.held) == 0 || slices.ContainsFunc(s.held, func(n int) bool { return 5*n <= s.read }))
}

// represents reports whether the drafts stand for the whole section: at least half of its pages were read,
// and at least half of the read pages have a draft.
func (s *sample) represents() bool { return s.read >= s.kept && 2*s.drafts >= s.read }

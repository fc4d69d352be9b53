package trap

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// A pattern is a regular expression for similar URLs. A shape is a pattern for URLs that differ only in
// numbers, tokens or parameters. A cap is the most URLs of a pattern that a run requests. A wave is a round
// of the crawl; each wave leads one link further than the wave before.
const (
	usualCap    = 10_000  // most URLs of one pattern; a part of a site with more URLs needs a sitemap
	maxPatterns = 100_000 // most patterns counted at a time, in about 5 MB
	maxCaps     = 1000    // most patterns that are reported; hosts of unreported ones count as incomplete
	chainLink   = 2       // most new URLs of a shape in a wave if each page links only to its neighbours
	commonPair  = 10      // a filter value occurs in at least this many URLs; a rarer value may name a page
)

// These divisors lower the cap for suspicious patterns.
const (
	ofSession  = 200 // URLs with a session ID; their pages also have a URL without the ID
	ofSame     = 200 // pages with the same text, such as empty days of a calendar
	ofChain    = 33  // pages that each link only to the next page; the next run goes on from the last page
	ofCombined = 10  // combined filters, which show the same goods of a shop again and again
)

// URL is a URL in the queue of a wave.
type URL struct {
	URL   string // in canonical form
	Host  int    // index of its host
	FP    uint64 // spool.Fingerprint of URL
	Known bool   // never left out, such as a URL of the previous run; it still counts towards a cap
	Asked bool   // an interrupted run already requested it
}

// A Traps value counts the URLs of one run by their patterns.
type Traps struct {
	limit  int
	wave   uint32
	counts map[uint64]count
	below  uint64 // only keys (hashes of patterns) below this value are counted in the current wave
	bodies *spool.Log
	next   int64 // offset of the next record in bodies to count
	caps   map[string]*trapped
	cut    map[string]bool // origins with a pattern that is not reported
}

type count struct {
	total  uint32 // known URLs, and new URLs of earlier waves that were not left out
	chain  uint32 // new URLs from waves that brought at most chainLink new URLs of the pattern
	inWave uint32
	stay   uint32 // new URLs of the current wave that are not left out
	wave   uint32 // number of the wave whose URLs inWave and stay count
	same   bool   // at least share(ofSame) pages of this shape have the same text
	bodies uint32 // pages of this shape whose text was noted
	most   uint32 // largest number of pages of this shape that have the same text
}

// New returns a Traps. most is the largest number of URLs for a pattern; 0 means the default. bodies is the
// log for the records of NoteBody, perhaps with records of an interrupted run. The caller closes bodies.
func New(most int, bodies *spool.Log) *Traps {
	return &Traps{
		limit: cmp.Or(most, usualCap), counts: map[uint64]count{}, below: math.MaxUint64, bodies: bodies,
		caps: map[string]*trapped{}, cut: map[string]bool{},
	}
}

func (t *Traps) share(of int) int { return max(2, t.limit/of) }

// Wave calls leaveOut for each URL in a wave's queue that is over a cap. It reads the queue first to count
// and then to decide, so the order of the URLs has no effect. wave is the wave's number, as given to
// NoteBody. leaveOut returns false if the crawl would not request the URL anyway.
func (t *Traps) Wave(wave int, queue iter.Seq[URL], leaveOut func(URL) bool) {
	t.wave++
	t.countBodies(wave)
	for u := range queue {
		for _, p := range patternsOf(u.URL) {
			t.update(p.key(u.Host), func(c *count) {
				if u.Known {
					c.total++
				} else {
					c.inWave++
				}
			})
		}
	}
	for u := range queue {
		if !u.Known {
			t.decide(u, leaveOut)
		}
	}
	// Make room for the patterns of the next wave: drop the patterns with the fewest URLs.
	for least := uint32(2); len(t.counts) > maxPatterns/2 && least < 1<<30; least *= 2 {
		maps.DeleteFunc(t.counts, func(_ uint64, c count) bool { return c.total+c.stay < least && !c.same })
	}
	t.below = math.MaxUint64
}

func (t *Traps) decide(u URL, leaveOut func(URL) bool) {
	patterns := patternsOf(u.URL)
	if !u.Asked {
		for _, p := range patterns {
			why := t.over(p, u, patterns)
			if why == "" {
				continue
			}
			if !leaveOut(u) {
				break
			}
			t.note(p, why, u.URL)
			return
		}
	}
	for _, p := range patterns {
		t.update(p.key(u.Host), func(c *count) {
			c.stay++
			if c.inWave <= chainLink {
				c.chain++
			}
		})
	}
}

// over returns why the URL u is over the cap of its pattern p, or "". patterns are all patterns of u. If only
// some URLs of the wave fit, those with small fingerprints (hashes) are kept.
func (t *Traps) over(p pattern, u URL, patterns []pattern) (why string) {
	c, most := t.count(p.key(u.Host)), t.limit
	switch {
	case p.kind == repeat:
		return "the path repeats itself, as a relative link that stands on every page makes it"
	case p.kind == pair:
		return ""
	case p.kind == session:
		name, _ := weburl.SessionParam(u.URL)
		most, why = t.share(ofSession), name+" names sessions, not pages; put it into site.ignore_params"
	case c.same:
		return fmt.Sprintf("%d of their pages differ in digits alone", t.share(ofSame))
	case int(c.chain) >= t.share(ofChain):
		return fmt.Sprintf("%d were found in this run one behind the other", t.share(ofChain))
	case t.combines(u, patterns):
		most = t.share(ofCombined)
		why = fmt.Sprintf("%d combinations of these parameters are looked at", most)
	}
	room, wanted := most-int(c.total), int(c.inWave)
	if room > 0 && (wanted <= room || u.FP/uint64(room) < math.MaxUint64/uint64(wanted)) {
		return ""
	}
	return cmp.Or(why, fmt.Sprintf("%d of them are looked at", most))
}

// combines reports whether each parameter value of a URL is also in many other URLs. Such a URL only combines
// known values.
func (t *Traps) combines(u URL, patterns []pattern) bool {
	pairs := 0
	for _, p := range patterns {
		if p.kind != pair {
			continue
		}
		pairs++
		if c := t.count(p.key(u.Host)); c.total+c.inWave < commonPair {
			return false
		}
	}
	return pairs > 0
}

// count returns the count of a key, after moving the URLs of an earlier wave into total.
func (t *Traps) count(key uint64) count {
	c := t.counts[key]
	if c.wave != t.wave {
		c.total += c.stay
		c.wave, c.inWave, c.stay = t.wave, 0, 0
	}
	return c
}

// update changes a count. It keeps only the smallest keys, at most maxPatterns, by lowering t.below. t.below
// never rises within a wave, so the count of a kept key is complete in any order of the URLs.
func (t *Traps) update(key uint64, change func(*count)) {
	if key >= t.below {
		return
	}
	c := t.count(key)
	change(&c)
	t.counts[key] = c
	for len(t.counts) > maxPatterns {
		t.below /= 2
		maps.DeleteFunc(t.counts, func(key uint64, _ count) bool { return key >= t.below })
	}
}

type trapped struct {
	urls         int
	why, example string
}

func (t *Traps) note(p pattern, why, url string) {
	id := weburl.Origin(url) + " " + p.text
	if t.caps[id] == nil {
		if len(t.caps) >= 2*maxCaps {
			t.firstCaps()
		}
		t.caps[id] = &trapped{why: why, example: url}
	}
	c := t.caps[id]
	c.urls, c.why, c.example = c.urls+1, min(c.why, why), min(c.example, url)
}

// firstCaps returns the first maxCaps keys of t.caps in order, and drops the others. A dropped key can't be
// among the first later, since keys are only added.
func (t *Traps) firstCaps() []string {
	ids := slices.Sorted(maps.Keys(t.caps))
	first := ids[:min(len(ids), maxCaps)]
	for _, id := range ids[len(first):] {
		t.cut[weburl.Origin(t.caps[id].example)] = true
		delete(t.caps, id)
	}
	return first
}

// Caps returns the patterns whose URLs were left out, sorted. cut are the hosts of patterns that are not
// reported.
func (t *Traps) Caps() (caps []document.Cap, cut []string) {
	for _, id := range t.firstCaps() {
		c := t.caps[id]
		host, form, _ := strings.Cut(id, " ")
		why := fmt.Sprintf("URLs like this one are left out, %d in this run: %s", c.urls, c.why)
		caps = append(caps, document.Cap{Host: host, Pattern: form, Why: why, Example: c.example})
	}
	return caps, slices.Sorted(maps.Keys(t.cut))
}

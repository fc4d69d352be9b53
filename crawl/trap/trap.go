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

const (
	usualCap    = 10_000  // URLs of a pattern: a section with more that no sitemap lists needs one
	maxPatterns = 100_000 // that are counted at a time, in about 5 MB
	maxCaps     = 1000    // that are reported; the hosts of further ones count as not covered
	chainLink   = 2       // new URLs of a shape in a wave, at most, when they are found one by one: one on either side
	commonPair  = 10      // a value in fewer URLs is not combined but names a page of its own
)

// What lets fewer URLs of a pattern be asked: it divides the cap.
const (
	ofSession  = 200 // each is a page that has another address too
	ofSame     = 200 // empty days of a calendar; few sites have as many pages without a word of their own
	ofChain    = 33  // new ones, in one run; longer paginations are rare, and continue when their last page is read again
	ofCombined = 10  // filters of a shop show the same goods again and again
)

// URL is a URL in a wave's queue.
type URL struct {
	URL   string // canonical
	Host  int    // index of its host
	FP    uint64 // spool.Fingerprint of URL
	Known bool   // not a link alone brought it here: it counts, and is asked
	Asked bool   // an interrupted run asked it
}

// Traps counts the URLs of one run.
type Traps struct {
	limit  int              // URLs of a pattern
	wave   uint32           // number of the wave at hand
	counts map[uint64]count // by key
	below  uint64           // keys from here on are not counted in this wave
	bodies *spool.Log       // see NoteBody
	next   int64            // where in bodies the next wave's begin
	caps   map[string]*trapped
	cut    map[string]bool // hosts with a cap that is not reported
}

// count is how many URLs have a pattern.
type count struct {
	total  uint32 // known ones, and new ones of earlier waves
	chain  uint32 // of those, new ones that came one by one
	inWave uint32 // new ones of the wave
	stay   uint32 // of those, the ones that are not left out
	wave   uint32
	same   bool   // the pages of this shape say the same
	bodies uint32 // pages of this shape whose text was noted
	most   uint32 // of those, the ones of one text
}

// New returns traps that let so many URLs of a pattern be asked; 0 is as many as usual.
// bodies is a log that an interrupted run may have left; whoever opened it closes it.
func New(most int, bodies *spool.Log) *Traps {
	return &Traps{
		limit: cmp.Or(most, usualCap), counts: map[uint64]count{}, below: math.MaxUint64, bodies: bodies,
		caps: map[string]*trapped{}, cut: map[string]bool{},
	}
}

// share returns a part of the cap.
func (t *Traps) share(of int) int { return max(2, t.limit/of) }

// Wave takes out of a wave's queue all that is over a cap. It goes through the queue
// twice, so that no decision depends on another one: to count and to decide. wave is the
// number that NoteBody gets; it grows. leaveOut takes a URL out; it returns false where
// that changes nothing, since the URL would not be asked anyway.
func (t *Traps) Wave(wave int, queue iter.Seq[URL], leaveOut func(URL) bool) {
	t.wave++
	t.countBodies(wave)
	fresh := false
	for u := range queue {
		fresh = fresh || !u.Known
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
	if fresh {
		for u := range queue {
			if !u.Known {
				t.decide(u, leaveOut)
			}
		}
	}
	// Make room for the patterns of the next wave: those of the fewest URLs go first.
	for least := uint32(2); len(t.counts) > maxPatterns/2 && least < 1<<30; least *= 2 {
		maps.DeleteFunc(t.counts, func(_ uint64, c count) bool { return c.total+c.stay < least && !c.same })
	}
	t.below = math.MaxUint64
}

// decide leaves a new URL out, or counts it as one that stays.
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

// over returns in words why a pattern has no room for a URL with these patterns; nothing
// where it has. Where a part of a wave has room, the URLs with the smallest fingerprints
// get it.
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

// combines reports whether many other URLs have each parameter of a URL with the same
// value: then it is one more combination of them.
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

// count returns the count of a key in the wave at hand.
func (t *Traps) count(key uint64) count {
	c := t.counts[key]
	if c.wave != t.wave {
		c.total += c.stay
		c.wave, c.inWave, c.stay = t.wave, 0, 0
	}
	return c
}

// update changes a count. Where there are too many, those with the smallest keys
// stay: a key that is below the bound at last was below it all the time, so that its
// count is whole, whatever the order.
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

// trapped is the URLs of a host that a pattern leaves out.
type trapped struct {
	urls         int
	why, example string // the smallest of them
}

// note notes that a URL is left out.
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

// firstCaps returns the first caps in order and drops the others, which would be cut
// off at the end as well.
func (t *Traps) firstCaps() []string {
	ids := slices.Sorted(maps.Keys(t.caps))
	first := ids[:min(len(ids), maxCaps)]
	for _, id := range ids[len(first):] {
		t.cut[weburl.Origin(t.caps[id].example)] = true
		delete(t.caps, id)
	}
	return first
}

// Caps returns the patterns that left URLs out, in order, and the hosts that have more of
// them than a report lists.
func (t *Traps) Caps() (caps []document.Cap, cut []string) {
	for _, id := range t.firstCaps() {
		c := t.caps[id]
		host, form, _ := strings.Cut(id, " ")
		why := fmt.Sprintf("URLs like this one are left out, %d in this run: %s", c.urls, c.why)
		caps = append(caps, document.Cap{Host: host, Pattern: form, Why: why, Example: c.example})
	}
	return caps, slices.Sorted(maps.Keys(t.cut))
}

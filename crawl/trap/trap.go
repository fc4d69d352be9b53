package trap

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

const (
	maxPatterns = 100_000 // that are counted at a time, in about 4 MB
	maxCaps     = 1000    // that are reported; the hosts of further ones count as not covered
	chainLink   = 2       // new URLs of a shape in a wave, at most, when they are found one by one: one on either side
)

// URL is a URL in a wave's queue.
type URL struct {
	URL   string // canonical
	Host  int    // index of its host
	FP    uint64 // spool.Fingerprint of URL
	Known bool   // not a link alone brought it here: it counts, and is asked
	Asked bool   // an interrupted run asked it
	Out   bool   // leaveOut took it out of the queue
}

// Traps counts the URLs of one run.
type Traps struct {
	limits Limits
	wave   uint32           // number of the wave at hand
	counts map[uint64]count // by key
	below  uint64           // keys from here on are not counted in this wave
	bodies *spool.Log       // see NoteBody
	next   int64            // where in bodies the next wave's begin
	caps   map[capID]*trapped
	cut    map[string]bool // hosts with a cap that is not reported
}

// count is how many URLs have a pattern.
type count struct {
	total  uint32 // known ones, and new ones of earlier waves
	chain  uint32 // of those, new ones that came one by one
	inWave uint32 // new ones of the wave
	wave   uint32
	same   bool // the pages of this shape say the same
}

// New returns traps with the limits; where one is 0 it is the default. bodies is a
// log that an interrupted run may have left; whoever opened it closes it.
func New(limits Limits, bodies *spool.Log) *Traps {
	for kind, limit := range defaultLimits {
		limits[kind] = cmp.Or(limits[kind], limit)
	}
	return &Traps{
		limits: limits, counts: map[uint64]count{}, below: math.MaxUint64, bodies: bodies,
		caps: map[capID]*trapped{}, cut: map[string]bool{},
	}
}

// Wave takes out of a wave's queue all that is over a limit. It goes through the queue
// three times, so that no decision depends on another one: to count, to decide, and
// to count what goes. wave is the number that NoteBody gets; it grows. leaveOut takes a
// URL out; it returns false where that changes nothing, since the URL would not be
// asked anyway.
func (t *Traps) Wave(wave int, queue iter.Seq[URL], leaveOut func(URL) bool) {
	t.wave++
	t.countBodies(wave)
	fresh := false
	for u := range queue {
		fresh = fresh || !u.Known
		for _, p := range patternsOf(u.URL) {
			switch {
			case !p.kind.counted():
			case u.Known:
				t.update(p.key(u.Host), func(c *count) { c.total++ })
			default:
				t.update(p.key(u.Host), func(c *count) { c.inWave++ })
			}
		}
	}
	if fresh {
		for u := range queue {
			if u.Known || u.Asked {
				continue
			}
			patterns := patternsOf(u.URL)
			trap := slices.IndexFunc(patterns, func(p pattern) bool { return t.over(p, u) })
			if trap >= 0 && leaveOut(u) {
				t.note(patterns[trap], u.URL)
			}
		}
		for u := range queue {
			if u.Known || u.Out {
				continue
			}
			for _, p := range patternsOf(u.URL) {
				switch key := p.key(u.Host); {
				case p.kind.counted():
					t.update(key, func(c *count) { c.total++ })
				case p.kind == Chain && t.count(key).inWave <= chainLink:
					t.update(key, func(c *count) { c.chain++ })
				}
			}
		}
	}
	// Make room for the patterns of the next wave: those of the fewest URLs go first.
	for least := uint32(2); len(t.counts) > maxPatterns/2 && least < 1<<30; least *= 2 {
		maps.DeleteFunc(t.counts, func(_ uint64, c count) bool { return c.total < least && !c.same })
	}
	t.below = math.MaxUint64
}

// over reports whether a pattern has no room for a URL. Where a part of a wave has
// room, the URLs with the smallest fingerprints get it.
func (t *Traps) over(p pattern, u URL) bool {
	c := t.count(p.key(u.Host))
	room, wanted := t.limits[p.kind]-int(c.total), int(c.inWave)
	switch p.kind {
	case Repeat:
		return true
	case Pair:
		return false
	case Same:
		return c.same
	case Chain:
		return int(c.chain) >= t.limits[Chain]
	case Combined, Couple:
		if wanted > room && !t.common(u) {
			return false
		}
	}
	return room <= 0 || wanted > room && u.FP/uint64(room) >= math.MaxUint64/uint64(wanted)
}

// common reports whether many other URLs have each parameter of a URL with the same
// value: then it is one more combination of them.
func (t *Traps) common(u URL) bool {
	_, query, _ := strings.Cut(u.URL, "?")
	for pair := range strings.SplitSeq(query, "&") {
		c := t.count(pattern{Pair, pair}.key(u.Host))
		if int(c.total+c.inWave) < t.limits[Pair] {
			return false
		}
	}
	return true
}

// count returns the count of a key in the wave at hand.
func (t *Traps) count(key uint64) count {
	c := t.counts[key]
	if c.wave != t.wave {
		c.wave, c.inWave = t.wave, 0
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

// key returns the key under which the URLs of a host are counted for a pattern. The
// kinds that have the same pattern share it.
func (p pattern) key(host int) uint64 {
	kind := p.kind
	if kind == Same || kind == Chain {
		kind = Shape
	}
	var h xxhash.Digest
	h.ResetWithSeed(uint64(kind)<<32 | uint64(host))
	_, _ = h.WriteString(p.text) // never errs
	return h.Sum64()
}

// capID is a pattern of a host.
type capID struct{ host, pattern string }

// trapped is the URLs that a pattern leaves out.
type trapped struct {
	kind    Kind
	urls    int
	example string // the smallest of them
}

// note notes that a URL is left out.
func (t *Traps) note(p pattern, url string) {
	id := capID{weburl.Origin(url), p.text}
	if t.caps[id] == nil {
		if len(t.caps) >= 2*maxCaps {
			t.firstCaps()
		}
		t.caps[id] = &trapped{kind: p.kind, example: url}
	}
	c := t.caps[id]
	c.urls, c.example = c.urls+1, min(c.example, url)
}

// firstCaps returns the first caps in order and drops the others, which would be cut
// off at the end as well.
func (t *Traps) firstCaps() []capID {
	ids := slices.SortedFunc(maps.Keys(t.caps), func(a, b capID) int {
		return cmp.Or(strings.Compare(a.host, b.host), strings.Compare(a.pattern, b.pattern))
	})
	if len(ids) <= maxCaps {
		return ids
	}
	for _, id := range ids[maxCaps:] {
		delete(t.caps, id)
		t.cut[id.host] = true
	}
	return ids[:maxCaps]
}

// Caps returns the patterns that left URLs out, in order, and the hosts that have
// more of them than are told apart.
func (t *Traps) Caps() (caps []document.Cap, cut []string) {
	for _, id := range t.firstCaps() {
		c := t.caps[id]
		why := fmt.Sprintf("URLs like this one are left out, %d in this run: %s", c.urls, t.limits.why(c.kind, c.example))
		caps = append(caps, document.Cap{Host: id.host, Pattern: id.pattern, Why: why, Example: c.example})
	}
	return caps, slices.Sorted(maps.Keys(t.cut))
}

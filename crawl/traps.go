package crawl

import (
	"iter"
	"math"
	"path/filepath"
	"strings"

	"sitesync/crawl/robots"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// traps keeps the crawl out of URLs that lead on without end: calendars, session
// IDs, filters, links that repeat themselves. Between two waves it counts what is
// queued, by patterns, and leaves out what is over a limit. What is known, listed
// in a sitemap or a start URL is always asked: a cap costs nothing that was ever
// found, and whoever wants more lists it.
//
// Counts depend on the set of URLs alone, not on their order, and take constant
// memory. A resumed run counts anew from the queues on disk.
type traps struct {
	*run
	limits trapLimits
	reader trapReader
	total  *sketch         // what was asked, or will be, up to the wave before
	inWave *sketch         // what is new in the wave at hand
	same   map[uint64]bool // shapes whose pages say the same; at least sameTrap's limit of pages each
	bodies *spool.Log      // of the pages that were read: see noteBody
	next   int64           // where in bodies the next wave's begin
	caps   map[capID]*trapCap
}

// openTraps returns nil for a folder, which has an end.
func openTraps(r *run) (*traps, error) {
	if r.folder != nil {
		return nil, nil
	}
	log, err := spool.OpenLog(filepath.Join(r.opts.Work, "bodies.log"))
	if err != nil {
		return nil, err
	}
	r.opts.Group.Add(log, true)
	return &traps{run: r, limits: r.trapLimits, total: &sketch{}, inWave: &sketch{}, same: map[uint64]bool{}, bodies: log, caps: map[capID]*trapCap{}}, nil
}

func (t *traps) close() error {
	if t == nil {
		return nil
	}
	err := t.opts.Group.Remove(t.bodies)
	if closeErr := t.bodies.Close(); err == nil {
		err = closeErr
	}
	return err
}

// queuedURL is a URL in a wave's queue.
type queuedURL struct {
	url   string
	host  int
	fp    uint64
	flags uint16
}

// known reports whether it is no page's link that brought the URL here, or not it
// alone: then it counts and is asked. A known URL in its new form is such a one.
func (q *queuedURL) known() bool { return q.flags&(spool.Known|spool.Seeded) != 0 }

// gauge marks what a wave leaves out. It goes through the queue three times, so
// that no decision depends on what was decided before it: to count, to decide, and
// to count what goes.
func (t *traps) gauge(wave int) {
	if t == nil || wave == againWave { // which is known
		return
	}
	t.sameBodies(wave)
	t.inWave.clear()
	fresh := false
	for q := range t.queued(wave) {
		fresh = fresh || !q.known()
		t.count(&q)
	}
	if !fresh {
		return
	}
	for q := range t.queued(wave) {
		if !q.known() && q.flags&spool.Sighted == 0 {
			t.decide(&q)
		}
	}
	for q := range t.queued(wave) {
		if !q.known() && q.flags&spool.Capped == 0 {
			t.settle(&q)
		}
	}
}

// queued yields what counts in a wave: neither start URLs nor what a sitemap
// lists.
func (t *traps) queued(wave int) iter.Seq[queuedURL] {
	return func(yield func(queuedURL) bool) {
		for _, h := range t.order {
			for url := range t.frontier.urls(queueKey{wave, h.index}) {
				q := queuedURL{url: url, host: h.index, fp: spool.Fingerprint(url)}
				q.flags, _ = t.opts.Table.Get(q.fp)
				twice := isSecond(wave) && q.flags&spool.Queued != 0 // counted where it stood first
				if q.flags&(spool.Start|spool.InSitemap) != 0 || twice {
					continue
				}
				if !yield(q) {
					return
				}
			}
		}
	}
}

// count counts a URL of the wave, for good when it is known.
func (t *traps) count(q *queuedURL) {
	into := t.inWave
	if q.known() {
		into = t.total
	}
	for kind, pattern := range t.reader.patterns(q.url) {
		if kind.counted() {
			into.add(trapKey(kind, q.host, pattern))
		}
	}
}

// counted reports whether URLs are counted for a kind as they are queued.
func (k trapKind) counted() bool { return k != repeatTrap && k != sameTrap && k != chainTrap }

// decide leaves a URL out when a pattern of it is a trap. What robots.txt forbids is
// not asked anyway: there is nothing to report.
func (t *traps) decide(q *queuedURL) {
	for kind, pattern := range t.reader.patterns(q.url) {
		if !t.over(kind, pattern, q) {
			continue
		}
		if rules := t.order[q.host].robots; rules == nil || allows(rules, q.url) {
			t.opts.Table.Mark(q.fp, spool.Capped)
			t.leave(kind, string(pattern), q.url)
		}
		return
	}
}

func allows(rules *robots.Rules, url string) bool {
	allowed, _ := rules.Allowed(weburl.Target(url))
	return allowed
}

// over reports whether a pattern has no room for a URL. Where there is room for
// some of a wave, those with the smallest fingerprints get it.
func (t *traps) over(kind trapKind, pattern []byte, q *queuedURL) bool {
	key := trapKey(kind, q.host, pattern)
	room, wanted := t.limits[kind]-t.total.count(key), t.inWave.count(key)
	switch kind {
	case repeatTrap:
		return true
	case pairCount:
		return false
	case sameTrap:
		return t.same[key]
	case chainTrap:
		return room <= 0
	case combinedTrap, coupleTrap:
		if wanted > room && !t.common(q.url, q.host) {
			return false
		}
	}
	return room <= 0 || wanted > room && q.fp/uint64(room) >= math.MaxUint64/uint64(wanted)
}

// settle counts a new URL that goes. Those that came one by one count in a chain.
func (t *traps) settle(q *queuedURL) {
	for kind, pattern := range t.reader.patterns(q.url) {
		key := trapKey(kind, q.host, pattern)
		if kind.counted() || kind == chainTrap && t.inWave.count(trapKey(shapeTrap, q.host, pattern)) <= chainLink {
			t.total.add(key)
		}
	}
}

// common reports whether every parameter of a URL has a value that many others have
// as well: then it is but one more combination of them.
func (t *traps) common(url string, host int) bool {
	_, query, _ := strings.Cut(url, "?")
	for pair := range strings.SplitSeq(query, "&") {
		key := trapKey(pairCount, host, []byte(pair))
		if t.total.count(key)+t.inWave.count(key) < t.limits[pairCount] {
			return false
		}
	}
	return true
}

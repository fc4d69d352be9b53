package crawl

import (
	"fmt"
	"iter"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/weburl"
)

// trapKind is a way in which URLs lead on without end. Of several that hold a URL
// back the first is the one that is reported.
type trapKind byte

const (
	repeatTrap   trapKind = iota // the path repeats itself
	sessionTrap                  // session IDs
	sameTrap                     // pages of one shape with one text
	chainTrap                    // pages of one shape, found one by one
	combinedTrap                 // three parameters or more, in all their combinations
	coupleTrap                   // two
	shapeTrap                    // pages of one shape
	nameTrap                     // pages of one path with one parameter
	pairCount                    // no trap: how often a parameter has a value
	bodyCount                    // no trap: how often pages of one shape have one text
)

// trapLimits are how many URLs of a pattern are asked that no sitemap lists: what
// is known counts as well, or a trap would grow by as many every night.
type trapLimits [bodyCount]int

func defaultTrapLimits() trapLimits {
	return trapLimits{
		sessionTrap:  50,     // each is a page that has another address too
		sameTrap:     50,     // empty days of a calendar; few sites have as many pages without a word of their own
		chainTrap:    300,    // new ones, in one run; longer paginations are rare, and go on when their last page is read again
		combinedTrap: 1_000,  // filters of a shop show the same goods again and again
		coupleTrap:   10_000, // a category and a page number are two parameters as well
		shapeTrap:    10_000, // a section with more unlisted pages than that needs a sitemap
		nameTrap:     10_000, // the same, for parameters that come and go
		pairCount:    10,     // a value in fewer URLs is not combined but names a page of its own
	}
}

// chainLink is how many new URLs of a shape a wave brings at most when they are
// found one by one: one on either side.
const chainLink = 2

// trapReader says in which patterns a URL counts. It uses its memory again: it is
// for one goroutine.
type trapReader struct {
	shape shape
	buf   []byte
}

// patterns yields the patterns of a canonical URL, all of which match it. They are
// valid until the next step.
func (r *trapReader) patterns(url string) iter.Seq2[trapKind, []byte] {
	return func(yield func(trapKind, []byte) bool) {
		target := weburl.Target(url)
		path, query, _ := strings.Cut(target, "?")
		if pattern := repeated(path); pattern != "" && !yield(repeatTrap, []byte(pattern)) {
			return
		}
		if _, pattern := weburl.SessionParam(target); pattern != "" && !yield(sessionTrap, []byte(pattern)) {
			return
		}
		if query == "" && !strings.ContainsAny(path, "0123456789") { // most: nothing varies
			return
		}
		if r.shape.read(path, query); !r.shape.variable {
			return
		}
		form := r.shape.pattern
		_ = yield(sameTrap, form) && yield(chainTrap, form) && r.combined(query, yield) && yield(shapeTrap, form) && r.named(yield)
	}
}

// combined yields what several parameters count in. The path is no part of that: a
// shop has the same filters on every shelf.
func (r *trapReader) combined(query string, yield func(trapKind, []byte) bool) bool {
	kind := coupleTrap
	switch n := len(r.shape.names); {
	case n < 2:
		return true
	case n > 2:
		kind = combinedTrap
	}
	if !yield(kind, r.shape.pattern[r.shape.path:]) {
		return false
	}
	for pair := range strings.SplitSeq(query, "&") {
		if r.buf = append(r.buf[:0], pair...); !yield(pairCount, r.buf) {
			return false
		}
	}
	return true
}

func (r *trapReader) named(yield func(trapKind, []byte) bool) bool {
	for _, name := range r.shape.names {
		r.buf = append(r.buf[:0], r.shape.pattern[:r.shape.path]...)
		r.buf = append(r.buf, `\?(?:.*&)?`...)
		r.buf = append(r.buf, name...)
		if r.buf = append(r.buf, `(?:[=&]|$)`...); !yield(nameTrap, r.buf) {
			return false
		}
	}
	return true
}

// trapKey returns the key under which a pattern of a host is counted.
func trapKey(kind trapKind, host int, pattern []byte) uint64 {
	var h xxhash.Digest
	h.ResetWithSeed(uint64(kind)<<32 | uint64(host))
	_, _ = h.Write(pattern) // never errs
	return h.Sum64()
}

// why says in words why URLs of a pattern are left out.
func (l trapLimits) why(kind trapKind, example string) string {
	switch kind {
	case repeatTrap:
		return "the path repeats itself, as a relative link that stands on every page makes it"
	case sessionTrap:
		name, _ := weburl.SessionParam(example)
		if strings.Contains(example, ";"+name) {
			return name + " names sessions, not pages; the server should keep it out of addresses"
		}
		return name + " names sessions, not pages; put it into site.ignore_params"
	case sameTrap:
		return fmt.Sprintf("%d of their pages say the same but for digits", l[kind])
	case chainTrap:
		return fmt.Sprintf("%d were found in this run one behind the other", l[kind])
	case combinedTrap, coupleTrap:
		return fmt.Sprintf("%d combinations of these parameters are looked at", l[kind])
	}
	return fmt.Sprintf("%d of them are looked at", l[kind])
}

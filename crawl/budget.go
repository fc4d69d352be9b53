package crawl

import (
	"math"
	"slices"

	"sitesync/crawl/frontier"
	"sitesync/internal/spool"
)

// picker says whether a URL of a wave is asked within max_pages.
type picker func(fp uint64, flags uint16) bool

// divideBudget divides max_pages: start URLs always go, then what is known, then the
// rest. Within a group those with the smallest fingerprints go, so that the choice
// depends on nothing but the URLs.
func (r *run) divideBudget() {
	if r.opts.MaxPages == 0 {
		return
	}
	known := r.opts.Table.Fingerprints(spool.Known, spool.Start)
	room := max(0, r.opts.MaxPages-r.opts.Table.Count(spool.Start))
	r.knownLimit = smallest(known, room)
	r.budget = max(0, room-len(known))
}

// smallest returns the n-th smallest of fps, the largest value when there are no
// more than n.
func smallest(fps []uint64, n int) uint64 {
	switch {
	case len(fps) <= n:
		return math.MaxUint64
	case n == 0:
		return 0
	}
	slices.Sort(fps)
	return fps[n-1]
}

// pick returns the picker of a wave.
func (r *run) pick(wave int) picker {
	if r.opts.MaxPages == 0 || wave >= frontier.AgainWave {
		return func(uint64, uint16) bool { return true }
	}
	var fresh []uint64
	for _, h := range r.crawler.order {
		for url := range r.frontier.URLs(frontier.Key{Wave: wave, Host: h.index}) {
			fp := spool.Fingerprint(url)
			if flags, _ := r.opts.Table.Get(fp); flags&(spool.Known|spool.Start|spool.Capped) == 0 {
				fresh = append(fresh, fp)
			}
		}
	}
	limit := smallest(fresh, r.budget)
	r.budget = max(0, r.budget-len(fresh))
	return func(fp uint64, flags uint16) bool {
		switch {
		case flags&spool.Start != 0:
			return true
		case flags&spool.Known != 0:
			return fp <= r.knownLimit
		}
		return fp <= limit
	}
}

// recallDepth counts no host as covered in a run that is gone on with under
// max_depth: what it left out before the interruption is not known.
func (r *run) recallDepth() {
	if r.opts.MaxDepth == 0 || r.opts.Table.Count(spool.Sighted) == 0 {
		return
	}
	for _, h := range r.crawler.order {
		h.uncover()
	}
}

package crawl

import (
	"math"
	"slices"

	"sitesync/internal/spool"
)

// picker says whether a URL of a wave is asked within max_pages.
type picker func(fp uint64, flags uint16) bool

// pick returns the picker of a wave. What is known, and the start URLs, always
// go; of the rest those with the smallest fingerprints, so that the choice
// depends on nothing but the URLs.
func (r *run) pick(wave int) picker {
	all := func(uint64, uint16) bool { return true }
	if r.opts.MaxPages == 0 || wave == againWave {
		return all
	}
	const first = spool.Known | spool.Start
	var fresh []uint64
	for _, h := range r.order {
		for url := range r.frontier.urls(queueKey{wave, h.index}) {
			fp := spool.Fingerprint(url)
			if flags, _ := r.opts.Table.Get(fp); flags&first == 0 {
				fresh = append(fresh, fp)
			}
		}
	}
	slices.Sort(fresh)
	limit := uint64(math.MaxUint64)
	if len(fresh) > r.budget {
		limit = 0
		if r.budget > 0 {
			limit = fresh[r.budget-1]
		}
	}
	r.budget = max(0, r.budget-len(fresh))
	return func(fp uint64, flags uint16) bool { return flags&first != 0 || fp <= limit }
}

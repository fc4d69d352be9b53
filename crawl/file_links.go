package crawl

import "sitesync/crawl/frontier"

// depth returns how many links lead from a start page or a sitemap to what a wave of
// pages or files asks.
func depth(wave int) int { return wave % frontier.FileWave }

// waveOfFile returns the wave in which a file is asked that a page leads to, where a
// page would be asked in the given one: behind all pages, and as deep where that
// counts.
func (r *run) waveOfFile(wave int) int {
	switch {
	case wave >= frontier.FileWave:
		return wave
	case r.opts.MaxDepth > 0:
		return frontier.FileWave + wave
	}
	return frontier.FileWave
}

// prepareFiles opens the queues of the files that pages of the wave before lead to.
func (r *run) prepareFiles(wave int) error {
	if r.opts.MaxDepth == 0 || wave >= frontier.FileWave {
		return nil
	}
	r.files = r.waveOfFile(wave)
	return r.frontier.Prepare(r.files)
}

package crawl

import (
	"context"
	"iter"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"sitesync/crawl/frontier"
	"sitesync/crawl/trap"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// waves asks a wave and what its pages lead to, one link further each time.
func (r *run) waves(ctx context.Context, first int) error {
	for wave := first; ; wave++ {
		if err := r.frontier.Prepare(wave + 1); err != nil {
			return err
		}
		if r.opts.MaxDepth > 0 && wave+1 < frontier.FileWave { // the files that its pages lead to
			r.files = r.waveOfFile(wave + 1)
			if err := r.frontier.Prepare(r.files); err != nil {
				return err
			}
		}
		if err := r.opts.Group.Flush(); err != nil {
			return err
		}
		if (wave < frontier.FileWave || wave >= r.files) && r.frontier.Empty(wave) {
			return nil
		}
		r.notes.Index(wave)
		if err := r.wave(ctx, wave); err != nil {
			return err
		}
		if err := r.frontier.Done(wave); err != nil {
			return err
		}
	}
}

// wave asks what one wave holds, all hosts at once.
func (r *run) wave(ctx context.Context, wave int) error {
	if r.traps != nil && wave != frontier.AgainWave { // which is known
		r.traps.Wave(wave, r.countable(wave), r.leaveOut)
	}
	pick := r.pick(wave)
	group, ctx := errgroup.WithContext(ctx)
	asking, end := r.asking(ctx)
	defer end()
	for _, h := range r.crawler.order {
		if wave < frontier.FileWave && r.crawler.isFileHost(h) {
			continue
		}
		urls := make(chan string, 4*r.opts.Concurrency)
		group.Go(func() error { return r.feed(ctx, frontier.Key{Wave: wave, Host: h.index}, pick, urls) })
		for range max(1, r.opts.Concurrency) {
			worker := &worker{run: r, host: h, fetcher: newFetcher(asking, r.crawler), wave: wave}
			group.Go(func() error { return worker.work(ctx, urls) })
		}
	}
	return group.Wait()
}

// feed sends the URLs of a queue that were not looked at yet.
func (r *run) feed(ctx context.Context, key frontier.Key, pick func(fp uint64, flags uint16) bool, urls chan<- string) error {
	defer close(urls)
	h := r.crawler.order[key.Host]
	for url := range r.frontier.FailingFirst(key) {
		if h.robots == nil && !h.given.Load() { // a file host's robots.txt is read before the first request to it
			r.loadRobots(ctx, h)
			if err := r.trustHost(h); err != nil {
				return err
			}
		}
		fp := spool.Fingerprint(url)
		flags := r.opts.Table.Mark(fp, spool.Queued)
		if flags&spool.Sighted != 0 || key.Wave == frontier.KnownWave && flags&spool.Queued != 0 {
			continue
		}
		if key.Wave == frontier.KnownWave {
			r.opts.Progress.Found.Add(1)
		}
		if flags&spool.Unasked != 0 {
			continue
		}
		if !pick(fp, flags) {
			h.partial.Store(true)
			continue
		}
		select {
		case urls <- url:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

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

// pick returns what says whether a URL of a wave is asked within max_pages.
func (r *run) pick(wave int) func(fp uint64, flags uint16) bool {
	if r.opts.MaxPages == 0 || wave >= frontier.AgainWave {
		return func(uint64, uint16) bool { return true }
	}
	var fresh []uint64
	for _, h := range r.crawler.order {
		for url := range r.frontier.URLs(frontier.Key{Wave: wave, Host: h.index}) {
			fp := spool.Fingerprint(url)
			if flags, _ := r.opts.Table.Get(fp); flags&(spool.Known|spool.Start|spool.Unasked) == 0 {
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

// countable yields what the traps count in a wave: neither start URLs nor what a sitemap
// lists.
func (r *run) countable(wave int) iter.Seq[trap.URL] {
	return func(yield func(trap.URL) bool) {
		for _, h := range r.crawler.order {
			for url := range r.frontier.URLs(frontier.Key{Wave: wave, Host: h.index}) {
				fp := spool.Fingerprint(url)
				flags, _ := r.opts.Table.Get(fp)
				countedBefore := frontier.IsSecond(wave) && flags&spool.Queued != 0
				if flags&(spool.Start|spool.InSitemap) != 0 || countedBefore {
					continue
				}
				known := flags&(spool.Known|spool.Seeded) != 0
				if !yield(trap.URL{URL: url, Host: h.index, FP: fp, Known: known, Asked: flags&spool.Sighted != 0}) {
					return
				}
			}
		}
	}
}

// leaveOut marks a URL as a trap, unless robots.txt forbids it anyway: then there is
// nothing to report.
func (r *run) leaveOut(u trap.URL) bool {
	if rules := r.crawler.order[u.Host].robots; rules != nil {
		if ok, _ := rules.Allowed(weburl.Target(u.URL)); !ok {
			return false
		}
	}
	r.opts.Table.Mark(u.FP, spool.Unasked)
	return true
}

package crawl

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"sitesync/crawl/frontier"
	"sitesync/internal/spool"
)

// waves asks everything that is queued: what start URLs and sitemaps lead to, then
// what waits behind that.
func (r *run) waves(ctx context.Context) error {
	for _, first := range frontier.FirstWaves {
		if first == frontier.AgainWave {
			if err := r.probeAgain(ctx); err != nil {
				return err
			}
		}
		if err := r.wavesFrom(ctx, first); err != nil {
			return err
		}
	}
	return nil
}

// wavesFrom asks a wave and what its pages lead to, one link further each time.
func (r *run) wavesFrom(ctx context.Context, first int) error {
	for wave := first; ; wave++ {
		if err := errors.Join(r.frontier.Prepare(wave+1), r.prepareFiles(wave+1)); err != nil {
			return err
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
	r.leaveOutTraps(wave)
	pick := r.pick(wave)
	group, ctx := errgroup.WithContext(ctx)
	for _, h := range r.crawler.order {
		if wave < frontier.FileWave && r.crawler.isFileHost(h) {
			continue
		}
		urls := make(chan string, 4*r.opts.Concurrency)
		group.Go(func() error { return r.feed(ctx, frontier.Key{Wave: wave, Host: h.index}, pick, urls) })
		for range max(1, r.opts.Concurrency) {
			worker := &worker{run: r, host: h, fetcher: newFetcher(ctx, r.crawler), wave: wave}
			group.Go(func() error { return worker.work(ctx, urls) })
		}
	}
	return group.Wait()
}

// feed sends the URLs of a queue that were not looked at yet.
func (r *run) feed(ctx context.Context, key frontier.Key, pick picker, urls chan<- string) error {
	defer close(urls)
	for url := range r.frontier.URLs(key) {
		if err := r.readFileHostRobots(ctx, r.crawler.order[key.Host]); err != nil {
			return err
		}
		fp := spool.Fingerprint(url)
		flags := r.opts.Table.Mark(fp, spool.Queued)
		if flags&spool.Sighted != 0 || key.Wave == frontier.KnownWave && flags&spool.Queued != 0 {
			continue
		}
		if key.Wave == frontier.KnownWave {
			r.opts.Progress.Found.Add(1)
		}
		if flags&spool.Capped != 0 {
			continue
		}
		if !pick(fp, flags) {
			r.crawler.order[key.Host].uncover()
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

package crawl

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"sitesync/internal/spool"
)

// waves asks everything that is queued: what start URLs and sitemaps lead to, then
// what waits behind that.
func (r *run) waves(ctx context.Context) error {
	for _, first := range firstWaves {
		if first == againWave {
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
		if err := errors.Join(r.frontier.prepare(wave+1, len(r.order)), r.prepareFiles(wave+1)); err != nil {
			return err
		}
		if err := r.opts.Group.Flush(); err != nil {
			return err
		}
		if (wave < fileWave || wave >= r.files) && r.frontier.empty(wave, len(r.order)) {
			return nil
		}
		r.notes.index(wave)
		if err := r.wave(ctx, wave); err != nil {
			return err
		}
		if err := r.frontier.done(wave, len(r.order)); err != nil {
			return err
		}
	}
}

// wave asks what one wave holds, all hosts at once.
func (r *run) wave(ctx context.Context, wave int) error {
	r.leaveOutTraps(wave)
	pick := r.pick(wave)
	group, ctx := errgroup.WithContext(ctx)
	for _, h := range r.order {
		if wave < fileWave && r.isFileHost(h) {
			continue
		}
		urls := make(chan string, 4*r.opts.Concurrency)
		group.Go(func() error { return r.feed(ctx, queueKey{wave, h.index}, pick, urls) })
		for range max(1, r.opts.Concurrency) {
			worker := &worker{run: r, host: h, fetcher: newFetcher(ctx, r.Crawler), wave: wave}
			group.Go(func() error { return worker.work(ctx, urls) })
		}
	}
	return group.Wait()
}

// feed sends the URLs of a queue that were not looked at yet.
func (r *run) feed(ctx context.Context, key queueKey, pick picker, urls chan<- string) error {
	defer close(urls)
	for url := range r.frontier.urls(key) {
		if err := r.meet(ctx, r.order[key.host]); err != nil {
			return err
		}
		fp := spool.Fingerprint(url)
		flags := r.opts.Table.Mark(fp, spool.Queued)
		if flags&spool.Sighted != 0 || key.wave == knownWave && flags&spool.Queued != 0 {
			continue
		}
		if key.wave == knownWave {
			r.opts.Progress.Found.Add(1)
		}
		if flags&spool.Capped != 0 {
			continue
		}
		if !pick(fp, flags) {
			r.order[key.host].uncover()
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

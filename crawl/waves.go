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

// A waves value requests the queued URLs in waves (parts of the queue), each one link further from the start.
// It leaves out URLs of traps (endless sets of URLs).
type waves struct {
	client     *client
	queue      *queue
	looks      *looks
	files      int    // number of the last wave that may hold files
	budget     int    // new pages that max_pages still allows
	knownLimit uint64 // fingerprint (hash) above which known pages exceed max_pages
}

// limit applies max_pages. Start URLs are always requested, then pages known from earlier runs, then the
// rest. Within a group the smallest fingerprints win, so that the choice depends on the URLs alone.
func (w *waves) limit() {
	known := w.client.opts.Table.Fingerprints(spool.Known, spool.Start)
	room := max(0, w.client.opts.MaxPages-w.client.opts.Table.Count(spool.Start))
	w.knownLimit, w.budget = smallest(known, room), max(0, room-len(known))
}

// ask requests the URLs of one wave after another until a wave is empty. It begins with the given wave.
func (w *waves) ask(ctx context.Context, first int) error {
	for wave := first; ; wave++ {
		if err := w.queue.frontier.Prepare(wave + 1); err != nil {
			return err
		}
		// pages of this wave may link to files, so the wave of these files must be open
		if w.client.opts.MaxDepth > 0 && wave+1 < frontier.FileWave {
			w.files = w.queue.waveOfFile(wave + 1)
			if err := w.queue.frontier.Prepare(w.files); err != nil {
				return err
			}
		}
		if err := w.client.opts.Group.Flush(); err != nil {
			return err
		}
		if (wave < frontier.FileWave || wave >= w.files) && w.queue.frontier.Empty(wave) {
			return nil
		}
		w.queue.notes.Index(wave)
		if err := w.wave(ctx, wave); err != nil {
			return err
		}
		if err := w.queue.frontier.Done(wave); err != nil {
			return err
		}
	}
}

func (w *waves) wave(ctx context.Context, wave int) error {
	if w.looks.traps != nil && wave != frontier.AgainWave { // AgainWave repeats URLs that were counted before
		w.looks.traps.Wave(wave, w.countable(wave), w.leaveOut)
	}
	pick := w.pick(wave)
	group, ctx := errgroup.WithContext(ctx)
	asking, end := w.client.asking(ctx)
	defer end()
	for _, h := range w.client.hosts.all {
		if wave < frontier.FileWave && w.client.hosts.onlyFiles(h) {
			continue
		}
		urls := make(chan string, 4*w.client.opts.Concurrency)
		group.Go(func() error { return w.feed(ctx, frontier.Key{Wave: wave, Host: h.index}, pick, urls) })
		for range max(1, w.client.opts.Concurrency) {
			worker := &worker{looks: w.looks, host: h, fetcher: newFetcher(asking, w.client), wave: wave}
			group.Go(func() error { return worker.work(ctx, urls) })
		}
	}
	return group.Wait()
}

// feed sends the URLs of one queue to its workers, except URLs that are handled, left out or over max_pages.
func (w *waves) feed(
	ctx context.Context, key frontier.Key, pick func(fp uint64, flags uint16) bool, urls chan<- string,
) error {
	defer close(urls)
	h := w.client.hosts.all[key.Host]
	for url := range w.queue.frontier.FailingFirst(key) {
		if h.robots == nil && !h.given.Load() { // for a file host (site.file_hosts), robots.txt is read only now
			w.client.loadRobots(ctx, h)
			if err := w.client.trustHost(w.looks.past, h); err != nil {
				return err
			}
		}
		fp := spool.Fingerprint(url)
		flags := w.client.opts.Table.Mark(fp, spool.Queued)
		if flags&spool.Sighted != 0 || key.Wave == frontier.KnownWave && flags&spool.Queued != 0 {
			continue
		}
		if key.Wave == frontier.KnownWave {
			w.client.opts.Progress.Found.Add(1)
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

// pick returns a function that reports whether max_pages allows a URL of the wave.
func (w *waves) pick(wave int) func(fp uint64, flags uint16) bool {
	if w.client.opts.MaxPages == 0 || wave >= frontier.AgainWave {
		return func(uint64, uint16) bool { return true }
	}
	var fresh []uint64
	for _, h := range w.client.hosts.all {
		for url := range w.queue.frontier.URLs(frontier.Key{Wave: wave, Host: h.index}) {
			fp := spool.Fingerprint(url)
			if flags, _ := w.client.opts.Table.Get(fp); flags&(spool.Known|spool.Start|spool.Unasked) == 0 {
				fresh = append(fresh, fp)
			}
		}
	}
	limit := smallest(fresh, w.budget)
	w.budget = max(0, w.budget-len(fresh))
	return func(fp uint64, flags uint16) bool {
		switch {
		case flags&spool.Start != 0:
			return true
		case flags&spool.Known != 0:
			return fp <= w.knownLimit
		}
		return fp <= limit
	}
}

// countable yields the URLs of a wave that count for traps: no start or sitemap URLs, and each URL once.
func (w *waves) countable(wave int) iter.Seq[trap.URL] {
	return func(yield func(trap.URL) bool) {
		for _, h := range w.client.hosts.all {
			for url := range w.queue.frontier.URLs(frontier.Key{Wave: wave, Host: h.index}) {
				fp := spool.Fingerprint(url)
				flags, _ := w.client.opts.Table.Get(fp)
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

// leaveOut marks a URL of a trap as left out. It returns false if robots.txt forbids the URL anyway.
func (w *waves) leaveOut(u trap.URL) bool {
	if rules := w.client.hosts.all[u.Host].robots; rules != nil {
		if ok, _ := rules.Allowed(weburl.Target(u.URL)); !ok {
			return false
		}
	}
	w.client.opts.Table.Mark(u.FP, spool.Unasked)
	return true
}

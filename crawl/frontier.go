package crawl

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"sitesync/internal/spool"
)

// Behind all waves of links stand, each with waves of its own for where its pages
// lead: files, when every link to them is known; what is known and no link leads to
// within max_depth; missing pages, a second time.
const (
	fileWave  = 1 << 20
	knownWave = 2 << 20
	againWave = 3 << 20
)

// firstWaves are the first of each kind, in the order in which they are asked.
var firstWaves = [...]int{0, fileWave, knownWave, againWave}

// isSecond reports whether the queue of a wave holds URLs that may stand in another
// one too. Such a queue is filled anew by every run.
func isSecond(wave int) bool { return wave == knownWave || wave == againWave }

// frontier is the queue of URLs to ask: one log on disk a wave and host, and the
// run's table for the test-and-set. Its files are what a resumed run goes on from.
type frontier struct {
	dir   string
	table *spool.Table
	group *spool.Group
	open  map[queueKey]*spool.Log
}

type queueKey struct{ wave, host int }

// openFrontier marks what the queues hold that an earlier run left in dir.
func openFrontier(dir string, table *spool.Table, group *spool.Group, hosts int) (*frontier, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create work folder: %w", err)
	}
	f := &frontier{dir: dir, table: table, group: group, open: map[queueKey]*spool.Log{}}
	names, err := filepath.Glob(filepath.Join(dir, "wave-*.log"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		var key queueKey
		if _, err := fmt.Sscanf(filepath.Base(name), "wave-%d-%d.log", &key.wave, &key.host); err != nil || key.host >= hosts {
			continue
		}
		if err := f.recall(key); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// recall marks what a queue holds as queued.
func (f *frontier) recall(key queueKey) error {
	if isSecond(key.wave) {
		if err := os.Remove(f.path(key)); err != nil {
			return fmt.Errorf("clear work folder: %w", err)
		}
		return nil
	}
	log, err := spool.OpenLog(f.path(key))
	if err != nil {
		return err
	}
	for _, url := range log.All() {
		f.table.Mark(spool.Fingerprint(string(url)), spool.Queued)
	}
	return log.Close()
}

func (f *frontier) path(key queueKey) string {
	return filepath.Join(f.dir, fmt.Sprintf("wave-%d-%d.log", key.wave, key.host))
}

// prepare opens the queues of a wave, which then take URLs.
func (f *frontier) prepare(wave, hosts int) error {
	for host := range hosts {
		key := queueKey{wave, host}
		if f.open[key] != nil {
			continue
		}
		log, err := spool.OpenLog(f.path(key))
		if err != nil {
			return err
		}
		f.open[key] = log
		f.group.Add(log, true)
	}
	return nil
}

// done closes the queues of a wave that was asked: of a deep site there are many.
func (f *frontier) done(wave, hosts int) error {
	for host := range hosts {
		key := queueKey{wave, host}
		if err := errors.Join(f.group.Remove(f.open[key]), f.open[key].Close()); err != nil {
			return err
		}
		delete(f.open, key)
	}
	return nil
}

// add appends url to a queue unless it is queued already, and returns the flags
// that url had. flags are set in any case.
func (f *frontier) add(key queueKey, url string, flags uint16) (before uint16) {
	before = f.table.Mark(spool.Fingerprint(url), spool.Queued|flags)
	if before&spool.Queued == 0 {
		f.open[key].Append([]byte(url))
	}
	return before
}

// addSecond appends url to a queue of those that may stand in another one too.
func (f *frontier) addSecond(key queueKey, url string) { f.open[key].Append([]byte(url)) }

// urls yields what a queue holds. What is appended meanwhile may be missed: a wave
// fills only the queues of later ones.
func (f *frontier) urls(key queueKey) iter.Seq[string] {
	return func(yield func(string) bool) {
		log := f.open[key]
		if log == nil {
			return
		}
		for _, url := range log.All() {
			if !yield(string(url)) {
				return
			}
		}
	}
}

// empty reports whether a wave has no URL on any host.
func (f *frontier) empty(wave, hosts int) bool {
	for host := range hosts {
		for range f.urls(queueKey{wave, host}) {
			return false
		}
	}
	return true
}

// close writes what is pending and closes all queues; the files stay, for a
// resumed run.
func (f *frontier) close() error {
	errs := []error{f.group.Flush()}
	for _, log := range f.open {
		errs = append(errs, f.group.Remove(log))
		if err := log.Close(); !errors.Is(err, fs.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

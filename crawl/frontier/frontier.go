package frontier

import (
	"cmp"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"sitesync/internal/spool"
)

// Behind all waves of links stand, each with waves of its own for where its pages
// lead: files, when every link to them is known; what is known and no link leads to
// within max_depth; missing pages, a second time.
const (
	FileWave  = 1 << 20
	KnownWave = 2 << 20
	AgainWave = 3 << 20
)

// FirstWaves are the first of each kind, in the order in which they are asked.
var FirstWaves = [...]int{0, FileWave, KnownWave, AgainWave}

// IsSecond reports whether the queue of a wave holds URLs that may stand in another
// one too. Such a queue is filled anew by every run.
func IsSecond(wave int) bool { return wave == KnownWave || wave == AgainWave }

// Frontier is the queue of URLs to ask: one log on disk a wave and host, and the
// run's table for the test-and-set. Its files are what a resumed run goes on from.
type Frontier struct {
	dir   string
	table *spool.Table
	group *spool.Group
	hosts int
	open  map[Key]*spool.Log
}

// Key names the queue of one wave and host.
type Key struct{ Wave, Host int }

// Open returns the frontier in dir, and marks the URLs that an earlier run left there.
func Open(dir string, table *spool.Table, group *spool.Group, hosts int) (*Frontier, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create work folder: %w", err)
	}
	f := &Frontier{dir: dir, table: table, group: group, hosts: hosts, open: map[Key]*spool.Log{}}
	names, err := filepath.Glob(filepath.Join(dir, "wave-*.log"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		var key Key
		if _, err := fmt.Sscanf(filepath.Base(name), "wave-%d-%d.log", &key.Wave, &key.Host); err != nil || key.Host >= hosts {
			continue
		}
		if IsSecond(key.Wave) {
			if err := os.Remove(name); err != nil {
				return nil, fmt.Errorf("clear work folder: %w", err)
			}
			continue
		}
		log, err := spool.OpenLog(name)
		if err != nil {
			return nil, err
		}
		for _, url := range log.All() {
			table.Mark(spool.Fingerprint(string(url)), spool.Queued)
		}
		if err := log.Close(); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Prepare opens the queues of a wave, which then take URLs.
func (f *Frontier) Prepare(wave int) error {
	for host := range f.hosts {
		key := Key{wave, host}
		if f.open[key] != nil {
			continue
		}
		log, err := spool.OpenLog(filepath.Join(f.dir, fmt.Sprintf("wave-%d-%d.log", key.Wave, key.Host)))
		if err != nil {
			return err
		}
		f.open[key] = log
		f.group.Add(log, !IsSecond(wave)) // what such a queue loses is put into it again
	}
	return nil
}

// Done closes the queues of a wave that was asked: of a deep site there are many.
func (f *Frontier) Done(wave int) error {
	for host := range f.hosts {
		key := Key{wave, host}
		if err := cmp.Or(f.group.Remove(f.open[key]), f.open[key].Close()); err != nil {
			return err
		}
		delete(f.open, key)
	}
	return nil
}

// Add appends url to a queue unless it is queued already, and returns the flags
// that url had. flags are set in any case.
func (f *Frontier) Add(key Key, url string, flags uint16) (before uint16) {
	before = f.table.Mark(spool.Fingerprint(url), spool.Queued|flags)
	if before&spool.Queued == 0 {
		f.open[key].Append([]byte(url))
	}
	return before
}

// AddSecond appends url to a queue of those that may stand in another one too.
func (f *Frontier) AddSecond(key Key, url string) { f.open[key].Append([]byte(url)) }

// URLs yields the URLs of a queue. Those that are appended meanwhile may be missed: a wave
// fills only the queues of later ones.
func (f *Frontier) URLs(key Key) iter.Seq[string] {
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

// othersEach is how many URLs come between two that failed in the last run. With fewer, a
// host with many of those would be given up: see pace.Breaker.
const othersEach = 3

// FailingFirst yields the URLs of a queue. Pages that the last look did not read come early,
// so that there is time left to wait for them.
func (f *Frontier) FailingFirst(key Key) iter.Seq[string] {
	return func(yield func(string) bool) {
		next, stop := iter.Pull(f.failing(key, true))
		defer stop()
		n := 0
		for url := range f.failing(key, false) {
			if n%othersEach == 0 {
				if failing, ok := next(); ok && !yield(failing) {
					return
				}
			}
			n++
			if !yield(url) {
				return
			}
		}
		for url, ok := next(); ok && yield(url); url, ok = next() {
		}
	}
}

// failing yields the URLs of a queue that the last look did not read, or all others.
func (f *Frontier) failing(key Key, failing bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for url := range f.URLs(key) {
			flags, _ := f.table.Get(spool.Fingerprint(url))
			if flags&spool.Failing != 0 == failing && !yield(url) {
				return
			}
		}
	}
}

// Empty reports whether a wave has no URL on any host.
func (f *Frontier) Empty(wave int) bool {
	for host := range f.hosts {
		for range f.URLs(Key{wave, host}) {
			return false
		}
	}
	return true
}

// Close writes pending URLs and closes all queues. The files stay for a resumed run.
func (f *Frontier) Close() error {
	err := f.group.Flush()
	for _, log := range f.open {
		err = cmp.Or(err, f.group.Remove(log), log.Close())
	}
	return err
}

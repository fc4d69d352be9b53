package frontier

import (
	"cmp"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"sitesync/internal/spool"
)

// A wave is a set of URLs that are requested before those of the next wave. The waves from 0 on hold pages,
// each wave one link further from the start pages. Each constant is the first wave of another kind of URL.
const (
	FileWave  = 1 << 20 // files, requested when all links to them are known
	KnownWave = 2 << 20 // URLs known from earlier runs to which no link leads within max_depth
	AgainWave = 3 << 20 // missing pages, requested a second time
)

// FirstWaves are the first waves of all kinds of URL, in the order of the requests.
var FirstWaves = [...]int{0, FileWave, KnownWave, AgainWave}

// IsSecond reports whether the URLs of a wave may also be in the queue of another wave. Open removes the
// queues of such a wave, and a resumed run fills them again.
func IsSecond(wave int) bool { return wave == KnownWave || wave == AgainWave }

// Frontier holds the queues of URLs to request. Each queue is a log file for one wave and one host.
type Frontier struct {
	dir   string
	table *spool.Table // the table's flag Queued marks the URLs that are in a queue
	group *spool.Group
	hosts int
	open  map[Key]*spool.Log
}

// Key identifies the queue of one wave and one host.
type Key struct{ Wave, Host int }

// Open opens or creates the frontier in the folder dir. It sets the flag Queued in table for the URLs that an
// interrupted run left in files. It errs if a file can't be read or removed.
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
		_, err := fmt.Sscanf(filepath.Base(name), "wave-%d-%d.log", &key.Wave, &key.Host)
		if err != nil || key.Host >= hosts {
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

// Prepare opens the queues of a wave, so that URLs can be added to them.
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
		// With true, the group detects lost URLs in the log. Waves that each run fills again need no check.
		f.group.Add(log, !IsSecond(wave))
	}
	return nil
}

// Done closes the queues of a finished wave. A deep site has too many waves to keep all files open.
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

// Add appends url to a queue unless url is in a queue already. It also sets flags of url, and returns the
// flags that url had before.
func (f *Frontier) Add(key Key, url string, flags uint16) (before uint16) {
	before = f.table.Mark(spool.Fingerprint(url), spool.Queued|flags)
	if before&spool.Queued == 0 {
		f.open[key].Append([]byte(url))
	}
	return before
}

// AddSecond appends url to a queue, even if url is in a queue already. It sets no flag.
func (f *Frontier) AddSecond(key Key, url string) { f.open[key].Append([]byte(url)) }

// URLs yields the URLs of a queue. It may miss URLs that are added while it runs. A run adds no URLs to the
// queues of the present wave, only to later ones.
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

// FailingFirst yields othersEach other URLs after each URL of a page that failed in the last run. With a
// smaller number, many failures in a row could end the requests to the host.
const othersEach = 3

// FailingFirst yields the URLs of a queue. URLs of pages that failed in the last run come early, because the
// crawl may have to wait for these pages.
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

// Empty reports whether no queue of a wave has a URL.
func (f *Frontier) Empty(wave int) bool {
	for host := range f.hosts {
		for range f.URLs(Key{wave, host}) {
			return false
		}
	}
	return true
}

// Close writes pending URLs and closes all queues. A resumed run can open the files again.
func (f *Frontier) Close() error {
	err := f.group.Flush()
	for _, log := range f.open {
		err = cmp.Or(err, f.group.Remove(log), log.Close())
	}
	return err
}

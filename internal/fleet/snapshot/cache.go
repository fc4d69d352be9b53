package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"sitesync/internal/fleet/lease"
	"sitesync/internal/own"
	"sitesync/internal/spool"
)

// LedgerFile is the name of the ledger in the folder of a site; the work folder of a run and
// the facts of pages stand beside it.
const LedgerFile = "sitesync.db"

const noteFile = LedgerFile + ".note"

// Cache is the last ledger of each site that this machine ran, a folder a site.
type Cache struct {
	Dir string
	Max int64 // limit in bytes for all folders together; Trim keeps folders in use even above the limit

	mu sync.Mutex // prevents removal of a folder while Ready fills it
}

// note says which file the ledger beside it is, and how that looked when it was written.
type note struct {
	File lease.File `json:"file"`
	Size int64      `json:"size"`
	Time time.Time  `json:"time"`
}

// Folder returns the folder of a site.
func (c *Cache) Folder(site string) string { return filepath.Join(c.Dir, site) }

// Ready makes the folder of a site ready for a run: its ledger is f, or there is none if f is nil. Ready
// fetches the ledger unless the note says that it is there, and the file has not changed since. After a
// kill, when there is no note, it keeps the parts that are right. It sets a Stray ledger aside. An old
// work folder stays, because internal/work resumes it only with the ledger that it began with.
func (c *Cache) Ready(ctx context.Context, store *Store, site string, f *lease.File) error {
	dir := c.Folder(site)
	c.mu.Lock()
	err := os.MkdirAll(dir, 0o700)
	c.mu.Unlock()
	if err != nil {
		return fmt.Errorf("prepare the folder of %s: %w", site, err)
	}
	path := filepath.Join(dir, LedgerFile)
	n, err := read(path)
	info, missing := os.Stat(path)
	asNoted := err == nil && missing == nil && info.Size() == n.Size && info.ModTime().Equal(n.Time)
	if asNoted && f != nil && n.File == *f {
		return nil
	}
	if _, aside := c.Stray(site, f); aside != "" {
		err := os.Rename(path, aside)
		if err != nil {
			return fmt.Errorf("set the ledger of %s aside: %w", site, err)
		}
	}
	stale := []string{filepath.Join(dir, noteFile)}
	if f == nil {
		stale = append(stale, path)
	}
	for _, name := range stale {
		err := os.Remove(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("prepare the folder of %s: %w", site, err)
		}
	}
	if f == nil {
		return nil
	}
	err = store.Get(ctx, "ledger", site, *f, path)
	if err == nil {
		err = c.Keep(site, *f)
	}
	return err
}

// Stray returns the file that the ledger in the folder was committed as, and the path to which Ready moves
// it aside, if the fleet's ledger f does not come from it: then it may be the last copy. A nil f is no
// ledger. The path is "" if f comes from it, or if nothing was committed.
func (c *Cache) Stray(site string, f *lease.File) (was lease.File, aside string) {
	path := filepath.Join(c.Folder(site), LedgerFile)
	n, err := read(path)
	if _, missing := os.Stat(path); err != nil || missing != nil || len(n.File.Sum) < 12 {
		return was, ""
	}
	was = n.File
	if f != nil && (*f == was || f.Number > was.Number && f.Line == was.Line) {
		return was, ""
	}
	return was, filepath.Join(c.Dir, fmt.Sprintf("%s.%s.db", site, was.Sum[:12]))
}

// Sites returns the sites of which this machine has a folder.
func (c *Cache) Sites() (names []string, err error) {
	entries, err := os.ReadDir(c.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look at the ledgers on this machine: %w", err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

func read(path string) (n note, err error) {
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(path), noteFile)) //nolint:gosec // a file of our own
	if err == nil {
		err = json.Unmarshal(raw, &n)
	}
	return n, err
}

// Begin notes that a run may write the ledger from now on: it is no longer the file that was stored. The
// note is on disk when Begin returns.
func (c *Cache) Begin(site string) error {
	n, _ := read(filepath.Join(c.Folder(site), LedgerFile)) // on an error, nothing was committed
	return c.write(site, note{File: n.File, Size: -1})
}

// Keep notes that the ledger in the folder is f, as the state of the site now says.
func (c *Cache) Keep(site string, f lease.File) error {
	info, err := os.Stat(filepath.Join(c.Folder(site), LedgerFile))
	if err != nil {
		return fmt.Errorf("note which ledger of %s is on this machine: %w", site, err)
	}
	return c.write(site, note{f, info.Size(), info.ModTime()})
}

// write replaces the note in one step: it is on disk when write returns.
func (c *Cache) write(site string, n note) error {
	err := spool.WriteFile(filepath.Join(c.Folder(site), noteFile), 0o600, func(w io.Writer) error { return json.NewEncoder(w).Encode(n) })
	if err != nil {
		return fmt.Errorf("note which ledger of %s is on this machine: %w", site, err)
	}
	return nil
}

// folder is what a run left of a site.
type folder struct {
	site string
	size int64 // in bytes
	last time.Time
}

// measure returns the folder of a site. Files that can't be read count as nothing.
func (c *Cache) measure(site string) folder {
	f := folder{site: site}
	_ = filepath.WalkDir(c.Folder(site), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // it is being removed
		}
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() {
			f.size += info.Size()
		}
		if err == nil && (entry.Name() == noteFile || f.last.IsZero()) {
			f.last = info.ModTime()
		}
		return nil
	})
	return f
}

// Trim removes the folders that were used longest ago until the others take no more than Max. It keeps
// those that are needed: from before Ready until the run is over, and while the ledger is Stray.
func (c *Cache) Trim(needed func(site string) bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	sites, err := c.Sites()
	if err != nil {
		return err
	}
	var total int64
	var folders []folder
	for _, site := range sites {
		f := c.measure(site)
		total, folders = total+f.size, append(folders, f)
	}
	slices.SortFunc(folders, func(a, b folder) int { return a.last.Compare(b.last) })
	for _, f := range folders {
		if total <= c.Max {
			return nil
		}
		if needed(f.site) {
			continue
		}
		err := own.Worker.Remove(c.Folder(f.site))
		if err != nil {
			return fmt.Errorf("remove the folder of %s: %w", f.site, err)
		}
		total -= f.size
	}
	return nil
}

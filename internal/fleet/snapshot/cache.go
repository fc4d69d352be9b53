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

// LedgerFile is the name of the ledger (the database of what the index holds) in the folder of a site.
const LedgerFile = "sitesync.db"

const noteFile = LedgerFile + ".note"

// Cache keeps, on this machine, the newest ledger of each site that ran here. Each site has a folder.
type Cache struct {
	Dir string
	Max int64 // limit in bytes for all folders together; Trim keeps folders in use even above the limit

	mu sync.Mutex // keeps Trim from removing a folder while Ready makes it
}

// note says of which stored file (File) the ledger in the same folder is a copy. Size and Time describe the
// ledger when the note was written. If the ledger no longer has them, it was changed.
type note struct {
	File lease.File `json:"file"`
	Size int64      `json:"size"`
	Time time.Time  `json:"time"`
}

// Folder returns the folder of a site.
func (c *Cache) Folder(site string) string { return filepath.Join(c.Dir, site) }

func (c *Cache) ledger(site string) string { return filepath.Join(c.Folder(site), LedgerFile) }

// Ready prepares the folder of a site for a run, with the ledger f or, if f is nil, without one. Ready
// fetches f unless the folder has an unchanged copy. If Stray returns a path, Ready first moves the folder's
// ledger to that path. Work files of an interrupted run stay, so that internal/work can resume the run.
func (c *Cache) Ready(ctx context.Context, store *Store, site string, f *lease.File) error {
	c.mu.Lock()
	err := os.MkdirAll(c.Folder(site), 0o700)
	c.mu.Unlock()
	if err != nil {
		return fmt.Errorf("prepare the folder of %s: %w", site, err)
	}
	path := c.ledger(site)
	n, err := c.readNote(site)
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
	stale := []string{c.notePath(site)}
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

// Stray checks whether the ledger in a site's folder may be the only copy left. The result was is the stored
// file of which this ledger is a copy, by its note. f is the servers' ledger, or nil. If f is neither that
// file nor a later version, aside is the path to which Ready moves the folder's ledger; otherwise "".
func (c *Cache) Stray(site string, f *lease.File) (was lease.File, aside string) {
	n, err := c.readNote(site)
	if _, missing := os.Stat(c.ledger(site)); err != nil || missing != nil || len(n.File.Sum) < 12 {
		return was, ""
	}
	was = n.File
	if f != nil && (*f == was || f.Number > was.Number && f.Line == was.Line) {
		return was, ""
	}
	return was, filepath.Join(c.Dir, fmt.Sprintf("%s.%s.db", site, was.Sum[:12]))
}

// Sites returns the names of the sites that have a folder on this machine.
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

// Begin notes on disk that the ledger may from now on differ from the stored file: a run may change it.
func (c *Cache) Begin(site string) error {
	n, _ := c.readNote(site) // without a readable note, n.File is empty
	return c.writeNote(site, note{File: n.File, Size: -1})
}

// Keep notes that the ledger in the folder is a copy of f, the file that the state of the site names.
func (c *Cache) Keep(site string, f lease.File) error {
	info, err := os.Stat(c.ledger(site))
	if err != nil {
		return fmt.Errorf("note which ledger of %s is on this machine: %w", site, err)
	}
	return c.writeNote(site, note{f, info.Size(), info.ModTime()})
}

func (c *Cache) notePath(site string) string { return filepath.Join(c.Folder(site), noteFile) }

func (c *Cache) readNote(site string) (n note, err error) {
	raw, err := os.ReadFile(c.notePath(site))
	if err == nil {
		err = json.Unmarshal(raw, &n)
	}
	return n, err
}

func (c *Cache) writeNote(site string, n note) error {
	err := spool.WriteFile(c.notePath(site), 0o600, func(w io.Writer) error { return json.NewEncoder(w).Encode(n) })
	if err != nil {
		return fmt.Errorf("note which ledger of %s is on this machine: %w", site, err)
	}
	return nil
}

func (c *Cache) size(site string) (total int64) {
	_ = filepath.WalkDir(c.Folder(site), func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // the file is being removed
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
		return nil
	})
	return total
}

func (c *Cache) last(site string) (at time.Time) {
	if info, err := os.Stat(c.notePath(site)); err == nil {
		at = info.ModTime()
	}
	return at
}

// Trim removes folders, those used longest ago first, until all folders take at most Max bytes. It keeps a
// folder for which needed returns true. needed must return true from before Ready until the end of the run,
// and while Stray returns a path.
func (c *Cache) Trim(needed func(site string) bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	sites, err := c.Sites()
	if err != nil {
		return err
	}
	var total int64
	sizes, used := map[string]int64{}, map[string]time.Time{}
	for _, site := range sites {
		sizes[site], used[site] = c.size(site), c.last(site)
		total += sizes[site]
	}
	slices.SortFunc(sites, func(a, b string) int { return used[a].Compare(used[b]) })
	for _, site := range sites {
		if total <= c.Max {
			return nil
		}
		if needed(site) {
			continue
		}
		err := own.Worker.Remove(c.Folder(site))
		if err != nil {
			return fmt.Errorf("remove the folder of %s: %w", site, err)
		}
		total -= sizes[site]
	}
	return nil
}

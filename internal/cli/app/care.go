package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/document"
)

// AsideDamaged stands between the ledger's name and the time in the name of a damaged
// file that was set aside.
const AsideDamaged = ".damaged-"

// SoundLedger errs unless the ledger is sound. A damaged one is set aside, so that
// the next run is not stopped by it, and a warning names those that were.
func (a *App) SoundLedger(ctx context.Context, cfg *config.Config) error {
	return a.Locked(cfg, func() error {
		path := cfg.Store.Path
		if text := OpenFolder(path); text != "" {
			a.Logger().Warn(text)
		}
		if damaged := NewestAside(path, AsideDamaged); damaged != "" {
			a.Logger().Warn(damaged + " was set aside: run sitesync rebuild to recover what can be read of it, or move it away")
		}
		aside, err := a.SetAside(ctx, path)
		if aside == "" {
			return err
		}
		return fmt.Errorf("%w; it was set aside as %s, and nothing was deleted", err, aside)
	})
}

// SetAside gives a damaged ledger another name and returns it, with the damage. A sound
// one stays. So does what was never a ledger: a slip in store.path must not move it.
func (a *App) SetAside(ctx context.Context, path string) (aside string, damage error) {
	glimpse, damage := diffstore.Examine(ctx, path)
	if !errors.Is(damage, diffstore.ErrDamaged) {
		return "", damage
	}
	if !glimpse.Ledger {
		return "", errors.Join(damage, fmt.Errorf("%s is not a ledger and was left alone: name another store.path, or move it away", path))
	}
	aside = a.AsideName(path, AsideDamaged)
	if err := os.Rename(path, aside); err != nil {
		return "", errors.Join(damage, fmt.Errorf("set the ledger aside: %w", err))
	}
	return aside, damage
}

// AsideName returns a name beside the ledger that nothing has.
func (a *App) AsideName(path, why string) string {
	name := path + why + a.Now().UTC().Format("20060102T150405Z")
	free := name
	for n := 2; ; n++ {
		if _, err := os.Lstat(free); errors.Is(err, fs.ErrNotExist) {
			return free
		}
		free = fmt.Sprintf("%s-%d", name, n)
	}
}

// NewestAside returns the latest file of those that were put aside, or "".
func NewestAside(path, why string) (newest string) {
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, entry := range entries { // in order
		if strings.HasPrefix(entry.Name(), filepath.Base(path)+why) {
			newest = filepath.Join(filepath.Dir(path), entry.Name())
		}
	}
	return newest
}

// OpenFolder says of the ledger's folder that others may write there, or nothing:
// they could put another ledger in the place of ours. Windows has no such modes.
func OpenFolder(path string) string {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	if err != nil || filepath.Separator != '/' || info.Mode()&fs.ModeSticky != 0 || info.Mode().Perm()&0o022 == 0 {
		return ""
	}
	return fmt.Sprintf("other users can write to the ledger's folder %s (mode %04o): chmod go-w %s", dir, info.Mode().Perm(), dir)
}

// Compact makes the ledger smaller where half of it is free. A run does not fail
// because of it.
func (a *App) Compact(cfg *config.Config) {
	saved, err := diffstore.Compact(cfg.Store.Path, func(need int64) bool {
		free, known := a.FreeBytes(filepath.Dir(cfg.Store.Path))
		return !known || free > need+RoomFloor
	})
	if err != nil {
		a.Logger().Debug("compact the ledger", "error", err)
	} else if saved > 0 {
		a.Logger().Debug("compacted the ledger", "saved", document.FormatBytes(saved))
	}
}

// What a run needs on the disk, in bytes. Too low a guess costs a crawl, no more:
// a disk that fills up loses nothing.
const (
	RoomFloor   = 1 << 20
	RoomToWrite = 16 << 20
)

// RoomToCrawl errs where the disk would fill up in the crawl: if all pages changed,
// the work folder would take about as much as the ledger, which has their texts too.
func (a *App) RoomToCrawl(cfg *config.Config) error {
	need := RoomFloor + SizeOf(cfg.Store.Path)
	if err := a.Room(WorkDir(cfg), need, "store.work"); err != nil {
		return err
	}
	return a.Room(filepath.Dir(cfg.Store.Path), need, "store.path")
}

// ErrRoom is what Room errs with.
var ErrRoom = errors.New("not enough disk space")

// Room errs where a folder's disk is known to have less than need bytes free.
func (a *App) Room(dir string, need int64, key string) error {
	have, known := a.FreeBytes(dir)
	if !known || have >= need {
		return nil
	}
	return fmt.Errorf("%w in %s: this run may need %s, and %s are free; free some space, or name another %s; nothing was changed",
		ErrRoom, dir, document.FormatBytes(need), document.FormatBytes(have), key)
}

// FreeBytes returns what is free where dir is, or is to be made.
func (a *App) FreeBytes(dir string) (int64, bool) {
	if a.Free != nil {
		return a.Free(dir)
	}
	return freeBytes(existing(dir))
}

// existing returns dir, or the nearest folder above that exists.
func existing(dir string) string {
	for _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	return dir
}

// SizeOf returns the size of a file in bytes; 0 if it is missing.
func SizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// CanWrite errs where a file at path could not be written. It neither changes nor
// creates the file.
func CanWrite(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // the owner names it
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err = os.CreateTemp(existing(filepath.Dir(path)), ".sitesync-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

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
	"sitesync/internal/work"
)

// AsideDamaged stands between the ledger's name and the time in the name of a damaged
// file that was set aside.
const AsideDamaged = ".damaged-"

// SoundLedger errs unless the ledger is sound. A damaged one is set aside, so that
// the next run is not stopped by it, and a warning names those that were.
func (a *App) SoundLedger(ctx context.Context, cfg *config.Config) (err error) {
	release, err := work.Lock(WorkDir(cfg), a.Now())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
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

// Compact makes the ledger smaller where half of it is free. That it could not is
// no fault of the run.
func (a *App) Compact(cfg *config.Config) {
	saved, err := diffstore.Compact(cfg.Store.Path, func(need int64) bool {
		free, known := a.FreeBytes(filepath.Dir(cfg.Store.Path))
		return !known || free > need+RoomFloor
	})
	if err != nil {
		a.Logger().Debug("compact the ledger", "error", err)
	} else if saved > 0 {
		a.Logger().Debug("compacted the ledger", "saved", Size(saved))
	}
}

// Size says a number of bytes.
func Size(n int64) string {
	switch {
	case n >= 1e10:
		return fmt.Sprintf("%.0f GB", float64(n)/1e9)
	case n < 1e6:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

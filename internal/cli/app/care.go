package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/document"
)

// SoundLedger errs unless the ledger is sound, and changes nothing.
func (a *App) SoundLedger(ctx context.Context, cfg *config.Config) error {
	return a.Locked(cfg, func() error {
		if text := OpenFolder(cfg.Store.Path); text != "" {
			a.Logger().Warn(text)
		}
		return diffstore.CheckApart(ctx, cfg.Store.Path)
	})
}

// Advice returns what to do after an error, to be put behind it, where a command helps.
func (a *App) Advice(err error) string {
	if !errors.Is(err, diffstore.ErrDamaged) {
		return ""
	}
	return fmt.Sprintf("; %s puts the copy of the last run in its place, and with a FILE another backup; where it is no ledger, name another store.path", a.Spell("sitesync restore"))
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

// KeepCopy leaves a copy of the ledger beside it, for sitesync restore. A run does not fail
// because of it, and who ends a run does not wait for it.
func (a *App) KeepCopy(ctx context.Context, cfg *config.Config) {
	path := cfg.Store.Path
	if !cfg.Store.Backup || ctx.Err() != nil {
		return
	}
	err := fmt.Errorf("it needs %s of free disk space", document.FormatBytes(SizeOf(path)+RoomFloor))
	if free, known := a.FreeBytes(filepath.Dir(path)); !known || free > SizeOf(path)+RoomFloor {
		err = diffstore.KeepCopy(ctx, path)
	}
	if err != nil && ctx.Err() == nil {
		a.Logger().Warn("no new copy of the ledger was made, and the earlier one stays: " + OneLine(err))
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

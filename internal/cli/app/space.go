package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sitesync/internal/config"
)

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

// Room errs where a folder's disk is known to have less than need bytes free.
func (a *App) Room(dir string, need int64, key string) error {
	have, known := a.FreeBytes(dir)
	if !known || have >= need {
		return nil
	}
	return fmt.Errorf("not enough disk space in %s: this run may need %s, and %s are free; free some space, or name another %s; nothing was changed",
		dir, Size(need), Size(have), key)
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

// SizeOf returns the size of a file in bytes; 0 where there is none.
func SizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// CanWrite errs where a file at path could not be written. It writes nothing into
// the file, and leaves nothing where there is none.
func CanWrite(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
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

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
	if !cfg.Store.Backup || ctx.Err() != nil {
		return
	}
	if err := diffstore.KeepCopy(ctx, cfg.Store.Path); err != nil && ctx.Err() == nil {
		a.Logger().Warn("no new copy of the ledger was made, and the earlier one stays: " + OneLine(err))
	}
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
	dir := filepath.Dir(path) // or the nearest folder above that exists
	for _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	file, err = os.CreateTemp(dir, ".sitesync-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

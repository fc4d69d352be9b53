package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/config"
)

// What a run needs on the disk, in bytes. Too low a guess costs a crawl, no more:
// a disk that fills up loses nothing.
const (
	roomFloor   = 1 << 20
	roomToWrite = 16 << 20
)

// roomToCrawl errs where the disk would fill up in the crawl: if all pages changed,
// the work folder would take about as much as the ledger, which has their texts too.
func (a *app) roomToCrawl(cfg *config.Config) error {
	need := roomFloor + sizeOf(cfg.Store.Path)
	return firstError(a.room(workDir(cfg), need, "store.work"), a.room(filepath.Dir(cfg.Store.Path), need, "store.path"))
}

// roomToApply errs where the ledger would not have room for the plan: its documents
// are kept once more, and as much as a transaction writes anew of what is there.
func (s *session) roomToApply(plan *planfile.File) error {
	path := s.cfg.Store.Path
	return s.room(filepath.Dir(path), roomFloor+2*plan.Size()+min(roomToWrite, sizeOf(path)/2), "store.path")
}

// room errs where a folder's disk is known to have less than need bytes free.
func (a *app) room(dir string, need int64, key string) error {
	have, known := a.freeBytes(dir)
	if !known || have >= need {
		return nil
	}
	return fmt.Errorf("too little room in %s: this run may need %s, and %s are free; make room, or name another %s; nothing was changed, and nothing is lost",
		dir, size(need), size(have), key)
}

// freeBytes returns what is free where dir is, or is to be made.
func (a *app) freeBytes(dir string) (int64, bool) {
	if a.free != nil {
		return a.free(dir)
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

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

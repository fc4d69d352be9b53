package inmemory

import (
	"os"
	"syscall"
)

// Folders has t.TempDir and os.MkdirTemp make their folders in memory, where there is room
// for them and programs may be started. Call it from TestMain, before anything else.
func Folders() {
	const dir, room, noExec = "/dev/shm", 2 << 30, 8
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(dir, &fs) == nil && fs.Bavail*uint64(fs.Bsize) > room && fs.Flags&noExec == 0 && syscall.Access(dir, 2) == nil { //nolint:gosec // a size
		_ = os.Setenv("TMPDIR", dir) // never errs
	}
}

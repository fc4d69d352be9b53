//go:build linux || darwin

package app

import "syscall"

// freeBytes returns what this user may still write on the disk of dir.
func freeBytes(dir string) (int64, bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true //nolint:unconvert // fewer bits on darwin
}

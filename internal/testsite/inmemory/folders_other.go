//go:build !linux

package inmemory

// Folders does nothing here.
func Folders() {}

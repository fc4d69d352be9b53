package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writable errs where the ledger could not be written, so that this costs no crawl.
func writable(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		file, err = newBeside(path)
		if err == nil {
			defer func() { _ = os.Remove(file.Name()) }()
		}
	}
	if err != nil {
		return fmt.Errorf("write the ledger: %w; let this user write there, or name another store.path", err)
	}
	return file.Close()
}

// newBeside creates a file in the folder of path, and the folder where it is missing.
func newBeside(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return os.CreateTemp(filepath.Dir(path), ".sitesync-*")
}

package work

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sitesync/internal/own"
)

// scratch stands between a work folder's name and a random part in the names of
// temporary folders beside it.
const scratch = "-dry-"

// Scratch makes a temporary folder beside the work folder dir and returns what removes it.
// The folder is locked meanwhile. Those that killed processes left there are removed first.
func Scratch(dir string, holder Holder) (made string, remove func() error, err error) {
	if err := Check(dir); err != nil {
		return "", nil, err
	}
	sweep(dir)
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", nil, fmt.Errorf("create work folder: %w", err)
	}
	made, err = os.MkdirTemp(parent, filepath.Base(dir)+scratch)
	if err != nil {
		return "", nil, fmt.Errorf("create work folder: %w; store.work names another place", err)
	}
	release, err := Take(made, holder)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(made))
	}
	return made, func() error { return errors.Join(release(), os.RemoveAll(made)) }, nil
}

// sweep removes the temporary folders beside dir that no process holds any more. One
// without a holder may be about to be locked: it is left alone, and so is what sitesync did
// not make. A run does not fail because of what can't be removed.
func sweep(dir string) {
	parent := filepath.Dir(dir)
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		left := filepath.Join(parent, entry.Name())
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), filepath.Base(dir)+scratch) {
			continue
		}
		if _, err := os.Stat(filepath.Join(left, "holder.json")); err == nil && own.Scratch.Check(left) == nil && Held(left) == nil {
			_ = own.Scratch.Remove(left)
		}
	}
}

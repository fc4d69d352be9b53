package own

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
)

// Names are the names of the files and folders that sitesync makes in one kind of folder: patterns of
// path.Match for base names. A pattern that ends with a slash names a folder.
type Names []string

// Names for each kind of folder.
var (
	Work = Names{ // the work folder, with the state of a run that may be resumed
		"lock", "holder.json", "state.json", "sizes.log", "drafts.log", "sightings.log", "bodies.log", "links.log",
		"wave-*-*.log", "robots-*.txt", "robots-*.txt.new", "frontier/", "sort-*.run", "*.spill",
		"sitesync-details-*", "plan.jsonl.zst", ".sitesync-*",
	}
	Scratch = slices.Concat(Work, Names{ // a temporary folder of a dry run, beside the work folder
		"ledger.db", "plan", "ledger", "before/", "after/", "service.db", "service.db-*",
	})
	Lock   = Names{"lock", "holder.json"} // the folder with the lock of the local search service
	Worker = slices.Concat(Work, Names{   // the folder of a process for many sites, with a subfolder for each
		".ready", "*/", "sitesync.toml", "sitesync.db", "sitesync.db.*", "earlier.plan", "*.db",
	})
)

// ForeignError says why a file or folder may belong to somebody else. sitesync has left it unchanged.
type ForeignError struct{ Path, Why string }

func (e *ForeignError) Error() string { return e.Path + " " + e.Why }

// Replaceable errs with *ForeignError unless sitesync may replace the file at path. It may if the file is
// missing or empty, or if the function ours recognises the first 64 bytes of the file.
func Replaceable(path string, ours func(head []byte) bool) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() { // opening a FIFO would block
		file, err := os.Open(path) //nolint:gosec // the file is only read
		if err != nil {
			return err
		}
		defer file.Close()
		head := make([]byte, 64)
		n, err := io.ReadFull(file, head)
		if ours(head[:n]) {
			return nil
		}
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF { // an unreadable file may be ours
			return err
		}
	}
	return &ForeignError{path, "is not a file of sitesync; it was left as it is: move it away, or name another"}
}

// Claim makes the folder dir with mode 0700 if it is missing. It errs like Check.
func (n Names) Claim(dir string) error {
	if err := n.Check(dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, 0o700)
}

// Check errs with *ForeignError if dir is not a folder, if other users may write to dir, or if dir holds
// anything but files and folders whose names match n. A missing folder is no error.
func (n Names) Check(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return &ForeignError{dir, "is a link"}
	case !info.IsDir():
		return &ForeignError{dir, "is no folder"}
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0: // other users could put a link there
		return &ForeignError{dir, fmt.Sprintf("can be written by other users (mode %04o)", info.Mode().Perm())}
	}
	return n.walk(os.DirFS(dir), func(name string, ours bool) error {
		if !ours {
			return &ForeignError{dir, "holds " + filepath.FromSlash(name) + ", which sitesync did not make"}
		}
		return nil
	})
}

// Remove does the same as Clear, and then removes dir if it is empty.
func (n Names) Remove(dir string) error {
	err := n.Clear(dir)
	if err == nil {
		_ = os.Remove(dir)
	}
	return err
}

// Clear removes files and empty folders in dir whose names match n, except those in keep.
func (n Names) Clear(dir string, keep ...string) error {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	var found []string
	err = n.walk(root.FS(), func(name string, ours bool) error {
		if ours && !slices.Contains(keep, name) {
			found = append(found, name)
		}
		return nil
	})
	for _, name := range slices.Backward(found) { // walk found a folder before its files
		gone := root.Remove(name)
		if err == nil && gone != nil && !errors.Is(gone, fs.ErrNotExist) && !errors.Is(gone, syscall.ENOTEMPTY) {
			err = gone
		}
	}
	return err
}

func (n Names) walk(dir fs.FS, fn func(name string, ours bool) error) error {
	return fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || name == ".":
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			base += "/"
		}
		ours := (entry.IsDir() || entry.Type().IsRegular()) &&
			slices.ContainsFunc(n, func(pattern string) bool { ok, _ := path.Match(pattern, base); return ok })
		if err := fn(name, ours); err != nil {
			return err
		}
		if entry.IsDir() && !ours {
			return fs.SkipDir
		}
		return nil
	})
}

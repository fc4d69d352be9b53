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

// Names are what sitesync makes in one kind of folder: patterns of path.Match, each for the
// last part of a path. One that ends with a slash is a folder.
type Names []string

// The folders: of a run; of one that only looks, which a process makes beside it; of the
// lock of the local service; of a fleet's worker, with one folder a site.
var (
	Work = Names{"lock", "holder.json", "state.json", "sizes.log", "drafts.log", "sightings.log", "bodies.log", "links.log",
		"wave-*-*.log", "robots-*.txt", "robots-*.txt.new", "frontier/", "sort-*.run", "*.spill", "sitesync-details-*", "plan.jsonl.zst", ".sitesync-*"}
	Scratch = slices.Concat(Work, Names{"ledger.db", "plan", "ledger", "before/", "after/", "service.db", "service.db-*"})
	Lock    = Names{"lock", "holder.json"}
	Worker  = slices.Concat(Work, Names{".ready", "*/", "sitesync.toml", "sitesync.db", "sitesync.db.*", "earlier.plan", "*.db"})
)

// ForeignError says why a folder or a file is none of sitesync's. It was left as it is.
type ForeignError struct{ Path, Why string }

// Error names the path and the reason.
func (e *ForeignError) Error() string { return e.Path + " " + e.Why }

// Replaceable errs with *ForeignError unless nothing is at path, or a file that is empty or
// whose first bytes, 64 at most, are ours.
func Replaceable(path string, ours func(head []byte) bool) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() { // a FIFO would never open
		file, err := os.Open(path) //nolint:gosec // only read
		if err != nil {
			return err
		}
		defer file.Close()
		head := make([]byte, 64)
		n, err := io.ReadFull(file, head)
		if ours(head[:n]) {
			return nil
		}
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF { // it may well be ours
			return err
		}
	}
	return &ForeignError{path, "is not a file of sitesync; it was left as it is: move it away, or name another"}
}

// Claim makes the folder dir with mode 0700 where there is none, and errs as Check does.
func (n Names) Claim(dir string) error {
	if err := n.Check(dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, 0o700)
}

// Check errs with *ForeignError where dir is a link or no folder, where other users may write
// to it, and where it holds what has none of the names. A folder that is not there is well.
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
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0: // they could put a link there
		return &ForeignError{dir, fmt.Sprintf("can be written by other users (mode %04o)", info.Mode().Perm())}
	}
	return n.walk(os.DirFS(dir), func(name string, ours bool) error {
		if !ours {
			return &ForeignError{dir, "holds " + filepath.FromSlash(name) + ", which sitesync did not make"}
		}
		return nil
	})
}

// Remove clears the folder dir, and removes it unless something else is left there.
func (n Names) Remove(dir string) error {
	err := n.Clear(dir)
	if err == nil {
		_ = os.Remove(dir)
	}
	return err
}

// Clear removes from the folder dir what has one of the names, except what keep has. All
// else stays, and the folders that hold it.
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
	for _, name := range slices.Backward(found) { // a folder after what it holds
		gone := root.Remove(name)
		if err == nil && gone != nil && !errors.Is(gone, fs.ErrNotExist) && !errors.Is(gone, syscall.ENOTEMPTY) {
			err = gone
		}
	}
	return err
}

// walk calls fn for all that lies in a folder, and says whether it is a file, or a folder,
// of ours.
func (n Names) walk(dir fs.FS, fn func(name string, ours bool) error) error {
	return fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // another process removed it meanwhile
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

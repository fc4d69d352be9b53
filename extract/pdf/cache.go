package pdf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// cacheFolder returns the folder for PDFium's compiled code: the one that the
// owner names, else the user's cache, else the fallback, else "". What lies there
// is run, so a folder counts only when it is ours alone. The complaint says why
// the named one is not used.
func cacheFolder(named, fallback string) (folder, complaint string) {
	if named != "" {
		err := claim(named)
		if err == nil {
			return named, ""
		}
		complaint = fmt.Sprintf("extract.cache: %v; not used", err)
	}
	for _, dir := range []string{userCache(), fallback} {
		if dir != "" && claim(dir) == nil {
			return dir, complaint
		}
	}
	return "", complaint
}

// userCache returns the program's own part of the user's cache, or "" where the
// user has none and no home to make it in.
func userCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	if _, err := os.Stat(filepath.Dir(dir)); err != nil {
		return ""
	}
	return filepath.Join(dir, "sitesync")
}

// forget removes the compiled code in a folder, which a power cut may have damaged,
// and reports whether there was any.
func forget(dir string) bool {
	kept, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	for _, name := range kept {
		err = errors.Join(err, os.Remove(name))
	}
	return err == nil && len(kept) > 0
}

// claim makes a folder where there is none, and errs where it is not ours alone.
func claim(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder, but a file or a link to one", dir)
	}
	return isOurs(dir, info)
}

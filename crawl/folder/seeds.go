package folder

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"

	"sitesync/internal/document"
)

// Seeds yields the canonical URL of every HTML page and every file that makes a document
// in the folder, in lexical order of its path, as it walks the folder: no list is
// kept. d/index.html is "d/". Names that begin with "_" or "." are left out, and
// 404.html. What can't be read is yielded as an error, and the walk goes on.
func (f *Folder) Seeds() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		site := f.root.FS()
		_ = fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				if !yield("", fmt.Errorf("list %s in the folder %s: %w", name, f.root.Name(), err)) {
					return fs.SkipAll
				}
			case name != "." && strings.IndexByte("_.", entry.Name()[0]) >= 0:
				if entry.IsDir() {
					return fs.SkipDir
				}
			case isSeed(site, name, entry) && !yield(f.seedURL(name), nil):
				return fs.SkipAll
			}
			return nil
		})
	}
}

// isSeed reports whether a file is a document; a symbolic link is what it
// leads to, in the folder.
func isSeed(site fs.FS, name string, entry fs.DirEntry) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml":
	default:
		if document.FileMedia(name) == "" {
			return false
		}
	}
	if name == "404.html" {
		return false
	}
	if entry.Type()&fs.ModeSymlink != 0 {
		info, err := fs.Stat(site, name)
		return err == nil && info.Mode().IsRegular()
	}
	return entry.Type().IsRegular()
}

func (f *Folder) seedURL(name string) string {
	if path.Base(name) == "index.html" {
		name = strings.TrimSuffix(name, "index.html")
	}
	return f.origin + "/" + pathURL(name)
}

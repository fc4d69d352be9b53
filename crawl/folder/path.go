package folder

import (
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

func targetPath(target string) string {
	return weburl.Normalize(target[:strings.IndexAny(target+"?", "?#")], false)
}

// fileName converts a percent-encoded path into a relative file name with the system's separators. It decodes
// each segment once. ok is false for _redirects, for _headers, and for paths that no file can have.
func fileName(escaped string) (name string, ok bool) {
	if strings.HasSuffix(escaped, "/") {
		escaped += "index.html"
	}
	segments := strings.Split(strings.TrimPrefix(escaped, "/"), "/")
	for i, segment := range segments {
		decoded, err := url.PathUnescape(segment)
		if err != nil || decoded == "" || decoded == "." || decoded == ".." || strings.ContainsAny(decoded, "/\x00") {
			return "", false
		}
		segments[i] = decoded
	}
	name = path.Join(segments...)
	if name == redirectsFile || name == headersFile {
		return "", false
	}
	name, err := filepath.Localize(name)
	return name, err == nil
}

// Seeds yields the URL of every HTML page and every other indexed file (such as a PDF), in lexical order. The
// URL of d/index.html ends with "d/". The top 404.html and names that begin with "_" or "." are left out.
// After an entry that can't be read, Seeds yields an error and goes on.
func (f *Folder) Seeds() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		site := f.root.FS()
		_ = fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				if !yield("", fmt.Errorf("list %s in the folder %s: %w", name, f.root.Name(), err)) {
					return fs.SkipAll
				}
			case f.isOwn(name), name != "." && strings.IndexByte("_.", entry.Name()[0]) >= 0:
				if entry.IsDir() {
					return fs.SkipDir
				}
			case isSeed(site, name, entry):
				if path.Base(name) == "index.html" {
					name = strings.TrimSuffix(name, "index.html")
				}
				if !yield(f.origin+"/"+notInPath.ReplaceAllStringFunc(name, url.PathEscape), nil) {
					return fs.SkipAll
				}
			}
			return nil
		})
	}
}

// isSeed reports whether Seeds yields a file. A symbolic link counts as its target, which must be in the
// folder.
func isSeed(site fs.FS, name string, entry fs.DirEntry) bool {
	if name == "404.html" || !isPage(name) && document.FileMedia(name) == "" {
		return false
	}
	if entry.Type()&fs.ModeSymlink != 0 {
		info, err := fs.Stat(site, name)
		return err == nil && info.Mode().IsRegular()
	}
	return entry.Type().IsRegular()
}

func isPage(name string) bool { return document.IsHTML(document.NameMedia(name)) }

// within returns the paths of those files that are in the folder dir. The paths are relative to dir, in lower
// case, and have slashes.
func within(dir string, files []string) (names []string) {
	dir = real(dir)
	for _, file := range files {
		name, err := filepath.Rel(dir, filepath.Join(real(filepath.Dir(file)), filepath.Base(file)))
		if file != "" && err == nil && filepath.IsLocal(name) && name != "." {
			names = append(names, strings.ToLower(filepath.ToSlash(name)))
		}
	}
	return names
}

func real(dir string) string {
	to, _ := filepath.EvalSymlinks(dir)
	dir = cmp.Or(to, dir)
	to, _ = filepath.Abs(dir)
	return cmp.Or(to, dir)
}

// isOwn reports whether a file belongs to sitesync. With "ledger.db" in f.own, the files ledger.db.work/x and
// ledger.db.restore belong to sitesync too. With "ledger" in f.own, the page ledger.html does not.
func (f *Folder) isOwn(name string) bool {
	name = strings.ToLower(filepath.ToSlash(name)) // some file systems ignore case
	return slices.ContainsFunc(f.own, func(own string) bool {
		rest, found := strings.CutPrefix(name, own)
		beside, _, _ := strings.Cut(rest, "/")
		return found && (beside == "" || beside[0] == '.' && !isPage(beside))
	})
}

var notInPath = regexp.MustCompile("[^!-~]|[\"#%<>?\\\\^`{}]")

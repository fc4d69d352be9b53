package folder

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"sitesync/internal/weburl"
)

// Folder answers requests from a folder of built HTML as if it were served at
// an origin: "/d/" is d/index.html, "/d" is redirected to "/d/", 404.html is the
// body of what is missing. The files _redirects and _headers at its top, after
// the convention of static hosts, give the rest. Nothing outside the folder is
// read, not even through symbolic links.
//
// A Folder is safe for concurrent use. Close it when it is no longer needed.
type Folder struct {
	root      *os.Root
	origin    string
	redirects []redirectRule
	headers   []headerRule
}

// Open opens the folder dir as origin ("https://www.example.com"; of a
// longer address the origin counts). It errs when dir can't be opened, origin
// is no address, or a line of _redirects or _headers can't be understood: the
// error names file and line.
func Open(dir, origin string) (*Folder, error) {
	origin, err := weburl.ConfiguredOrigin(origin)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of the site: %w", err)
	}
	f := &Folder{root: root, origin: origin}
	if err := errors.Join(f.readRules(redirectsFile, f.addRedirectLine), f.readRules(headersFile, f.addHeaderLine)); err != nil {
		root.Close()
		return nil, err
	}
	return f, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// RoundTrip answers one request; the method is not looked at. It errs when the
// request is for another origin, or a file is there but can't be read.
func (f *Folder) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		req.Body.Close()
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	if origin := weburl.RequestOrigin(req.URL); origin != f.origin {
		return nil, fmt.Errorf("the folder %s holds %s only, not %s", f.root.Name(), f.origin, origin)
	}
	path := comparablePath(cmp.Or(req.URL.EscapedPath(), "/"))
	answer, err := f.answerTo(path, req.URL)
	if err != nil {
		return nil, err
	}
	return answer.response(req, f.headersFor(path)), nil
}

// answerTo finds what a path leads to. As static hosts do, a file comes before a
// rule, unless the rule is forced ("!"), and the first rule that matches is the
// only one.
func (f *Folder) answerTo(path string, u *url.URL) (answer, error) {
	rule, target, ruled := f.redirectFor(path, u)
	if ruled && rule.force {
		return f.obey(rule, target)
	}
	found, err := f.find(path)
	switch {
	case err != nil || found.file != nil:
		return found, err
	case found.location != "" && (found.index || !ruled):
		found.location = withQuery(found.location, u.RawQuery)
		return found, nil
	case ruled:
		return f.obey(rule, target)
	}
	return f.withStatus(http.StatusNotFound, "/404.html")
}

// obey answers as a rule of _redirects says.
func (f *Folder) obey(rule redirectRule, target string) (answer, error) {
	switch rule.status {
	case http.StatusOK:
		found, err := f.find(targetPath(target))
		if err != nil || found.file != nil {
			return found, err
		}
		return f.withStatus(http.StatusNotFound, "/404.html")
	case http.StatusNotFound, http.StatusGone:
		return f.withStatus(rule.status, targetPath(target))
	}
	return answer{status: rule.status, location: target}, nil
}

// withStatus answers with a status and, if it is there, a file as body.
func (f *Folder) withStatus(status int, path string) (answer, error) {
	found, err := f.find(path)
	if err != nil {
		return answer{}, err
	}
	return answer{status: status, file: found.file, info: found.info}, nil
}

// find returns the file at path, or for a directory without its slash the way
// to it; neither when there is nothing.
func (f *Folder) find(path string) (answer, error) {
	name, ok := fileName(path)
	if !ok {
		return answer{}, nil
	}
	file, err := f.root.Open(name)
	if isAbsent(err) {
		return answer{}, nil
	}
	if err != nil {
		return answer{}, fmt.Errorf("read %s in the folder %s: %w", name, f.root.Name(), err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		file.Close()
		return answer{}, fmt.Errorf("read %s in the folder %s: %w", name, f.root.Name(), err)
	case info.Mode().IsRegular():
		return answer{status: http.StatusOK, file: file, info: info}, nil
	}
	file.Close()
	if !info.IsDir() || strings.HasSuffix(path, "/") {
		return answer{}, nil
	}
	_, err = f.root.Stat(filepath.Join(name, "index.html"))
	return answer{status: http.StatusMovedPermanently, location: path + "/", index: err == nil}, nil
}

// isAbsent reports whether there is no such file, as opposed to one that can't
// be read: only the former is a 404.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

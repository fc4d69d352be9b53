package folder

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Folder answers requests from a folder of built HTML as if it were served at
// an origin: "/d/" is d/index.html, "/d" is redirected to "/d/", 404.html is the
// body of what is missing. The files _redirects and _headers at its top, after
// the convention of static hosts, give the rest. Close it when it is no longer needed.
type Folder struct {
	root      *os.Root
	origin    string
	redirects []redirectRule
	headers   []headerRule
	own       []string // where own files are in the folder, in small letters, with slashes
}

// Open opens the folder dir as origin ("https://www.example.com"; of a
// longer address the origin counts). It errs when dir can't be opened, origin
// is no address, or a line of _redirects or _headers can't be understood: the
// error names file and line. Files and folders at own are treated as missing, and so is
// what lies beside them under their name and an extension, pages excepted.
func Open(dir, origin string, own ...string) (*Folder, error) {
	origin, err := weburl.ConfiguredOrigin(origin)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of the site: %w", err)
	}
	f := &Folder{root: root, origin: origin, own: within(dir, own)}
	redirectsErr := f.readRules(redirectsFile, func(line string) error {
		rule, err := parseRedirect(line)
		f.redirects = append(f.redirects, rule)
		return err
	})
	if err := errors.Join(redirectsErr, f.readRules(headersFile, f.addHeaderLine)); err != nil {
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
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	if origin := weburl.RequestOrigin(req.URL); origin != f.origin {
		return nil, fmt.Errorf("the folder %s holds %s only, not %s", f.root.Name(), f.origin, origin)
	}
	path := weburl.Normalize(cmp.Or(req.URL.EscapedPath(), "/"), false)
	answer, err := f.answerTo(path, req.URL)
	if err != nil {
		return nil, err
	}
	fields := http.Header{} // of every rule that matches, in the order of the file
	for _, rule := range f.headers {
		if rule.paths.Match(path) {
			for name, values := range rule.fields {
				fields[name] = append(fields[name], values...)
			}
		}
	}
	return answer.response(req, fields), nil
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
	if !ok || f.isOwn(name) {
		return answer{}, nil
	}
	file, err := f.root.Open(name)
	var info fs.FileInfo
	if err == nil {
		info, err = file.Stat()
	}
	// Only a file that is not there, not one that can't be read, is a 404.
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return answer{}, nil
	case err != nil:
		file.Close() // nil is closed already
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

// answer is what a folder has for a path.
type answer struct {
	status   int
	location string // of a redirect
	file     *os.File
	info     fs.FileInfo // of file
	index    bool        // the directory at location has an index page
}

// response turns the answer into a response to req. The fields in extra take
// the place of our own.
func (a answer) response(req *http.Request, extra http.Header) *http.Response {
	text := http.StatusText(a.status) + "\n"
	header := http.Header{"Content-Type": {"text/plain"}}
	body, length := io.NopCloser(strings.NewReader(text)), int64(len(text))
	if a.file != nil {
		// HTML gets no charset, the page says it.
		ext := strings.ToLower(path.Ext(a.info.Name()))
		header.Set("Content-Type", cmp.Or(document.NameMedia(ext), "application/octet-stream"))
		body, length = a.file, a.info.Size()
	}
	if a.location != "" {
		header.Set("Location", a.location)
	}
	if a.status == http.StatusOK {
		tag := fmt.Sprintf("%x-%x", a.info.Size(), a.info.ModTime().UnixNano())
		if len(extra) > 0 { // a page that becomes noindex in _headers is another answer
			sum := xxhash.New()
			_ = extra.Write(sum) // in the order of names; a hash never errs
			tag += fmt.Sprintf("-%x", sum.Sum64())
		}
		header.Set("ETag", `"`+tag+`"`)
	}
	maps.Copy(header, extra)
	status := a.status
	if tag := header.Get("ETag"); tag != "" && tag == req.Header.Get("If-None-Match") { // the crawl alone asks
		body.Close()
		status, body, length = http.StatusNotModified, http.NoBody, 0
	}
	return &http.Response{
		StatusCode: status, Header: header, Body: body, ContentLength: length, Request: req,
	}
}

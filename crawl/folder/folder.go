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

// Folder answers requests from a folder of built HTML as if it were served at an origin. A request for "/d/"
// gets d/index.html, and "/d" redirects to "/d/". A missing page gets 404.html. The files _redirects and
// _headers at the top of the folder add rules. Close a Folder after use.
type Folder struct {
	root      *os.Root
	origin    string
	redirects []redirectRule
	headers   []headerRule
	own       []string // relative paths of files that belong to sitesync, in lower case, with slashes
}

// Open opens the folder dir as origin ("https://www.example.com"; a path in origin is ignored). It errs if
// dir can't be opened, if origin is no address, or at an invalid line of _redirects or _headers. own holds
// paths of sitesync's own files and folders, which are treated as missing. So are files whose name is a path
// in own with an added extension, except HTML pages.
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

func (f *Folder) Close() error { return f.root.Close() }

// RoundTrip answers one request, of any method. It errs when the request is for another origin, or when a
// file exists but can't be read.
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
	fields := http.Header{}
	for _, rule := range f.headers {
		if rule.paths.Match(path) {
			for name, values := range rule.fields {
				fields[name] = append(fields[name], values...)
			}
		}
	}
	return answer.response(req, fields), nil
}

// answerTo finds the answer for a path. As on static hosts, a file wins over a rule of _redirects, unless the
// rule is forced ("!" after its status). Among rules, the first match wins.
func (f *Folder) answerTo(path string, u *url.URL) (answer, error) {
	rule, target, ruled := f.redirectFor(path, u)
	if ruled && rule.force {
		return f.obey(rule, target)
	}
	found, err := f.find(path)
	switch {
	case err != nil || found.file != nil:
		return found, err
	case found.location != "" && (found.hasIndex || !ruled):
		found.location = withQuery(found.location, u.RawQuery)
		return found, nil
	case ruled:
		return f.obey(rule, target)
	}
	return f.withStatus(http.StatusNotFound, "/404.html")
}

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

func (f *Folder) withStatus(status int, path string) (answer, error) {
	found, err := f.find(path)
	if err != nil {
		return answer{}, err
	}
	return answer{status: status, file: found.file, info: found.info}, nil
}

// find returns the file at path. For a directory whose path has no final slash it returns a redirect. If no
// file exists at path, it returns the zero answer.
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
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return answer{}, nil
	case err != nil:
		file.Close() // Close of a nil file is safe
		return answer{}, fmt.Errorf("read %s in the folder %s: %w", name, f.root.Name(), err)
	case info.Mode().IsRegular():
		return answer{status: http.StatusOK, file: file, info: info}, nil
	}
	file.Close()
	if !info.IsDir() || strings.HasSuffix(path, "/") {
		return answer{}, nil
	}
	_, err = f.root.Stat(filepath.Join(name, "index.html"))
	return answer{status: http.StatusMovedPermanently, location: path + "/", hasIndex: err == nil}, nil
}

type answer struct {
	status   int
	location string
	file     *os.File
	info     fs.FileInfo
	hasIndex bool
}

func (a answer) response(req *http.Request, extra http.Header) *http.Response {
	text := http.StatusText(a.status) + "\n"
	header := http.Header{"Content-Type": {"text/plain"}}
	body, length := io.NopCloser(strings.NewReader(text)), int64(len(text))
	if a.file != nil {
		// Content-Type names no charset for HTML, since the page declares it.
		ext := strings.ToLower(path.Ext(a.info.Name()))
		header.Set("Content-Type", cmp.Or(document.NameMedia(ext), "application/octet-stream"))
		body, length = a.file, a.info.Size()
	}
	if a.location != "" {
		header.Set("Location", a.location)
	}
	if a.status == http.StatusOK {
		tag := fmt.Sprintf("%x-%x", a.info.Size(), a.info.ModTime().UnixNano())
		if len(extra) > 0 { // a page that becomes noindex in _headers needs a new ETag
			sum := xxhash.New()
			_ = extra.Write(sum) // Write sorts the names; writing to a hash never errs
			tag += fmt.Sprintf("-%x", sum.Sum64())
		}
		header.Set("ETag", `"`+tag+`"`)
	}
	maps.Copy(header, extra)
	status := a.status
	// the crawl sends at most one plain ETag, so If-None-Match is not parsed as a list
	if tag := header.Get("ETag"); tag != "" && tag == req.Header.Get("If-None-Match") {
		body.Close()
		status, body, length = http.StatusNotModified, http.NoBody, 0
	}
	return &http.Response{
		StatusCode: status, Header: header, Body: body, ContentLength: length, Request: req,
	}
}

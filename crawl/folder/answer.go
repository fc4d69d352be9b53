package folder

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

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
	header, body, length := a.content()
	if a.location != "" {
		header.Set("Location", a.location)
	}
	if a.status == http.StatusOK {
		header.Set("ETag", entityTag(a.info, extra))
	}
	for name, values := range extra {
		header[name] = values
	}
	status := a.status
	if status == http.StatusOK && matchesETag(req.Header.Get("If-None-Match"), header.Get("ETag")) {
		body.Close()
		status, body, length = http.StatusNotModified, http.NoBody, 0
	}
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", status, http.StatusText(status)),
		StatusCode: status,
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     header, Body: body, ContentLength: length, Request: req,
	}
}

func (a answer) content() (header http.Header, body io.ReadCloser, length int64) {
	header = http.Header{}
	if a.file != nil {
		header.Set("Content-Type", mediaType(a.info.Name()))
		return header, a.file, a.info.Size()
	}
	text := http.StatusText(a.status) + "\n"
	header.Set("Content-Type", "text/plain")
	return header, io.NopCloser(strings.NewReader(text)), int64(len(text))
}

// entityTag returns an entity tag that changes with the file's size and
// modification time, and with the header fields that _headers gives the page: a
// page that becomes noindex there is another answer.
func entityTag(info fs.FileInfo, extra http.Header) string {
	tag := fmt.Sprintf("%x-%x", info.Size(), info.ModTime().UnixNano())
	if len(extra) > 0 {
		sum := xxhash.New()
		_ = extra.Write(sum) // in the order of names; a hash never errs
		tag += fmt.Sprintf("-%x", sum.Sum64())
	}
	return `"` + tag + `"`
}

// matchesETag compares as RFC 9110, section 13.1.2 does, weakly.
func matchesETag(list, tag string) bool {
	for candidate := range strings.SplitSeq(list, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || candidate != "" && strings.TrimPrefix(candidate, "W/") == tag {
			return true
		}
	}
	return false
}

// mediaType returns the media type of a file by its extension, from a table
// of our own: the same on every machine. HTML gets no charset, the page says it.
func mediaType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	return cmp.Or(document.FileMedia(ext), mediaTypes[ext], "application/octet-stream")
}

var mediaTypes = map[string]string{
	".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".txt": "text/plain", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript",
	".xml": "application/xml", ".rss": "application/rss+xml", ".atom": "application/atom+xml", ".json": "application/json", ".gz": "application/gzip",
	".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
}

package testsite

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Answer is what the site is about to send, for a Fault to change.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	send   func(w http.ResponseWriter, r *http.Request, a *Answer) // nil: as HTTP wants it
}

// ServeHTTP answers one request: the page, changed by the faults of its path.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	entry := s.log.arrived(r)
	a, faults := s.answer(r.RequestURI)
	for _, fault := range faults {
		fault(r, a)
	}
	if r.Context().Err() != nil { // nobody waits any more
		panic(http.ErrAbortHandler)
	}
	if a.send == nil {
		a.spare(r)
		a.compress(r)
		a.send = sendWhole
	}
	s.log.answered(entry, a.Status)
	a.send(w, r, a)
}

// answer returns what a healthy site would say, and the faults to apply.
func (s *Site) answer(uri string) (*Answer, []Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.page(uri).answer(uri, !s.unhinted), s.faultsOf(uri)
}

func (s *Site) page(uri string) Page {
	if p, ok := s.pages[uri]; ok {
		return p
	}
	if path, ok := s.visited(uri); ok {
		return s.page(path)
	}
	if uri == sitemapPath && s.sitemap {
		return s.sitemapPage()
	}
	if p, ok := s.trapped(uri); ok {
		return p
	}
	p := s.lostAt(uri)
	if s.soft404 {
		p.Status = http.StatusOK
	}
	return p
}

func (p Page) answer(uri string, hinted bool) *Answer {
	a := &Answer{Status: p.Status, Header: http.Header{}, Body: []byte(p.Body)}
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	a.Header.Set("Content-Type", mediaType(uri))
	if hinted && a.Status == http.StatusOK {
		a.Header.Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(a.Body))[:17]+`"`)
		if !p.Modified.IsZero() {
			a.Header.Set("Last-Modified", p.Modified.UTC().Format(http.TimeFormat))
		}
	}
	for name, value := range p.Header {
		a.set(name, value)
	}
	return a
}

// set sets a header; an empty value keeps net/http from sending one of its own.
func (a *Answer) set(name, value string) {
	if value == "" {
		a.Header[http.CanonicalHeaderKey(name)] = nil
		return
	}
	a.Header.Set(name, value)
}

// spare turns the answer into a 304 where the request's conditions allow it
// (RFC 9110, section 13.2.2).
func (a *Answer) spare(r *http.Request) {
	if a.Status == http.StatusOK && unchanged(r.Header, a.Header) {
		a.Status, a.Body = http.StatusNotModified, nil
	}
}

// unchanged reports whether a request's validators match an answer's;
// If-None-Match, where sent, decides alone.
func unchanged(request, answer http.Header) bool {
	if tags := request.Get("If-None-Match"); tags != "" {
		tag := answer.Get("ETag")
		return tag != "" && strings.Contains(tags, tag)
	}
	since, err := http.ParseTime(request.Get("If-Modified-Since"))
	if err != nil {
		return false
	}
	modified, err := http.ParseTime(answer.Get("Last-Modified"))
	return err == nil && !modified.After(since.Truncate(time.Second))
}

// compress gzips a text body for a client that takes it.
func (a *Answer) compress(r *http.Request) {
	media := a.Header.Get("Content-Type")
	text := strings.HasPrefix(media, "text/") || strings.Contains(media, "xml")
	if !text || len(a.Body) == 0 || a.Header.Get("Content-Encoding") != "" || !takesGzip(r) {
		return
	}
	a.Body = []byte(Gzip(string(a.Body)))
	a.Header.Set("Content-Encoding", "gzip")
	a.Header.Set("Vary", "Accept-Encoding")
}

func takesGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

// Gzip returns text compressed, as for a sitemap.xml.gz.
func Gzip(text string) string {
	var buf bytes.Buffer
	w, _ := gzip.NewWriterLevel(&buf, gzip.StatelessCompression) // each of the others would first clear a megabyte
	_, _ = w.Write([]byte(text))                                 // a bytes.Buffer takes all
	_ = w.Close()
	return buf.String()
}

func sendWhole(w http.ResponseWriter, _ *http.Request, a *Answer) {
	a.begin(w, int64(len(a.Body)))
	_, _ = w.Write(a.Body)
}

// begin sends status and headers. A length of 0 leaves the length to net/http.
func (a *Answer) begin(w http.ResponseWriter, length int64) {
	for name, values := range a.Header {
		w.Header()[name] = values
	}
	if length > 0 {
		w.Header().Set("Content-Length", strconv.FormatInt(length, 10))
	}
	w.WriteHeader(a.Status)
}

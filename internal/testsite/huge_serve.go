package testsite

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// Stats count what a Huge site answered since its start or the last reset.
type Stats struct {
	Requests    int64
	Pages       int64 // distinct pages answered with a body
	Repeated    int64 // answers with a body beyond a page's first
	NotModified int64
	NotFound    int64
	Bytes       int64 // of the pages' bodies, as sent
}

type counts struct {
	requests, notModified, notFound, bytes atomic.Int64
}

// Stats returns the counts so far.
func (h *Huge) Stats() Stats {
	s := Stats{
		Requests:    h.counts.requests.Load(),
		NotModified: h.counts.notModified.Load(),
		NotFound:    h.counts.notFound.Load(),
		Bytes:       h.counts.bytes.Load(),
	}
	for i := range h.hits {
		if n := int64(h.hits[i].Load()); n > 0 {
			s.Pages++
			s.Repeated += n - 1
		}
	}
	return s
}

// Reset sets all counts to zero.
func (h *Huge) Reset() {
	for _, c := range []*atomic.Int64{&h.counts.requests, &h.counts.notModified, &h.counts.notFound, &h.counts.bytes} {
		c.Store(0)
	}
	for i := range h.hits {
		h.hits[i].Store(0)
	}
}

// ServeHTTP answers with a page, robots.txt or a sitemap.
func (h *Huge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.counts.requests.Add(1)
	if !h.wait(r) {
		return
	}
	origin := "http://" + r.Host
	if n, ok := h.number(r.URL.Path); ok {
		h.servePage(w, r, origin, n)
		return
	}
	if h.serveSitemap(w, r, origin) {
		return
	}
	h.counts.notFound.Add(1)
	http.Error(w, "There is nothing at this address.", http.StatusNotFound)
}

// wait is the way to a distant server; it reports whether the client still waits.
func (h *Huge) wait(r *http.Request) bool {
	if h.options.Delay == 0 {
		return true
	}
	select {
	case <-time.After(h.options.Delay):
		return true
	case <-r.Context().Done():
		return false
	}
}

func (h *Huge) servePage(w http.ResponseWriter, r *http.Request, origin string, n int) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("ETag", h.etag(n))
	header.Set("Last-Modified", h.modified(n).Format(http.TimeFormat))
	header.Set("Vary", "Accept-Encoding")
	if unchanged(r.Header, header) {
		h.counts.notModified.Add(1)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s := h.sheets.Get().(*sheet)
	defer h.sheets.Put(s)
	h.compose(s, origin, n)
	var body []byte
	if takesGzip(r) {
		header.Set("Content-Encoding", "gzip")
		body = s.gzip()
	} else {
		body = s.plain()
	}
	h.hits[n].Add(1)
	h.counts.bytes.Add(int64(len(body)))
	header.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

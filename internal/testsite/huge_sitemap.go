package testsite

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// sitemapSize is the most addresses that a sitemap may hold (sitemaps.org).
const sitemapSize = 50_000

const sitemapSpace = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`

// serveSitemap answers for robots.txt, the sitemap index and its files, written
// as they are sent; false: the path is not one of these.
func (h *Huge) serveSitemap(w http.ResponseWriter, r *http.Request, origin string) bool {
	write, media := h.writerOf(r.URL.Path, origin)
	if write == nil {
		return false
	}
	w.Header().Set("Content-Type", media)
	var body io.Writer = w
	if takesGzip(r) {
		w.Header().Set("Content-Encoding", "gzip")
		packed, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
		if err != nil {
			panic(err) // only a level that does not exist can be refused
		}
		defer packed.Close()
		body = packed
	}
	buffered := bufio.NewWriterSize(body, 64<<10)
	defer buffered.Flush()
	write(buffered)
	return true
}

func (h *Huge) writerOf(path, origin string) (write func(*bufio.Writer), media string) {
	if path == "/robots.txt" {
		return func(b *bufio.Writer) { h.writeRobots(b, origin) }, "text/plain; charset=utf-8"
	}
	if h.options.NoSitemap {
		return nil, ""
	}
	if path == sitemapPath {
		return func(b *bufio.Writer) { h.writeIndex(b, origin) }, "application/xml"
	}
	number, ok := strings.CutPrefix(strings.TrimSuffix(path, ".xml"), "/sitemap-")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 0 || n*sitemapSize >= h.options.Pages {
		return nil, ""
	}
	return func(b *bufio.Writer) { h.writeURLs(b, origin, n*sitemapSize) }, "application/xml"
}

func (h *Huge) writeRobots(b *bufio.Writer, origin string) {
	fmt.Fprintf(b, "User-agent: *\nDisallow: /search\n")
	if !h.options.NoSitemap {
		fmt.Fprintf(b, "Sitemap: %s%s\n", origin, sitemapPath)
	}
}

func (h *Huge) writeIndex(b *bufio.Writer, origin string) {
	fmt.Fprintf(b, "<sitemapindex %s>\n", sitemapSpace)
	for n := 0; n*sitemapSize < h.options.Pages; n++ {
		fmt.Fprintf(b, "<sitemap><loc>%s/sitemap-%d.xml</loc></sitemap>\n", origin, n)
	}
	b.WriteString("</sitemapindex>\n")
}

func (h *Huge) writeURLs(b *bufio.Writer, origin string, first int) {
	fmt.Fprintf(b, "<urlset %s>\n", sitemapSpace)
	for n := first; n < min(first+sitemapSize, h.options.Pages); n++ {
		b.WriteString("<url><loc>")
		b.WriteString(origin)
		b.Write(appendPath(b.AvailableBuffer(), n))
		b.WriteString("</loc><lastmod>")
		b.Write(h.modified(n).AppendFormat(b.AvailableBuffer(), "2006-01-02T15:04:05Z"))
		b.WriteString("</lastmod></url>\n")
	}
	b.WriteString("</urlset>\n")
}

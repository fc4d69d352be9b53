package testsite

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// HugeOptions say what a Huge site is.
type HugeOptions struct {
	Pages     int           // at least 1
	NoSitemap bool          // nothing but links leads to the pages
	Delay     time.Duration // before each answer: a distant server
	Lean      bool          // pages of about 3 KB with 23 links, for very large sites

	// NoArticles leaves out all that calls a page an article.
	NoArticles bool
}

// Figures of a Huge site's shape.
const (
	navLinks     = 29 // the same on every page; one more in the breadcrumb
	contentLinks = 50 // of the page itself
	leanLinks    = branch + 3
	branch       = 20 // children of a page in the tree that makes all reachable
)

// Huge is a large site for benchmarks. Its pages are made as they are asked for,
// each a function of its number and version: about 30 KB of HTML with 80 links,
// unlike every other page. It is an http.Handler; see StartHuge.
type Huge struct {
	options  HugeOptions
	stock    stock
	versions []atomic.Uint32
	hits     []atomic.Uint32 // answers with a body, for each page
	counts   counts
	sheets   sync.Pool
}

// NewHuge returns a site of the pages 0 (at "/") to Pages - 1.
func NewHuge(o HugeOptions) *Huge {
	o.Pages = max(o.Pages, 1)
	return &Huge{
		options:  o,
		stock:    newStock(o),
		versions: make([]atomic.Uint32, o.Pages),
		hits:     make([]atomic.Uint32, o.Pages),
		sheets:   sync.Pool{New: func() any { return newSheet() }},
	}
}

// Bump changes the content, ETag, Last-Modified and lastmod of the pages from
// to to - 1; their addresses and links stay.
func (h *Huge) Bump(from, to int) {
	for n := max(from, 0); n < min(to, len(h.versions)); n++ {
		h.versions[n].Add(1)
	}
}

// HugePath returns the path of page n of any Huge site.
func HugePath(n int) string { return string(appendPath(nil, n)) }

// appendPath writes /section/some-words-NUMBER; the number alone tells the page.
func appendPath(dst []byte, n int) []byte {
	dst = append(dst, '/')
	if n == 0 {
		return dst
	}
	draw := newDraw(n, 0)
	dst = append(dst, section(n)...)
	dst = append(dst, '/')
	for range 3 {
		dst = append(dst, draw.word()...)
		dst = append(dst, '-')
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

// number returns the page at a path.
func (h *Huge) number(path string) (int, bool) {
	if path == "/" {
		return 0, true
	}
	n, err := strconv.Atoi(path[strings.LastIndexByte(path, '-')+1:])
	if err != nil || n < 1 || n >= h.options.Pages || string(appendPath(nil, n)) != path {
		return 0, false
	}
	return n, true
}

// modified returns when a page was last changed; a version is an hour.
func (h *Huge) modified(n int) time.Time {
	start := time.Date(2023, time.January, 1, 0, 0, 0, 0, time.UTC)
	return start.Add(time.Duration(n%8760+int(h.versions[n].Load())) * time.Hour)
}

func (h *Huge) etag(n int) string { return fmt.Sprintf(`"%x-%x"`, n, h.versions[n].Load()) }

// link returns the page that content link i of page n leads to: its children in
// the tree, its parent, its neighbours, and others drawn by lot.
func (h *Huge) link(n, i int, draw *draw) int {
	child := n*branch + 1 + i
	switch {
	case i < branch && child < h.options.Pages:
		return child
	case i == branch:
		return max(n-1, 0) / branch
	case i == branch+1:
		return (n + 1) % h.options.Pages
	case i == branch+2:
		return max(n-1, 0)
	}
	return draw.below(h.options.Pages)
}

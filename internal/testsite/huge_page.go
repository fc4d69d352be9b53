package testsite

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/klauspost/compress/flate"
)

// sheet is the room in which one page is put together.
type sheet struct {
	own    bytes.Buffer // what no other page has, plain
	packed bytes.Buffer
	writer *flate.Writer
	pieces []piece
	out    bytes.Buffer
}

// ownPiece is the index of the page's own piece: the template's head comes first.
const ownPiece = 1

func newSheet() *sheet { return &sheet{writer: newPacker(flate.BestSpeed)} }

// Page returns page n as it stands now, as served from an origin such as
// "http://127.0.0.1:8080".
func (h *Huge) Page(origin string, n int) []byte {
	s := newSheet()
	h.compose(s, origin, n)
	return bytes.Clone(s.plain())
}

// compose puts page n together as a list of pieces; its own is not compressed.
func (h *Huge) compose(s *sheet, origin string, n int) {
	version := h.versions[n].Load()
	s.own.Reset()
	h.writeHead(&s.own, origin, n, version)
	prose := newDraw(n, version+1)
	for range 2 {
		s.own.WriteString("<p>")
		s.own.Write(prose.prose(s.own.AvailableBuffer(), 4))
		s.own.WriteString("</p>\n")
	}
	h.writeLinks(&s.own, origin, n)

	s.pieces = append(s.pieces[:0], h.stock.top, piece{plain: s.own.Bytes()})
	for range h.stock.perPage {
		s.pieces = append(s.pieces, h.stock.prose[prose.below(proseKinds)])
	}
	s.pieces = append(s.pieces, h.stock.bottom)
}

// plain returns the page's bytes, valid until the sheet is used again.
func (s *sheet) plain() []byte {
	s.out.Reset()
	for _, p := range s.pieces {
		s.out.Write(p.plain)
	}
	return s.out.Bytes()
}

// gzip returns the page compressed, valid until the sheet is used again.
func (s *sheet) gzip() []byte {
	s.packed.Reset()
	packInto(&s.packed, s.writer, s.pieces[ownPiece].plain)
	s.pieces[ownPiece].packed = s.packed.Bytes()
	s.out.Reset()
	_ = writeGzip(&s.out, slices.Values(s.pieces)) // a bytes.Buffer takes all
	return s.out.Bytes()
}

func (h *Huge) writeHead(b *bytes.Buffer, origin string, n int, version uint32) {
	names := newDraw(n, 0)
	title, summary := names.phrase(nil, 4), names.prose(nil, 2)
	fmt.Fprintf(b, `<title>%[1]s %[2]d | Harbour Town</title>
<meta name="description" content="%[3]s">
<link rel="canonical" href="%[4]s%[5]s">
<meta property="og:title" content="%[1]s %[2]d">
<meta property="og:type" content="%[9]s">
<meta property="og:url" content="%[4]s%[5]s">
<meta property="article:modified_time" content="%[6]s">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"%[10]s","headline":"%[1]s %[2]d","articleSection":"%[7]s","dateModified":"%[6]s","author":{"@type":"Organization","name":"Harbour Town"}}</script>
</head>
<body class="page-template">
<main id="main" class="site-main"><%[11]s class="entry">
<ol class="breadcrumb"><li>Harbour Town</li><li><a href="/">%[7]s</a></li></ol>
<h1 class="entry-title">%[1]s %[2]d</h1>
<p class="entry-meta"><time datetime="%[6]s">Revision %[8]d</time></p>
`, title, n, summary, origin, HugePath(n), h.modified(n).Format(time.RFC3339), section(n), version, h.stock.names.openGraph, h.stock.names.schema, h.stock.names.element)
}

// links returns how many content links a page has.
func (h *Huge) links() int {
	if h.options.Lean {
		return leanLinks
	}
	return contentLinks
}

func (h *Huge) writeLinks(b *bytes.Buffer, origin string, n int) {
	draw := newDraw(n, 0) // whatever the version
	b.WriteString("<aside class=\"related\"><h2>Related</h2><ul class=\"related-list\">\n")
	var line []byte
	for i := range h.links() {
		target := h.link(n, i, &draw)
		names := newDraw(target, 0)
		line = append(line[:0], "<li class=\"related-list__item\"><a href=\""...)
		if i%16 == 7 {
			line = append(line, origin...)
		}
		line = appendPath(line, target)
		if i%16 == 11 {
			line = append(line, "#main"...)
		}
		line = append(names.phrase(append(line, "\">"...), 4), ' ')
		line = append(strconv.AppendInt(line, int64(target), 10), "</a></li>\n"...)
		b.Write(line)
	}
	b.WriteString("</ul></aside>\n")
}

package crawl

import (
	"encoding/binary"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"

	"sitesync/crawl/page"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// noteBody notes the shape and the text of a page whose shape other pages may have,
// for sameBodies. It is safe for concurrent use.
func (t *traps) noteBody(wave int, p *document.Page, flags uint16) {
	if t == nil || p.Root == nil || flags&(spool.Start|spool.InSitemap) != 0 {
		return
	}
	var s shape
	path, query, _ := strings.Cut(weburl.Target(p.URL), "?")
	if s.read(path, query); !s.variable {
		return
	}
	record := binary.BigEndian.AppendUint32(nil, uint32(wave))
	record = binary.BigEndian.AppendUint64(record, trapKey(sameTrap, t.hosts[weburl.Origin(p.URL)].index, s.pattern))
	t.bodies.Append(binary.BigEndian.AppendUint64(record, lettersOf(p.Root)))
}

// sameBodies finds the shapes whose pages say the same, of the waves before one. What
// an interrupted run noted of later waves waits: they may not be whole.
func (t *traps) sameBodies(wave int) {
	end := t.bodies.Size()
	if end == t.next {
		return
	}
	for at, record := range t.bodies.Since(t.next) {
		if int(binary.BigEndian.Uint32(record)) >= wave {
			end = at
			break
		}
		t.total.add(trapKey(bodyCount, 0, record[4:]))
	}
	for at, record := range t.bodies.Since(t.next) {
		if at == end {
			break
		}
		if t.total.count(trapKey(bodyCount, 0, record[4:])) >= t.limits[sameTrap] {
			t.same[binary.BigEndian.Uint64(record[4:])] = true
		}
	}
	t.next = end
}

// lettersOf returns a hash of a page's text without digits and white space: days of
// an empty calendar differ in nothing else.
func lettersOf(root *html.Node) uint64 {
	var h xxhash.Digest
	h.Reset()
	var buf [256]byte
	n := 0
	for node := root; node != nil; node = page.Next(root, node) {
		if node.Type != html.TextNode || page.Hidden(node.Parent) {
			continue
		}
		for i := range len(node.Data) {
			if n == len(buf) {
				_, _ = h.Write(buf[:]) // never errs
				n = 0
			}
			c := node.Data[i]
			buf[n] = c
			n += int(keptBytes[c]) // no branch: what is text can't be foretold
		}
	}
	_, _ = h.Write(buf[:n])
	return h.Sum64()
}

// keptBytes holds 1 for each byte that lettersOf keeps, else 0.
var keptBytes = func() (kept [256]uint8) {
	for c := ' ' + 1; c < 256; c++ {
		if !isDigit(byte(c)) {
			kept[c] = 1
		}
	}
	return kept
}()

package trap

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// NoteBody notes the shape and the text of a page of a wave, where other pages may
// have that shape.
func (t *Traps) NoteBody(wave, host int, url string, root *html.Node) {
	s := shapeOf(url)
	if !s.variable {
		return
	}
	record := binary.BigEndian.AppendUint32(nil, uint32(wave))
	record = binary.BigEndian.AppendUint64(record, pattern{Shape, s.pattern}.key(host))
	t.bodies.Append(binary.BigEndian.AppendUint64(record, hashLetters(root)))
}

// countBodies finds the shapes whose pages say the same, in the waves before one.
// What an interrupted run noted of later waves waits: it may not be whole.
func (t *Traps) countBodies(wave int) {
	end := t.bodies.Size()
	for at, record := range t.bodies.Since(t.next) {
		if int(binary.BigEndian.Uint32(record)) >= wave {
			end = at
			break
		}
		t.update(pattern{body, string(record[4:])}.key(0), func(c *count) { c.total++ })
	}
	for at, record := range t.bodies.Since(t.next) {
		if at == end {
			break
		}
		if int(t.count(pattern{body, string(record[4:])}.key(0)).total) >= t.limits[Same] {
			t.update(binary.BigEndian.Uint64(record[4:]), func(c *count) { c.same = true })
		}
	}
	t.next = end
}

// hashLetters returns a hash of a page's text without digits and white space: days of
// an empty calendar differ in nothing else.
func hashLetters(root *html.Node) uint64 {
	var h xxhash.Digest
	h.Reset()
	var letters []byte
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Noscript, atom.Template:
			return
		}
		if n.Type == html.TextNode {
			letters = letters[:0]
			for i := range len(n.Data) {
				if c := n.Data[i]; c > ' ' && !isDigit(c) {
					letters = append(letters, c)
				}
			}
			_, _ = h.Write(letters) // never errs
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			visit(child)
		}
	}
	visit(root)
	return h.Sum64()
}

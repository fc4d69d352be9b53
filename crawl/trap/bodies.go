package trap

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"

	"sitesync/crawl/page"
)

// NoteBody notes the shape and the text of a page of a wave, where other pages may
// have that shape.
func (t *Traps) NoteBody(wave, host int, url string, root *html.Node) {
	form, variable := shapeOf(url)
	if !variable {
		return
	}
	record := binary.BigEndian.AppendUint32(nil, uint32(wave))
	record = binary.BigEndian.AppendUint64(record, pattern{shape, form}.key(host))
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
		key := pattern{text, string(record[4:])}.key(0)
		t.update(key, func(c *count) { c.total++ })
		t.update(binary.BigEndian.Uint64(record[4:]), func(c *count) {
			c.bodies++
			c.most = max(c.most, t.count(key).total)
			c.same = c.same || int(c.most) >= t.share(ofSame)
		})
	}
	t.next = end
}

// hashLetters returns a hash of a page's text without digits and white space: days of
// an empty calendar differ in nothing else.
func hashLetters(root *html.Node) uint64 {
	var h xxhash.Digest
	h.Reset()
	for n := root; n != nil; n = page.Next(root, n) {
		if n.Type == html.TextNode && !page.Hidden(n.Parent) {
			for word := range strings.FieldsFuncSeq(n.Data, func(c rune) bool { return c <= ' ' || '0' <= c && c <= '9' }) {
				_, _ = h.WriteString(word) // never errs
			}
		}
	}
	return h.Sum64()
}

// Recall takes in what Repeats returned in the last run. Without it a run that reads few of such
// pages, because the others did not change, would find further ones: as many again each time.
func (t *Traps) Recall(host int, repeats []string) {
	for _, form := range repeats {
		t.update(pattern{shape, form}.key(host), func(c *count) { c.same = true })
	}
}

// Repeats returns the shapes of a host whose pages say the same, as far as that left a URL out, in
// order: in this run, or before it, unless too few are left that may still do so.
func (t *Traps) Repeats(host int, origin string, before []string) []string {
	repeats := slices.Clone(before)
	for id := range t.caps {
		if at, form, _ := strings.Cut(id, " "); at == origin {
			repeats = append(repeats, form)
		}
	}
	repeats = slices.DeleteFunc(repeats, func(form string) bool {
		c := t.counts[pattern{shape, form}.key(host)]
		return !c.same || int(c.most+c.total+c.stay)-int(c.bodies) < t.share(ofSame)
	})
	slices.Sort(repeats)
	repeats = slices.Compact(repeats)
	return repeats[:min(len(repeats), maxCaps)]
}

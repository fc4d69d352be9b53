package trap

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"

	"sitesync/crawl/page"
)

// NoteBody records a hash of a page's text for the shape of its URL (a pattern that ignores numbers, tokens
// and parameters). It ignores URLs without any of these. wave is the round of the crawl.
func (t *Traps) NoteBody(wave, host int, url string, root *html.Node) {
	form, variable := shapeOf(url)
	if !variable {
		return
	}
	record := binary.BigEndian.AppendUint32(nil, uint32(wave))
	record = binary.BigEndian.AppendUint64(record, pattern{shape, form}.key(host))
	t.bodies.Append(binary.BigEndian.AppendUint64(record, hashLetters(root)))
}

// countBodies counts the records that NoteBody made before the given wave. It marks the shapes of which many
// pages have the same text. The other records must wait: an interrupted run may have left them incomplete.
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

// hashLetters returns a hash of a page's visible text without digits and white space. Empty days of a
// calendar differ only in these.
func hashLetters(root *html.Node) uint64 {
	var h xxhash.Digest
	h.Reset()
	skipped := func(c rune) bool { return c <= ' ' || '0' <= c && c <= '9' }
	for n := root; n != nil; n = page.Next(root, n) {
		if n.Type == html.TextNode && !page.Hidden(n.Parent) {
			for word := range strings.FieldsFuncSeq(n.Data, skipped) {
				_, _ = h.WriteString(word)
			}
		}
	}
	return h.Sum64()
}

// Recall restores the shapes that Repeats returned in the previous run. Without it, every run would request
// more URLs of these shapes until it finds that their pages have the same text.
func (t *Traps) Recall(host int, repeats []string) {
	for _, form := range repeats {
		t.update(pattern{shape, form}.key(host), func(c *count) { c.same = true })
	}
}

// Repeats returns, sorted, the shapes of a host of which at least share(ofSame) pages may have the same text.
// It checks the shapes in previous, and those of which this run left a URL out. previous is the result of the
// previous run. A page whose text was not noted may have the same text.
func (t *Traps) Repeats(host int, origin string, previous []string) []string {
	repeats := slices.Clone(previous)
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

package document

import (
	"encoding/binary"
	"strings"
	"testing"
)

// TestPackLinks: links are packed in order, each once, and the first ones of a page with too
// many.
func TestPackLinks(t *testing.T) {
	many := make([]uint64, MaxLinks+100)
	for i := range many {
		many[i] = uint64(len(many) - i)
	}
	for _, row := range []struct {
		links       []uint64
		n           int
		first, last uint64
	}{{nil, 0, 0, 0}, {[]uint64{7, 1, 7, 1 << 63}, 3, 1, 1 << 63}, {many, MaxLinks, 101, MaxLinks + 100}} {
		packed := PackLinks(row.links)
		if len(packed) != 8*row.n {
			t.Errorf("%d bytes of %d links", len(packed), row.n)
		} else if row.n > 0 && (binary.BigEndian.Uint64(packed) != row.first || binary.BigEndian.Uint64(packed[8*row.n-8:]) != row.last) {
			t.Errorf("links from %d to %d", binary.BigEndian.Uint64(packed), binary.BigEndian.Uint64(packed[8*row.n-8:]))
		}
	}
}

// TestSays: what is kept of a page is short, and whole characters.
func TestSays(t *testing.T) {
	doc := Document{Fields: map[string]string{"Title": strings.Repeat("Æ", MaxShort), "Content": "a\nb\nc\nd\n", "Description": "the first sentence"}}
	s := SaysOf(doc, &Draft{Fields: map[string]string{"Description": "its own"}, Why: "why"})
	if s.Title != strings.Repeat("Æ", MaxShort/2)+"…" || s.Description != "its own" || s.Length != 8 || s.Text == 0 || s.NoText != "" {
		t.Errorf("%+v", s)
	}
	if s = SaysOf(Document{}, &Draft{Why: "why"}); s.Text != 0 || s.Length != 0 || s.NoText != "why" {
		t.Errorf("of nothing: %+v", s)
	}
}

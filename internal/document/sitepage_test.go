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
	s := SaysOf(doc, &Draft{Fields: map[string]string{"Description": "its own"}, NoText: "why"})
	if s.Title != strings.Repeat("Æ", MaxShort/2)+"…" || s.Description != "its own" || s.Length != 8 || s.Text == 0 || len(s.Sketch) != 4*SketchSize || s.NoText != "why" {
		t.Errorf("%+v", s)
	}
	if s = SaysOf(Document{}, &Draft{}); s.Text != 0 || s.Sketch != nil || s.Length != 0 {
		t.Errorf("of nothing: %+v", s)
	}
}

// TestSketch: two texts share about as many values as lines; a short one has no sketch.
func TestSketch(t *testing.T) {
	lines := make([]string, 200)
	for i := range lines {
		lines[i] = strings.Repeat("word ", i%7) + string(rune('a'+i%26)) + strings.Repeat("x", i)
	}
	shared := func(n int) (same int) {
		a, b := Sketch(strings.Join(lines, "\n")), Sketch(strings.Join(lines[:n], "\n"))
		for i := 0; i < len(b); i += 4 {
			if string(a[i:i+4]) == string(b[i:i+4]) {
				same++
			}
		}
		return same
	}
	if all, most, few := shared(200), shared(196), shared(20); all != SketchSize || most < 7 || few > 3 {
		t.Errorf("%d of the same text, %d of nearly the same, %d of a tenth", all, most, few)
	}
	if Sketch("one\ntwo\nthree") != nil {
		t.Error("three lines have a sketch")
	}
}

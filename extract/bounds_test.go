package extract

import (
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestBounds: what a document may hold comes through whole, what goes beyond is cut at the
// same place each time, with a warning.
func TestBounds(t *testing.T) {
	words := strings.Repeat("ø word ", document.MaxText/8+9)
	for name, c := range map[string]struct {
		text   string
		blocks int
		cut    string
	}{
		"as many lines as may be":   {strings.Repeat("line\n", document.MaxBlocks), document.MaxBlocks, ""},
		"one line more":             {strings.Repeat("line\n", document.MaxBlocks+1), document.MaxBlocks, document.BeyondBlocks},
		"as much text as may be":    {strings.Repeat("x", document.MaxText), 1, ""},
		"one letter more":           {strings.Repeat("x", document.MaxText+1), 1, document.BeyondText},
		"one long line":             {words, 1, document.BeyondText},
		"the last line is too long": {"line\n" + words, 2, document.BeyondText},
		"300 dense pages":           {strings.Repeat(strings.Repeat(strings.Repeat("word ", 16)+"\n", 60), 300), 18_000, ""},
	} {
		e := newExtractor(t, Options{})
		p := &document.Page{URL: "https://a.test/log.txt", Media: document.MediaText, Body: []byte(c.text)}
		d, err := e.Read(p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		content := contentOf(d.Blocks)
		if isCut := len(d.Warn) == 1 && d.Warn[0] == document.WarnCut; len(d.Blocks) != c.blocks || isCut != (c.cut != "") || d.Why != c.cut || len(content) > document.MaxText {
			t.Errorf("%s: %d blocks, %d bytes, warnings %q, %q", name, len(d.Blocks), len(content), d.Warn, d.Why)
		}
		if again, err := e.Read(p); err != nil || contentOf(again.Blocks) != content {
			t.Errorf("%s: cut elsewhere when read again, %v", name, err)
		}
	}
}

// A panic is the fault of one page.
func TestPanicIsAnError(t *testing.T) {
	e := newExtractor(t, Options{PDF: pdfReader(func([]byte) (document.File, error) { panic("an index is out of range") })})
	_, err := e.Read(&document.Page{URL: "https://a.test/a.pdf", Media: document.MediaPDF, Body: []byte("%PDF-1.7")})
	if err == nil || !strings.Contains(err.Error(), "https://a.test/a.pdf: the program fails on this page (an index is out of range)") {
		t.Errorf("got %v", err)
	}
}

// TestCostlySelectors: a page on which an owner's selector takes too long is unread, and the
// error names the key.
func TestCostlySelectors(t *testing.T) {
	page := htmlPage(t, "https://a.test/list", "<ul>"+strings.Repeat("<li>x", 40_000))
	for key, o := range map[string]Options{
		`extract.exclude[0]: CSS selector "b ~ li"`:          {Exclude: []string{"b ~ li"}},
		`extract.field "Price": css:li:nth-child(2n) would`:  {Fields: []Field{{Name: "Price", From: []string{"css:li:nth-child(2n)"}}}},
		`extract.content: CSS selector "li:nth-child(even)"`: {Content: "li:nth-child(even)"},
	} {
		if _, err := newExtractor(t, o).Read(page); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: got %v", key, err)
		}
	}
}

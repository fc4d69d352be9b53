package extract

import (
	"errors"
	"os"
	"slices"
	"testing"

	"sitesync/internal/document"
)

// TestOfficeFiles: which reader a file goes to, by its media type, else its name.
func TestOfficeFiles(t *testing.T) {
	load := func(name string) []byte {
		body, err := os.ReadFile("office/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	docx, pptx, odt := load("minutes.docx"), load("slides.pptx"), load("minutes.odt")
	for _, row := range []struct {
		path, media string
		body        []byte
		want        string // a block; empty: the body is not what its type says
	}{
		{"/a", document.MediaDOCX, docx, "A1 12 m Rowing club"},
		{"/a.docx", "application/octet-stream", docx, "A1 12 m Rowing club"},
		{"/a.docx", document.MediaDOCX, odt, "A1 12 m Rowing club"},
		{"/a", document.MediaPPTX, pptx, "A2 Pilot boat"},
		{"/a.odt", "", odt, "Quay and cranes"},
		{"/a.txt", "text/plain", []byte("one\ntwo"), "one"},
		{"/a.txt", "", []byte("Sm\xf8r"), "Smør"},
		{"/a.docx", document.MediaDOCX, []byte("<html>Sign in"), ""},
	} {
		p := document.Page{URL: "https://www.example.com" + row.path, Media: row.media, Body: row.body}
		d, err := newExtractor(t, Options{}).Read(&p)
		var texts []string
		for _, b := range d.Blocks {
			texts = append(texts, b.Text)
		}
		if row.want == "" && !errors.Is(err, errMislabelled) || row.want != "" && (err != nil || !slices.Contains(texts, row.want)) {
			t.Errorf("%s as %q: %q, %v", row.path, row.media, texts, err)
		}
	}
}

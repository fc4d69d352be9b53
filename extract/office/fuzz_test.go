package office

import (
	"archive/zip"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"sitesync/internal/document"
)

// FuzzOffice: no bytes make the readers fall, hold more text than is allowed, or
// give both text and a reason for none. Each input is read as a file, and as the
// main part of a DOCX and of an OpenDocument file.
func FuzzOffice(f *testing.F) {
	for _, name := range []string{"minutes.docx", "minutes.odt", "slides.pptx"} {
		body, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Add([]byte(word("<w:tbl>" + tr("a", "b") + "</w:tbl>" + para(run("x")+`<w:r><w:rPr><w:vanish/></w:rPr></w:r>`))))
	f.Add([]byte(`<worksheet xmlns="` + strict + `spreadsheetml/main"><row><c t="s"><v>1</v></c></row></worksheet>`))
	f.Add([]byte(`<t:p xmlns:t="` + openSpace + `text:1.0">a<t:note><t:p>b</t:p></t:note><t:s/></t:p>`))
	f.Add([]byte(word(`<t:table-properties xmlns:t="` + openSpace + `table:1.0" t:display="false"/>`)))
	f.Add([]byte(word(para(`<w:altChunk r:id="d"/><c:chart xmlns:c="` + transitional + `drawingml/2006/chart" r:id="d"><c:v>a</c:v></c:chart>`))))
	f.Fuzz(func(t *testing.T, body []byte) {
		part := archiveBy(t, zip.Store, "_rels/.rels", main("x"), "_rels/x.rels", rels("s", officeKind+"sharedStrings", "x", "f", officeKind+"footnotes", "x", "d", officeKind+"drawing", "x"), "x", string(body))
		for _, read := range []func() (document.File, error){
			func() (document.File, error) { return Read(body) },
			func() (document.File, error) { return Read(part) },
			func() (document.File, error) { return Read(archive(t, "content.xml", string(body))) },
			func() (document.File, error) { return ReadText(body) },
		} {
			file, err := read()
			text := strings.Join(file.Blocks, "")
			switch {
			case err != nil && (text != "" || file.NoText != ""):
				t.Errorf("%v beside %q", err, text)
			case err == nil && (text == "") != (file.NoText != ""):
				t.Errorf("text %q, no text because %q", text, file.NoText)
			case len(text) > maxText+maxNode || !utf8.ValidString(text):
				t.Errorf("%d bytes of text", len(text))
			}
		}
	})
}

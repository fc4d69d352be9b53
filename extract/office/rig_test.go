package office

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

const (
	openSpace    = "urn:oasis:names:tc:opendocument:xmlns:"
	transitional = "http://schemas.openxmlformats.org/"
	strict       = "http://purl.oclc.org/ooxml/"
	relsSpace    = "http://schemas.openxmlformats.org/package/2006/relationships"
	coreKind     = relsSpace + "/metadata/core-properties"
	officeKind   = transitional + "officeDocument/2006/relationships/"
)

// archive makes a file of names and contents in turn, not compressed.
func archive(t testing.TB, parts ...string) []byte { return archiveBy(t, zip.Store, parts...) }

func archiveBy(t testing.TB, method uint16, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: parts[i], Method: method})
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rels makes a relationships part of triples: ID, type, target. A target with a
// scheme is external.
func rels(triples ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<Relationships xmlns="%s">`, relsSpace)
	for i := 0; i < len(triples); i += 3 {
		mode := ""
		if strings.Contains(triples[i+2], ":") {
			mode = ` TargetMode="External"`
		}
		fmt.Fprintf(&b, `<Relationship Id="%s" Type="%s" Target="%s"%s/>`, triples[i], triples[i+1], triples[i+2], mode)
	}
	return b.String() + "</Relationships>"
}

// main is the package relationship to a main part.
func main(part string) string { return rels("r1", officeKind+"officeDocument", part) }

// word makes the main part of a DOCX.
func word(body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="` + transitional + `wordprocessingml/2006/main"` +
		` xmlns:r="` + transitional + `officeDocument/2006/relationships" xmlns:m="` + transitional + `officeDocument/2006/math"` +
		` xmlns:mc="` + transitional + `markup-compatibility/2006" xmlns:wps="urn:wps" xmlns:v="urn:v"><w:body>` + body + `</w:body></w:document>`
}

// docx makes a DOCX with that body and further parts.
func docx(t testing.TB, body string, parts ...string) []byte {
	t.Helper()
	return archive(t, append([]string{"_rels/.rels", main("word/document.xml"), "word/document.xml", word(body)}, parts...)...)
}

func para(runs string) string { return "<w:p>" + runs + "</w:p>" }
func run(text string) string  { return "<w:r><w:t>" + text + "</w:t></w:r>" }

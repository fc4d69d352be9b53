package pdf

import (
	"bytes"
	"compress/zlib"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

var bombs = flag.Bool("bombs", false, "TestHostile reads the files that are read until their time is over, too")

func load(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// form has two fields with values, one for a password, a button, a text written on the
// page, a hidden and a shown comment, and links: two to the same address, one into the file itself.
func form() string {
	return testsite.PDFObjects("/Info 16 0 R",
		"<</Type/Catalog/Pages 2 0 R/Lang(de-AT)/AcroForm<</Fields[6 0 R 7 0 R 8 0 R 9 0 R]/DR<</Font<</F1 4 0 R>>>>/DA(/F1 11 Tf)>>>>",
		"<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>/Annots[6 0 R 7 0 R 8 0 R 9 0 R 10 0 R 11 0 R 12 0 R 13 0 R 14 0 R 15 0 R]>>",
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
		testsite.PDFStream("BT/F1 11 Tf 60 780 Td(Antrag)Tj ET"),
		"<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada L\\366we)/Rect[60 700 200 720]>>",
		"<</Type/Annot/Subtype/Widget/FT/Ch/Ff 131072/T(size)/Opt[(small)(large)]/V(large)/Rect[60 660 200 680]>>",
		"<</Type/Annot/Subtype/Widget/FT/Tx/Ff 8192/T(pin)/V(canary)/Rect[60 620 200 640]>>",
		"<</Type/Annot/Subtype/Widget/FT/Btn/T(box)/V/Yes/Rect[60 600 80 620]>>",
		"<</Type/Annot/Subtype/FreeText/Contents(Bring your passport)/Rect[60 500 200 520]>>",
		"<</Type/Annot/Subtype/Text/F 2/Contents(hidden)/Rect[60 500 200 520]>>",
		"<</Type/Annot/Subtype/Link/Rect[60 400 200 420]/A<</S/URI/URI(https://www.example.com/a?b=1)>>>>",
		"<</Type/Annot/Subtype/Link/Rect[60 400 200 420]/A<</S/URI/URI(https://www.example.com/a?b=1)>>>>",
		"<</Type/Annot/Subtype/Link/Rect[60 400 200 420]/Dest[3 0 R/Fit]>>",
		"<</Type/Annot/Subtype/Text/Contents(an editor's comment)/Rect[60 500 200 520]>>",
		"<</Title<FEFF00C6006E0064007200690065>/Author(Ada)/CreationDate(D:20260131235900+01'00')/ModDate(D:20260101)>>")
}

func TestRead(t *testing.T) {
	utc := func(text string) time.Time {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	table := []struct {
		name string
		body []byte
		want document.File
	}{
		{"form", []byte(form()), document.File{
			Blocks: []string{"Antrag", "Ada Löwe", "large", "Bring your passport"}, Title: "Ændrie", Author: "Ada", Language: "de-AT",
			Created: utc("2026-01-31T22:59:00Z"), Modified: utc("2026-01-01T00:00:00Z"), Links: []string{"https://www.example.com/a?b=1"}}},
		{"blank", []byte(testsite.PDF("Scan 1", "", "")), document.File{Title: "Scan 1", NoText: "it holds no text: it is empty, or pictures alone"}},
		{"an XFA form", asked("/AcroForm<</XFA 5 0 R/Fields[]>>", "Bitte warten. Sie brauchen ein anderes PDF-Programm."), document.File{NoText: standsForXFA}},
		{"an XFA form that needs rendering", asked("/NeedsRendering true/AcroForm<</XFA 5 0 R/Fields[]>>", "Wait"), document.File{NoText: standsForXFA}},
		{"an XFA form with fields on its page", asked("/AcroForm<</XFA 5 0 R/Fields[7 0 R]>>", "Name, as in your PDF"), document.File{Blocks: []string{"Name, as in your PDF"}}},
		{"a portfolio", asked(attached, "Open this PDF portfolio in Adobe Reader."), document.File{NoText: standsForPortfolio}},
		{"a page with something attached", asked(attached, "The PDF report of the year"), document.File{Blocks: []string{"The PDF report of the year"}}},
		{"a page on Adobe's programs", []byte(testsite.PDF("", "Reading a PDF in Adobe Reader")), document.File{Blocks: []string{"Reading a PDF in Adobe Reader"}}},
		{"bytes before it", []byte("\r\n\r\n" + testsite.PDF("", "Text")), document.File{Blocks: []string{"Text"}}},
		{"bytes behind it", []byte(testsite.PDF("", "Text") + "<!-- served in 0.1 s -->"), document.File{Blocks: []string{"Text"}}},
		{"table of objects broken", []byte(strings.Replace(testsite.PDF("", "Text"), "xref\n0 5\n0", "xref\n0 5\n7", 1)), document.File{Blocks: []string{"Text"}}},
		{"two pages", []byte(testsite.PDF("", page(1), page(2))), document.File{
			Blocks: []string{"Town of X Text of number 1 Page 1 of 2", "Town of X Text of number 4 Page 2 of 2"}}},
	}
	r := newReader(t)
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			if got, err := r.Read(row.body); err != nil || !reflect.DeepEqual(got, row.want) {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, row.want)
			}
		})
	}
}

// Why there is no text.
const (
	standsForXFA       = "it is an XFA form, which only Adobe's programs show"
	standsForPortfolio = "it is a portfolio: its text is in the files that are attached"
)

// attached are entries of a catalog: a file that is attached.
const attached = "/Names<</EmbeddedFiles<</Names[(a.pdf)<</Type/Filespec/F(a.pdf)/EF<</F 5 0 R>>>>]>>>>"

// asked is a file with a page of that text, an empty form field, and entries of its catalog.
func asked(catalog, text string) []byte {
	return []byte(testsite.PDFObjects("", "<</Type/Catalog/Pages 2 0 R"+catalog+">>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 6 0 R/Resources<</Font<</F1 4 0 R>>>>/Annots["+
			strings.Repeat("7 0 R", strings.Count(catalog, "7 0 R"))+"]>>",
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>", testsite.PDFStream("<xdp/>"),
		testsite.PDFStream("BT/F1 11 Tf 60 780 Td("+text+")Tj ET"), "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[60 700 200 720]>>"))
}

func page(n int) string { return fmt.Sprintf("Town of X\nText of number %d\nPage %d of 2", n*n, n) }

// A file that is cut off is not taken for a shorter one, nor for one without text.
func TestCut(t *testing.T) {
	r := newReader(t)
	for _, body := range [][]byte{load(t, "testdata/minutes.pdf"), load(t, "../../testdata/site/files/building-permit-guide.pdf"), load(t, "testdata/owner.pdf"), []byte(form())} {
		for tenth := range 10 {
			if file, err := r.Read(body[:len(body)*tenth/10]); err == nil {
				t.Errorf("%d tenths of %d bytes: %+v", tenth, len(body), file)
			}
		}
		for _, tail := range []string{"", strings.Repeat("\x00", 9000), "\r\n" + strings.Repeat(" ", 9000)} {
			if _, err := r.Read([]byte(string(body) + tail)); err != nil {
				t.Errorf("with %d bytes behind it: %v", len(tail), err)
			}
		}
	}
}

// A file with more pages than are read says so.
func TestPages(t *testing.T) {
	r := newReader(t)
	for _, n := range []int{maxPages, maxPages + 1} {
		body := testsite.PDFObjects("", "<</Type/Catalog/Pages 2 0 R>>", fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", strings.Repeat("3 0 R ", n), n),
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>")
		if file, err := r.Read([]byte(body)); err != nil || (file.Cut == "it has more than 5,000 pages") != (n > maxPages) {
			t.Errorf("%d pages: cut %q, %v", n, file.Cut, err)
		}
	}
}

// packedStream is an object with a compressed content.
func packedStream(content []byte) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(content)
	z.Close()
	return fmt.Sprintf("<</Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream", b.Len(), b.Bytes())
}

// onePage is a file whose page has the dictionary entries and further objects, from
// number 4 on.
func onePage(entries string, objects ...string) string {
	return testsite.PDFObjects("", slices.Concat([]string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]" + entries + ">>",
	}, objects)...)
}

// What kills or hangs other readers harms neither the parent nor the next file. A
// hostile file is an error or has no more text than it shows.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("files are read one after the other: the race detector would see nothing new")
	}
	const font = "/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
	nested := strings.Repeat("[", 100_000)
	table := map[string]string{
		"nothing":             "",
		"a mark alone":        "%PDF-1.7\n",
		"no page":             testsite.PDFObjects("", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"),
		"endless page tree":   testsite.PDFObjects("", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>"),
		"page tree in a ring": testsite.PDFObjects("", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 2000000000>>", "<</Type/Pages/Parent 2 0 R/Kids[2 0 R 3 0 R]/Count 2000000000>>"),
		"page its own parent": testsite.PDFObjects("", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 3 0 R>>"),
		"deep array":          onePage("/X"+nested, "null"),
		"deep dictionary":     onePage("/X"+strings.Repeat("<</X", 100_000), "null"),
		"deep array of text":  onePage("/Contents 4 0 R"+font, testsite.PDFStream("BT/F1 9 Tf "+nested+"TJ ET")),
		"length of itself":    onePage("/Contents 4 0 R", "<</Length 4 0 R>>\nstream\nx\nendstream"),
		"content of itself":   onePage("/Contents[4 0 R]", "[4 0 R 4 0 R]"),
		"object of itself":    onePage("/Contents 4 0 R", "4 0 R"),
		"table before itself": strings.Replace(testsite.PDFObjects("/Prev 9", "<</Type/Catalog>>"), "/Prev 9", "/Prev 58", 1),
		"bomb of drawings":    onePage("/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>", testsite.PDFStream("/A Do"), "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 5 0 R>>>>/Length 11>>\nstream\n/A Do /A Do\nendstream"),
		"font of itself":      onePage("/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>", testsite.PDFStream("BT/F1 9 Tf(aaa)Tj ET"), "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a 6 0 R>>/Resources<</Font<</F1 5 0 R>>>>>>", testsite.PDFStream("BT/F1 9 Tf(a)Tj ET")),
		"saved states":        onePage("/Contents 4 0 R", packedStream(bytes.Repeat([]byte("q "), 1<<20))),
		"bomb of zeros":       onePage("/Contents 4 0 R", packedStream(make([]byte, 1<<28))),
		"bomb of text":        onePage("/Contents 4 0 R"+font, packedStream(append([]byte("BT/F1 9 Tf"), bytes.Repeat([]byte("(a)Tj "), 5<<20)...))),
		"bomb in a bomb":      onePage("/Contents 4 0 R", strings.Replace(packedStream([]byte(packedStream(make([]byte, 1<<26)))), "/FlateDecode", "[/FlateDecode/FlateDecode]", 1)),
		"huge page":           onePage("/UserUnit 1e30/Contents 4 0 R"+font, testsite.PDFStream("BT/F1 1e30 Tf 1e38 1e38 Td(a)Tj 1e-38 0 0 1e38 0 0 Tm(b)Tj ET")),
		"many annotations":    onePage("/Annots["+strings.Repeat("4 0 R ", 200_000)+"]", "<</Type/Annot/Subtype/Text/Contents(n)>>"),
	}
	r := newReader(t)
	r.limit = 2 * time.Second
	for name, body := range table {
		t.Run(name, func(t *testing.T) {
			if !*bombs && strings.HasPrefix(name, "bomb of") {
				t.Skip("it takes seconds")
			}
			file, err := r.Read([]byte(body))
			if err == nil && (len(file.Blocks) == 0) != (file.NoText != "") {
				t.Errorf("neither text nor a reason: %+v", file)
			}
			t.Logf("%d blocks, %q, %v", len(file.Blocks), file.NoText, err)
			if file, err := r.Read(good); err != nil || !slices.Equal(file.Blocks, []string{"Well read"}) {
				t.Errorf("the next file: %q, %v", file.Blocks, err)
			}
		})
	}
}

package testsite

import (
	"fmt"
	"strings"
)

// PDF returns a file with a title in its metadata, where it is not empty, and so
// many pages, each line of a text a line of its page. A page without text is blank.
func PDF(title string, pages ...string) string {
	var kids []string
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"}
	for _, text := range pages {
		n := len(objects) + 1
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		objects = append(objects,
			fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>", n+1),
			PDFStream(pdfText(text)))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", strings.Join(kids, " "), len(kids))
	more := ""
	if title != "" {
		objects = append(objects, "<</Title("+title+")>>")
		more = fmt.Sprintf("/Info %d 0 R", len(objects))
	}
	return PDFObjects(more, objects...)
}

// pdfText is the content of a page.
func pdfText(text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("BT/F1 11 Tf 14 TL 60 780 Td\n")
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(&b, "(%s)Tj T*\n", line)
	}
	return b.String() + "ET"
}

// PDFStream returns an object that holds a content.
func PDFStream(content string) string {
	return fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(content), content)
}

// PDFObjects makes a file of objects, which are numbered from 1, the first being
// the catalog, with more in its trailer (ISO 32000-1, section 7.5).
func PDFObjects(more string, objects ...string) string {
	var b, table strings.Builder
	b.WriteString("%PDF-1.7\n")
	for i, o := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n",
		len(objects)+1, table.String(), len(objects)+1, more, start)
	return b.String()
}

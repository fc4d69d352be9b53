package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Measures in points on A4 (595 by 842), and a line's length in characters:
// the standard fonts carry no widths here, so lines break by count.
const (
	left       = 62
	top        = 780
	lineLength = 88
)

// writePDF gives the paper as PDF 1.4 with the standard fonts and plain
// (uncompressed) content, so that the file can be read and compared as it is.
func writePDF(p paper) []byte {
	pages := layOut(p)
	var refs []string
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>",
		"", // the page tree, known when the pages are
		info(p),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
	}
	for _, content := range pages {
		n := len(objects) + 1
		refs = append(refs, fmt.Sprintf("%d 0 R", n))
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>", n+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", len(content), content))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(refs, " "), len(refs))
	return assemble(objects)
}

// assemble numbers the objects from 1 and adds header, cross-reference table
// and trailer (ISO 32000-1, section 7.5).
func assemble(objects []string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 3 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}

// info is the document information dictionary.
func info(p paper) string {
	date := func(t time.Time) string { return "(D:" + t.UTC().Format("20060102150405") + "Z)" }
	return fmt.Sprintf("<< /Title %s /Author %s /Subject %s /Keywords %s /CreationDate %s /ModDate %s >>",
		literal(p.title), literal(p.author), literal(p.subject), literal(p.keywords), date(p.created), date(p.modified))
}

// sheet is one page being filled from the top.
type sheet struct {
	content strings.Builder
	y       int
}

// put writes one line at x and the current height.
func (s *sheet) put(font string, size, x int, text string) {
	fmt.Fprintf(&s.content, "BT /%s %d Tf %d %d Td %s Tj ET\n", font, size, x, s.y, literal(text))
}

// layOut gives the content stream of each page.
func layOut(p paper) []string {
	sheets := []*sheet{{y: top}}
	for _, b := range p.blocks {
		if b.kind == newPage {
			sheets = append(sheets, &sheet{y: top})
			continue
		}
		sheets[len(sheets)-1].add(b)
	}
	pages := make([]string, len(sheets))
	for i, s := range sheets {
		s.y = 40
		s.put("F1", 8, left, fmt.Sprintf("%s. Page %d of %d", p.title, i+1, len(sheets)))
		pages[i] = s.content.String()
	}
	return pages
}

// add writes a block and moves down.
func (s *sheet) add(b block) {
	switch b.kind {
	case title:
		s.put("F2", 20, left, b.text)
		s.y -= 34
	case heading:
		s.y -= 8
		s.put("F2", 13, left, b.text)
		s.y -= 20
	case table:
		s.grid(b.rows)
	case item:
		s.put("F1", 10, left, "\u2022")
		s.wrap(left+14, b.text)
		s.y -= 2
	default:
		s.wrap(left, b.text)
		s.y -= 8
	}
}

// wrap writes the text in lines of at most lineLength characters.
func (s *sheet) wrap(x int, text string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > lineLength {
			s.put("F1", 10, x, line)
			s.y -= 14
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	s.put("F1", 10, x, line)
	s.y -= 14
}

// grid writes a table with three columns, its head in bold.
func (s *sheet) grid(rows [][]string) {
	for i, row := range rows {
		font := "F1"
		if i == 0 {
			font = "F2"
		}
		for j, cell := range row {
			s.put(font, 10, left+j*180, cell)
		}
		s.y -= 16
	}
	s.y -= 8
}

// literal is a PDF string in WinAnsiEncoding, which is Latin-1 for all
// letters used here; the bullet alone lies elsewhere.
func literal(text string) string {
	var b strings.Builder
	b.WriteByte('(')
	for _, r := range text {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\u2022':
			b.WriteString(`\225`)
		case r > 126:
			fmt.Fprintf(&b, `\%03o`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(')')
	return b.String()
}

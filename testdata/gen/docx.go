package main

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

const (
	xmlHead  = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	wordNS   = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
	relNS    = `xmlns="http://schemas.openxmlformats.org/package/2006/relationships"`
	docRel   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	coreRel  = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
	wordType = "application/vnd.openxmlformats-officedocument.wordprocessingml."
)

// writeDOCX gives the paper as an Office Open XML document (ECMA-376).
func writeDOCX(p paper) ([]byte, error) {
	body, notes := bodyAndNotes(p)
	parts := []struct{ name, text string }{
		{"[Content_Types].xml", contentTypes},
		{"_rels/.rels", packageRels},
		{"docProps/core.xml", core(p)},
		{"word/document.xml", body},
		{"word/footnotes.xml", notes},
		{"word/styles.xml", styles},
		{"word/_rels/document.xml.rels", documentRels},
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Deflate, Modified: p.modified})
		if err != nil {
			return nil, fmt.Errorf("begin part %s: %w", part.name, err)
		}
		if _, err := w.Write([]byte(xmlHead + part.text)); err != nil {
			return nil, fmt.Errorf("write part %s: %w", part.name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("end the archive: %w", err)
	}
	return b.Bytes(), nil
}

// bodyAndNotes gives word/document.xml and word/footnotes.xml. Notes 0 and 1
// are the separators that word processors expect.
func bodyAndNotes(p paper) (body, notes string) {
	var b, n strings.Builder
	fmt.Fprintf(&b, "<w:document %s><w:body>", wordNS)
	fmt.Fprintf(&n, "<w:footnotes %s>", wordNS)
	n.WriteString(`<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>`)
	n.WriteString(`<w:footnote w:type="continuationSeparator" w:id="1"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>`)
	next := 2
	for _, bl := range p.blocks {
		switch {
		case bl.kind == table:
			b.WriteString(wordTable(bl.rows))
		case bl.note != "":
			b.WriteString(wordParagraph(styleOf(bl.kind), textRun(bl.text)+fmt.Sprintf(`<w:r><w:footnoteReference w:id="%d"/></w:r>`, next)))
			fmt.Fprintf(&n, `<w:footnote w:id="%d">%s</w:footnote>`, next, wordParagraph("FootnoteText", textRun(bl.note)))
			next++
		default:
			b.WriteString(wordParagraph(styleOf(bl.kind), textRun(bl.text)))
		}
	}
	b.WriteString(`<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>`)
	n.WriteString("</w:footnotes>")
	return b.String(), n.String()
}

func styleOf(k kind) string {
	switch k {
	case title:
		return "Title"
	case heading:
		return "Heading1"
	case item:
		return "ListParagraph"
	default:
		return "Normal"
	}
}

func wordParagraph(style, runs string) string {
	return fmt.Sprintf(`<w:p><w:pPr><w:pStyle w:val="%s"/></w:pPr>%s</w:p>`, style, runs)
}

func textRun(text string) string {
	return `<w:r><w:t xml:space="preserve">` + escape(text) + "</w:t></w:r>"
}

// wordTable gives the rows as a table whose columns share the width evenly.
func wordTable(rows [][]string) string {
	width := 9000 / len(rows[0])
	var b strings.Builder
	b.WriteString(`<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="9000" w:type="dxa"/></w:tblPr><w:tblGrid>`)
	b.WriteString(strings.Repeat(fmt.Sprintf(`<w:gridCol w:w="%d"/>`, width), len(rows[0])))
	b.WriteString("</w:tblGrid>")
	for _, row := range rows {
		b.WriteString("<w:tr>")
		for _, cell := range row {
			fmt.Fprintf(&b, `<w:tc><w:tcPr><w:tcW w:w="%d" w:type="dxa"/></w:tcPr>%s</w:tc>`, width, wordParagraph("Normal", textRun(cell)))
		}
		b.WriteString("</w:tr>")
	}
	b.WriteString("</w:tbl>")
	return b.String()
}

// core is docProps/core.xml: title, author, dates (ECMA-376, part 2).
func core(p paper) string {
	date := func(name string, t time.Time) string {
		return fmt.Sprintf(`<dcterms:%s xsi:type="dcterms:W3CDTF">%s</dcterms:%s>`, name, t.UTC().Format(time.RFC3339), name)
	}
	return `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"` +
		` xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
		"<dc:title>" + escape(p.title) + "</dc:title><dc:subject>" + escape(p.subject) + "</dc:subject>" +
		"<dc:creator>" + escape(p.author) + "</dc:creator><cp:keywords>" + escape(p.keywords) + "</cp:keywords><dc:language>en-GB</dc:language>" +
		date("created", p.created) + date("modified", p.modified) + "</cp:coreProperties>"
}

func escape(text string) string {
	var b strings.Builder
	// A strings.Builder never errs, and EscapeText passes on nothing else.
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}

const contentTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
	`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
	`<Default Extension="xml" ContentType="application/xml"/>` +
	`<Override PartName="/word/document.xml" ContentType="` + wordType + `document.main+xml"/>` +
	`<Override PartName="/word/footnotes.xml" ContentType="` + wordType + `footnotes+xml"/>` +
	`<Override PartName="/word/styles.xml" ContentType="` + wordType + `styles+xml"/>` +
	`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>` +
	`</Types>`

const packageRels = `<Relationships ` + relNS + `>` +
	`<Relationship Id="rId1" Type="` + docRel + `officeDocument" Target="word/document.xml"/>` +
	`<Relationship Id="rId2" Type="` + coreRel + `" Target="docProps/core.xml"/>` +
	`</Relationships>`

const documentRels = `<Relationships ` + relNS + `>` +
	`<Relationship Id="rId1" Type="` + docRel + `styles" Target="styles.xml"/>` +
	`<Relationship Id="rId2" Type="` + docRel + `footnotes" Target="footnotes.xml"/>` +
	`</Relationships>`

const styles = `<w:styles ` + wordNS + `>` +
	`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:rPr><w:b/><w:sz w:val="40"/></w:rPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="28"/></w:rPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="ListParagraph"><w:name w:val="List Paragraph"/><w:pPr><w:ind w:left="720"/></w:pPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="FootnoteText"><w:name w:val="footnote text"/><w:rPr><w:sz w:val="18"/></w:rPr></w:style>` +
	`<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/></w:style>` +
	`</w:styles>`

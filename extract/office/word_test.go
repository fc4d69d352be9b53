package office

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDocument: what of a DOCX's main part is its text, one rule a row.
func TestDocument(t *testing.T) {
	box := `<wps:txbx><w:txbxContent>` + para(run("box")) + `</w:txbxContent></wps:txbx>`
	for _, row := range []struct {
		name, body string
		want       []string
	}{
		{"runs join", para(run("un")+run("broken")) + para("") + para(run("next")), []string{"unbroken", "next"}},
		{"white space", para(`<w:r><w:t xml:space="preserve"> a </w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d` + "\n\u00a0e</w:t></w:r>"), []string{"a b c d e"}},
		{"hyphen", para(`<w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t></w:r>`), []string{"co-op"}},
		{"characters", para(run("&amp;&#xf8;&lt;b&gt;<![CDATA[ & so]]>")), []string{"&ø<b> & so"}},
		{"insertions, not deletions", para(`<w:ins>` + run("new") + `</w:ins><w:del><w:r><w:delText>old</w:delText><w:t>old</w:t></w:r></w:del>`), []string{"new"}},
		{"moves", para(`<w:moveFrom>`+run("from")+`</w:moveFrom>`) + para(`<w:moveTo>`+run("to")+`</w:moveTo>`), []string{"to"}},
		{"fields", para(`<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE \* ROMAN</w:instrText><w:fldChar w:fldCharType="separate"/></w:r>` +
			run("IV") + `<w:fldSimple w:instr="AUTHOR">` + run(" Ane") + `</w:fldSimple>`), []string{"IV Ane"}},
		{"hidden", para(`<w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r>`) + para(`<w:r><w:rPr><w:vanish w:val="false"/></w:rPr><w:t>yes</w:t></w:r>`) +
			para(`<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>`+run("the mark alone")), []string{"yes", "the mark alone"}},
		{"controls", `<w:sdt><w:sdtPr><w:alias w:val="no"/></w:sdtPr><w:sdtContent>` + para(run("kept")) + `</w:sdtContent></w:sdt>`, []string{"kept"}},
		{"a control that nobody filled in", `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>` + para(run("Click here")) + `</w:sdtContent></w:sdt>` + para(run("kept")), []string{"kept"}},
		{"a control that nobody can fill in", `<w:sdt><w:sdtPr><w:lock w:val="sdtContentLocked"/><w:showingPlcHdr/></w:sdtPr><w:sdtContent>` + para(run("Rules")) + `</w:sdtContent></w:sdt>`, []string{"Rules"}},
		{"a control that can't be deleted", `<w:sdt><w:sdtPr><w:lock w:val="sdtLocked"/><w:showingPlcHdr/></w:sdtPr><w:sdtContent>` + para(run("Click here")) + `</w:sdtContent></w:sdt>` + para(run("kept")), []string{"kept"}},
		{"a form's text", para(run("Name: ") + `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:textInput><w:default w:val="no"/></w:textInput></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMTEXT</w:instrText></w:r>` + run("Ada Holm")), []string{"Name: Ada Holm"}},
		{"links", para(`<w:hyperlink r:id="x">` + run("the link") + `</w:hyperlink>`), []string{"the link"}},
		{"formulas", para(`<m:oMath><m:r><m:t>e=mc</m:t></m:r></m:oMath>`), []string{"e=mc"}},
		{"reading aids", para(`<w:r><w:ruby><w:rt>` + run("no") + `</w:rt><w:rubyBase>` + run("yes") + `</w:rubyBase></w:ruby></w:r>`), []string{"yes"}},
		{"text box", para(run("before ") + `<w:r><mc:AlternateContent><mc:Choice Requires="wps">` + box + `</mc:Choice><mc:Fallback>` + box + `</mc:Fallback></mc:AlternateContent></w:r>` + run("after")),
			[]string{"before after", "box"}},
		{"old text box", para(`<w:r><w:pict><v:textbox><w:txbxContent>` + para(run("box")) + `</w:txbxContent></v:textbox></w:pict></w:r>`), []string{"box"}},
		{"table", `<w:tbl>` + tr("Berth", "Length") + tr("A1", "", "12 m") + `</w:tbl>` + para(run("after")), []string{"Berth Length", "A1 12 m", "after"}},
		{"cell of paragraphs", `<w:tbl><w:tr><w:tc>` + para(run("one")) + para(run("two")) + `</w:tc><w:tc>` + para(run("three")) + `</w:tc></w:tr></w:tbl>`, []string{"one", "two", "three"}},
		{"table in a table", `<w:tbl><w:tr><w:tc><w:tbl>` + tr("a", "b") + `</w:tbl></w:tc><w:tc>` + para(run("c")) + `</w:tc></w:tr></w:tbl>`, []string{"a b c"}},
		{"long row", `<w:tbl>` + tr(strings.Repeat("x", maxRow), "y") + `</w:tbl>`, []string{strings.Repeat("x", maxRow), "y"}},
		{"other namespaces", para(`<t xmlns="urn:other">no</t>` + run("yes")), []string{"yes"}},
		{"deep", strings.Repeat("<w:x>", 200) + para(run("deep")) + strings.Repeat("</w:x>", 200), []string{"deep"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			file, err := Read(docx(t, row.body))
			if err != nil || !slices.Equal(file.Blocks, row.want) || file.NoText != "" {
				t.Errorf("got %q %q, %v; want %q", file.Blocks, file.NoText, err, row.want)
			}
		})
	}
}

// TestLists: paragraphs have the numbers that a reader sees, of their own list or of
// their style's.
func TestLists(t *testing.T) {
	in := func(list string, level int, text string) string {
		return para(fmt.Sprintf(`<w:pPr><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%s"/></w:numPr><w:pPrChange><w:pPr><w:numPr><w:numId w:val="9"/></w:numPr></w:pPr></w:pPrChange></w:pPr>`, level, list) + run(text))
	}
	levels := func(formats ...string) (all string) {
		for i := 0; i < len(formats); i += 2 {
			all += fmt.Sprintf(`<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="%s"/><w:lvlText w:val="%s"/></w:lvl>`, i/2, formats[i], formats[i+1])
		}
		return all
	}
	num := func(id, definition, more string) string {
		return `<w:num w:numId="` + id + `"><w:abstractNumId w:val="` + definition + `"/>` + more + `</w:num>`
	}
	space := ` xmlns:w="` + transitional + `wordprocessingml/2006/main"`
	numbering := `<w:numbering` + space + `><w:abstractNum w:abstractNumId="1">` + levels("decimal", "%1.", "lowerLetter", "%1.%2)", "upperRoman", "(%3)") + `</w:abstractNum><w:abstractNum w:abstractNumId="2">` + levels("bullet", "\uf0b7") +
		`</w:abstractNum><w:abstractNum w:abstractNumId="3">` + levels("decimal", "§ %1", "decimal", "%1.%2") + `</w:abstractNum>` +
		num("1", "1", "") + num("2", "2", "") + num("3", "3", "") + num("4", "1", `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>`) + num("5", "none", "") + `</w:numbering>`
	styles := `<w:styles` + space + `><w:style w:styleId="H1"><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style><w:style w:styleId="H2"><w:basedOn w:val="H1"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr></w:pPr></w:style>` +
		`<w:style w:styleId="Own"><w:basedOn w:val="H1"/></w:style><w:style w:styleId="Ring"><w:basedOn w:val="Ring"/></w:style></w:styles>`
	styled := func(style, text string) string {
		return para(`<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>` + run(text))
	}
	body := in("1", 0, "a") + in("1", 1, "b") + in("1", 1, "c") + in("1", 2, "d") + para(run("plain")) + in("1", 0, "e") + in("1", 1, "f") + in("4", 0, "anew") + in("1", 0, "on") +
		in("2", 0, "bullet") + in("0", 0, "none") + in("5", 0, "unknown") + in("1", 12, "deep") + styled("H1", "Head") + styled("H2", "Under") + styled("Own", "Head") + styled("Ring", "Ring")
	file, err := Read(docx(t, body, "word/_rels/document.xml.rels", rels("n", officeKind+"numbering", "n.xml", "s", officeKind+"styles", "s.xml"), "word/n.xml", numbering, "word/s.xml", styles))
	want := []string{"1. a", "1.a) b", "1.b) c", "(I) d", "plain", "2. e", "2.a) f", "7. anew", "8. on", "bullet", "none", "unknown", "deep", "§ 1 Head", "1.1 Under", "§ 2 Head", "Ring"}
	if err != nil || !slices.Equal(file.Blocks, want) {
		t.Errorf("%q, %v; want %q", file.Blocks, err, want)
	}
}

// TestParts: diagrams, charts and documents that stand in a DOCX are read at their place,
// once, and of a chart what it says in words.
func TestParts(t *testing.T) {
	drawing := ` xmlns:a="` + transitional + `drawingml/2006/main" xmlns:c="` + transitional + `drawingml/2006/chart" xmlns:g="` + transitional + `drawingml/2006/diagram"`
	series := func(name string) string {
		return `<c:ser><c:tx><c:strRef><c:f>A1</c:f><c:strCache><c:ptCount val="1"/><c:pt><c:v>` + name + `</c:v></c:pt></c:strCache></c:strRef></c:tx>` +
			`<c:cat><c:strRef><c:strCache><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt><c:v>4711</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>`
	}
	inner := string(docx(t, para(run("inner"))+`<w:altChunk r:id="x"/>`, "word/_rels/document.xml.rels", rels("x", officeKind+"aFChunk", "a.htm"), "word/a.htm", "innermost"))
	file, err := Read(docx(t, para(run("before ")+`<w:drawing><g:relIds`+drawing+` r:dm="d"/></w:drawing>`+run("after"))+
		para(`<w:drawing><c:chart`+drawing+` r:id="c"/></w:drawing>`+`<w:drawing><c:chart`+drawing+` r:id="c"/></w:drawing>`)+
		`<w:altChunk r:id="h"/><w:altChunk r:id="w"/><w:altChunk r:id="m"/><w:altChunk r:id="none"/>`+para(run("end")),
		"word/_rels/document.xml.rels", rels("d", officeKind+"diagramData", "d.xml", "c", officeKind+"chart", "c.xml", "h", officeKind+"aFChunk", "/word/a.htm",
			"w", officeKind+"aFChunk", "b.docx", "m", officeKind+"aFChunk", "d.mht"),
		"word/d.xml", `<g:dataModel`+drawing+`><g:ptLst><g:pt><g:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></g:t></g:pt><g:pt><g:t><a:p/></g:t></g:pt><g:pt><g:t><a:p><a:r><a:t>Build</a:t></a:r></a:p></g:t></g:pt></g:ptLst></g:dataModel>`,
		"word/c.xml", `<c:chartSpace`+drawing+`><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Landings</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>`+series("Herring")+series("Cod")+`</c:plotArea></c:chart></c:chartSpace>`,
		"word/a.htm", `<html><head><title>no</title><style>p {}</style></head><body><p>One <b>bold</b><br>line<p>two &amp; three</body></html>`,
		"word/b.docx", inner, "word/d.mht", "MIME-Version: 1.0\n\nno"))
	want := []string{"before after", "Plan", "Build", "Landings", "Herring", "May June", "Cod", "May June", "One bold line", "two & three", "inner", "innermost", "end"}
	if err != nil || !slices.Equal(file.Blocks, want) {
		t.Errorf("%q, %v; want %q", file.Blocks, err, want)
	}
}

func TestShown(t *testing.T) {
	for _, row := range []struct {
		format string
		n      int
		want   string
	}{{"decimal", 12, "12"}, {"lowerLetter", 26, "z"}, {"upperLetter", 28, "BB"}, {"lowerLetter", 500_000, "500000"}, {"lowerRoman", 1994, "mcmxciv"}, {"upperRoman", 4000, "4000"}, {"upperRoman", 0, "0"}, {"aiueo", 3, "3"}} {
		if got := (level{format: row.format}).shown(row.n); got != row.want {
			t.Errorf("%d as %s: %q, want %q", row.n, row.format, got, row.want)
		}
	}
}

func tr(cells ...string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString("<w:tc>" + para(run(cell)) + "</w:tc>")
	}
	return "<w:tr>" + b.String() + "</w:tr>"
}

// TestPackage: parts are found by relationships, elements by namespaces, whatever
// they are called.
func TestPackage(t *testing.T) {
	odd := strings.NewReplacer("w:", "ø:", ":w=", ":ø=").Replace(word(para(run("text"))))
	plain := `<document xmlns="` + transitional + `wordprocessingml/2006/main"><body><p><r><t>text</t></r></p></body></document>`
	for name, parts := range map[string][]string{
		"odd prefix":        {"_rels/.rels", main("word/document.xml"), "word/document.xml", odd},
		"no prefix":         {"_rels/.rels", main("word/document.xml"), "word/document.xml", plain},
		"strict":            {"_rels/.rels", rels("r", strict+"officeDocument/relationships/officeDocument", "/a/b.xml"), "a/b.xml", strings.ReplaceAll(plain, transitional+"wordprocessingml/2006/main", strict+"wordprocessingml/main")},
		"odd names":         {"_rels/.rels", main("/x"), "x", plain},
		"case":              {"_rels/.rels", main("Word/Document.xml"), "word/document.XML", plain},
		"backslashes":       {`_rels\.rels`, main("word/document.xml"), `word\document.xml`, plain},
		"UTF-16":            {"_rels/.rels", main("x"), "x", "\ufeff" + plain},
		"missing parts":     {"_rels/.rels", rels("r", officeKind+"officeDocument", "x", "s", coreKind, "none"), "x", plain, "_rels/x.rels", rels("f", officeKind+"footnotes", "none")},
		"first of the same": {"_rels/.rels", main("x"), "x", plain, "x", "rubbish"},
	} {
		if name == "UTF-16" {
			parts[3] = utf16(`<?xml version="1.0" encoding="UTF-16"?>` + plain)
		}
		file, err := Read(archive(t, parts...))
		if err != nil || !slices.Equal(file.Blocks, []string{"text"}) {
			t.Errorf("%s: %q, %v", name, file.Blocks, err)
		}
	}
}

// utf16 encodes ASCII with a byte order mark.
func utf16(text string) string {
	return "\xff\xfe" + strings.Join(strings.Split(text, ""), "\x00") + "\x00"
}

// TestNotes: notes come after the text, without separators; links of the text and
// of notes are kept once; headers, footers and comments are left out.
func TestNotes(t *testing.T) {
	note := func(kind, body string) string {
		return `<w:` + kind + `s xmlns:w="` + transitional + `wordprocessingml/2006/main"><w:` + kind + ` w:type="separator">` + para("<w:r><w:separator/></w:r>") + `</w:` + kind + `><w:` + kind + ` w:id="2">` + para(run(body)) + `</w:` + kind + `></w:` + kind + `s>`
	}
	file, err := Read(docx(t, para(run("text")),
		"word/_rels/document.xml.rels", rels("a", officeKind+"endnotes", "e.xml", "b", officeKind+"footnotes", "/word/f.xml", "c", officeKind+"header", "h.xml", "c2", officeKind+"comments", "h.xml",
			"d", officeKind+"hyperlink", "https://a.example/x", "e", officeKind+"hyperlink", "https://a.example/x", "i", officeKind+"image", "https://a.example/p.png"),
		"word/f.xml", note("footnote", "foot"), "word/e.xml", note("endnote", "end"), "word/h.xml", word(para(run("header"))),
		"word/_rels/f.xml.rels", rels("a", officeKind+"hyperlink", "mailto:b@a.example")))
	if err != nil || !slices.Equal(file.Blocks, []string{"text", "foot", "end"}) || !slices.Equal(file.Links, []string{"https://a.example/x", "mailto:b@a.example"}) {
		t.Errorf("%q %q, %v", file.Blocks, file.Links, err)
	}
}

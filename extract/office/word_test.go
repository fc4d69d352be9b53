package office

import (
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
		return `<w:` + kind + `s xmlns:w="` + transitional + `wordprocessingml/2006/main"><w:` + kind + ` w:type="separator">` + para(run("no")) + `</w:` + kind + `><w:` + kind + ` w:id="2">` + para(run(body)) + `</w:` + kind + `></w:` + kind + `s>`
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

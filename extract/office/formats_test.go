package office

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
)

func TestSlides(t *testing.T) {
	space := ` xmlns:p="` + transitional + `presentationml/2006/main" xmlns:a="` + transitional + `drawingml/2006/main" xmlns:r="` + transitional + `officeDocument/2006/relationships"`
	slide := func(attrs, kind, text string) string {
		return `<p:sld` + space + attrs + `><p:sp><p:nvSpPr><p:nvPr><p:ph type="` + kind + `"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r><a:br/><a:r><a:t>more</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`
	}
	table := strings.Replace(slide("", "title", "Last"), "</p:sld>", `<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>y</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:sld>`, 1)
	kind := officeKind + "slide"
	file, err := Read(archive(t, "_rels/.rels", main("ppt/p.xml"),
		"ppt/p.xml", `<p:presentation`+space+`><p:sldIdLst><p:sldId id="1" r:id="c"/><p:sldId id="2" r:id="a"/><p:sldId id="3" r:id="b"/><p:sldId id="4" r:id="c"/><p:sldId id="5" r:id="d"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/p.xml.rels", rels("a", kind, "s/1.xml", "b", kind, "s/2.xml", "c", kind, "s/3.xml", "d", kind, "s/4.xml"),
		"ppt/s/1.xml", slide(` show="0"`, "title", "Hidden"), "ppt/s/2.xml", table, "ppt/s/3.xml", slide("", "title", "First"), "ppt/s/4.xml", slide("", "sldNum", "7"),
		"ppt/s/_rels/3.xml.rels", rels("n", officeKind+"notesSlide", "../n.xml", "l", officeKind+"hyperlink", "https://a.example/"), "ppt/n.xml", slide("", "body", "Notes")))
	if err != nil || !slices.Equal(file.Blocks, []string{"First more", "Last more", "x y"}) || !slices.Equal(file.Links, []string{"https://a.example/"}) {
		t.Errorf("%q %q, %v", file.Blocks, file.Links, err)
	}
}

func TestSheets(t *testing.T) {
	space := ` xmlns="` + strict + `spreadsheetml/main" xmlns:r="` + strict + `officeDocument/relationships"`
	kind := strict + "officeDocument/relationships/"
	file, err := Read(archive(t, "_rels/.rels", rels("r", kind+"officeDocument", "xl/w.xml"),
		"xl/w.xml", `<workbook`+space+`><workbookPr date1904="1"/><sheets><sheet name="Fees" r:id="b"/><sheet name="Old" state="hidden" r:id="a"/></sheets></workbook>`,
		"xl/_rels/w.xml.rels", rels("a", kind+"worksheet", "1.xml", "b", kind+"worksheet", "2.xml", "s", kind+"sharedStrings", "s.xml", "t", kind+"styles", "t.xml"),
		"xl/t.xml", `<styleSheet`+space+`><numFmts><numFmt numFmtId="164" formatCode="0.0%"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>`+
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
		"xl/s.xml", `<sst`+space+`><si/><si><t>Boat</t></si><si><r><t>Ca</t></r><r><t>noe</t></r><rPh><t>no</t></rPh></si></sst>`,
		"xl/1.xml", `<worksheet`+space+`><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`,
		"xl/_rels/2.xml.rels", rels("d", kind+"drawing", "d.xml"),
		"xl/d.xml", `<d:wsDr xmlns:d="urn:d"><d:sp><d:txBody><a:p xmlns:a="`+strict+`drawingml/main"><a:r><a:t>Pay in May</a:t></a:r></a:p></d:txBody></d:sp></d:wsDr>`,
		"xl/2.xml", `<worksheet`+space+`><sheetData><row><c t="s"><v>1</v></c><c><f>A1*2</f><v>12.5</v></c><c t="inlineStr"><is><t>a month</t></is></c></row><row/>`+
			`<row><c t="s"><v>2</v></c><c t="s"><v>0</v></c><c t="s"><v>99</v></c><c t="e"><v>#REF!</v></c><c t="b"><v>1</v></c><c t="str"><v>free</v></c></row>`+
			`<row><c s="1"><v>0.125</v></c><c s="2" t="n"><v>43898.5</v></c><c s="9"><v>7</v></c><c t="b"><v>0</v></c><c t="d"><v>2024-03-09</v></c></row></sheetData><headerFooter><oddHeader>no</oddHeader></headerFooter><drawing r:id="d"/></worksheet>`))
	if err != nil || !slices.Equal(file.Blocks, []string{"Fees", "Boat 12.5 a month", "Canoe TRUE free", "12.5% 2024-03-09 12:00 7 FALSE 2024-03-09", "Pay in May"}) || file.Sheet != "Fees" {
		t.Errorf("%q, %v", file.Blocks, err)
	}
}

func TestOpenDocument(t *testing.T) {
	content := func(body string) string {
		b := `<o:document-content`
		for prefix, name := range map[string]string{"o": "office", "t": "text", "tb": "table", "d": "drawing", "pr": "presentation", "svg": "svg-compatible", "st": "style"} {
			b += ` xmlns:` + prefix + `="` + openSpace + name + `:1.0"`
		}
		return b + ` xmlns:xl="http://www.w3.org/1999/xlink"><o:body>` + body + `</o:body></o:document-content>`
	}
	for _, row := range []struct {
		name, body string
		want       []string
	}{
		{"text", `<o:text><t:h>Head</t:h><t:p>One<t:s/>two<t:tab/><t:span>three</t:span><t:line-break/> four</t:p></o:text>`, []string{"Head", "One two three four"}},
		{"lists and links", `<t:list><t:list-item><t:p><t:a xl:href="https://a.example/">item</t:a></t:p></t:list-item></t:list>`, []string{"item"}},
		{"notes", `<t:p>a<t:note><t:note-citation>1</t:note-citation><t:note-body><t:p>note</t:p></t:note-body></t:note>b</t:p>`, []string{"ab", "note"}},
		{"what is not seen", `<t:tracked-changes><t:p>no</t:p></t:tracked-changes><t:p>yes<o:annotation><t:p>no</t:p></o:annotation><d:frame><svg:title>no</svg:title><d:text-box><t:p>box</t:p></d:text-box></d:frame></t:p><pr:notes><t:p>no</t:p></pr:notes>`, []string{"yes", "box"}},
		{"table", `<tb:table tb:name="no"><tb:table-row><tb:table-cell><t:p>x</t:p></tb:table-cell><tb:table-cell tb:number-columns-repeated="1000000"><t:p>y</t:p></tb:table-cell></tb:table-row></tb:table>`, []string{"x y"}},
		{"drawing", `<o:drawing><d:page d:name="no"><d:custom-shape><t:p>Quay</t:p></d:custom-shape><d:frame><d:text-box><t:p>Crane</t:p></d:text-box></d:frame></d:page></o:drawing>`, []string{"Quay", "Crane"}},
		{"hidden sheets", `<o:automatic-styles><st:style st:name="a" st:family="table"><st:table-properties tb:display="false"/></st:style><st:style st:name="b"><st:table-properties tb:display="true"/></st:style></o:automatic-styles>` +
			`<o:spreadsheet><tb:table tb:name="Old" tb:style-name="a"><tb:table-row><tb:table-cell><t:p>no</t:p></tb:table-cell></tb:table-row></tb:table><tb:table tb:name="Fees" tb:style-name="b"><tb:table-row><tb:table-cell><t:p>x</t:p></tb:table-cell></tb:table-row></tb:table></o:spreadsheet>`, []string{"Fees", "x"}},
		{"hidden slides", `<st:style st:name="dp1" st:family="drawing-page"><st:drawing-page-properties pr:visibility="hidden"/></st:style><o:presentation><d:page d:style-name="dp1"><t:p>no</t:p></d:page><d:page d:style-name="dp2"><t:p>yes</t:p></d:page></o:presentation>`, []string{"yes"}},
		{"workbook", `<o:spreadsheet><tb:table tb:name="Fees"><tb:table-row><tb:table-cell><t:p>x</t:p></tb:table-cell></tb:table-row></tb:table></o:spreadsheet>`, []string{"Fees", "x"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			file, err := Read(archive(t, "content.xml", content(row.body)))
			if err != nil || !slices.Equal(file.Blocks, row.want) || strings.Contains(row.body, "href") != (len(file.Links) == 1) {
				t.Errorf("%q %q, %v; want %q", file.Blocks, file.Links, err, row.want)
			}
		})
	}
}

// TestRealFiles: what LibreOffice (DOCX, ODT) and Pandoc (PPTX) wrote.
func TestRealFiles(t *testing.T) {
	made := time.Date(2026, 11, 21, 5, 45, 5, 0, time.UTC)
	minutes := []string{
		"Minutes of the harbour committee", "Ane Holm", "2026-03-12", "Quay and cranes",
		"The committee met on Thursday in the old customs house. The quay’s southern end sinks by 4 mm a year. A diver looked at the piles; see the report of the divers.",
		"New piles under the southern end", "No lorries over 12 tonnes until then", "Berths",
		"Berth Length Tenant", "A1 12 m Rowing club", "A2 18 m Pilot boat", "Line one of the address Harbour street 4",
	}
	const note = "Measured from 2019 to 2025 by the port’s surveyor."
	links := []string{"https://www.example.com/divers.pdf"}
	for name, want := range map[string]document.File{
		"minutes.docx": {Blocks: append(slices.Clone(minutes), note), Title: minutes[0], Author: "Ane Holm", Language: "en", Created: made, Modified: made, Links: links},
		"minutes.odt":  {Blocks: slices.Insert(slices.Clone(minutes), 5, note), Title: minutes[0], Author: "Ane Holm", Language: "en", Created: made, Modified: made, Links: links},
		"slides.pptx": {Blocks: []string{"The harbour in figures", "Ane Holm", "Traffic", "412 ships called last year", "38 of them were cruise ships", "Berths", "Berth Tenant", "A1 Rowing club", "A2 Pilot boat"},
			Title: "The harbour in figures", Author: "Ane Holm", Created: made.Add(3 * time.Second), Modified: made.Add(3 * time.Second)},
	} {
		body, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Read(body); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, %v; want\n%+v", name, got, err, want)
		}
	}
}

func TestReadText(t *testing.T) {
	for _, row := range []struct {
		name, body string
		want       []string
	}{
		{"lines", "one\r\ntwo\rthree  \n\n", []string{"one", "two", "three"}},
		{"paragraphs", "\none\ntwo\n \nthree\n\n\nfour", []string{"one two", "three", "four"}},
		{"UTF-8", "\ufeffSmør ☃", []string{"Smør ☃"}},
		{"UTF-16", utf16("Hi all"), []string{"Hi all"}},
		{"UTF-16 BE", "\xfe\xff\x00S\x00\xf8", []string{"Sø"}},
		{"Windows-1252", "Sm\xf8r \x80 5", []string{"Smør € 5"}},
		{"long", strings.Repeat("word ", maxText/5+9), []string{strings.Repeat("word ", maxText/5)[:maxText-maxText%5-1]}},
	} {
		if file, err := ReadText([]byte(row.body)); err != nil || !slices.Equal(file.Blocks, row.want) || (file.Cut == document.BeyondText) != (row.name == "long") {
			t.Errorf("%s: %d blocks, %v", row.name, len(file.Blocks), err)
		}
	}
	for name, body := range map[string]string{"HTML": " <!DOCTYPE html><p>Sign in", "binary": "\x89PNG\r\n\x1a\n\x00\x00"} {
		if file, err := ReadText([]byte(body)); err == nil {
			t.Errorf("%s: read as %q", name, file.Blocks)
		}
	}
	if file, err := ReadText([]byte(" \n")); err != nil || file.NoText == "" {
		t.Errorf("no text: %+v, %v", file, err)
	}
}

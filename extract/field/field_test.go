package field

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sitesync/extract/markup"
	"sitesync/extract/rule"
	"sitesync/internal/document"
)

func blocksOf(texts ...string) (blocks []document.Block) {
	for _, text := range texts {
		blocks = append(blocks, document.Block{Text: text})
	}
	return blocks
}

func TestLeadEndsOnARune(t *testing.T) {
	for n := range 6 {
		got := cutSentence(strings.Repeat("x", n) + strings.Repeat("å", 400))
		if len(got) > maxLead || strings.ToValidUTF8(got, "?") != got {
			t.Errorf("offset %d: %d bytes, %q", n, len(got), got[len(got)-5:])
		}
	}
}

// FuzzDate holds that whatever gives a date gives a day in the form of the field.
func FuzzDate(f *testing.F) {
	f.Add("2026-11-20T10:00:00Z")
	f.Add("Fri, 20 Nov 2026 23:30:00 CET")
	f.Add("2026/11/20/x")
	f.Add("5. märz 2026, 04/05/2026, 2026年3月5日")
	zone := time.FixedZone("two hours east", 2*60*60)
	f.Fuzz(func(t *testing.T, s string) {
		written, _ := rule.Written(s, "de")
		for _, day := range []string{rule.DayOf(s, zone, ""), dayInPath("https://www.example.com/" + s), written} {
			if day == "" {
				continue
			}
			if parsed, err := time.Parse(rule.DayLayout, day); err != nil || parsed.Year() < 1900 || parsed.Year() > 2099 || rule.DayOf(day, zone, "") != day {
				t.Errorf("%q gives %q: %v", s, day, err)
			}
		}
	})
}

// FuzzTitle holds that a title's parts are all of it, and that taking the site out of it
// leaves a part of it.
func FuzzTitle(f *testing.F) {
	f.Add("Page | Roads | Site", "Site")
	f.Add("页面_新闻-网站", "网站")
	f.Add(" - :: ~|", "x")
	f.Fuzz(func(t *testing.T, title, site string) {
		title = markup.Clean(title)
		whole := ""
		for _, p := range markup.PartsOf(title) {
			whole += p.Before + p.Text
		}
		v := &Evidence{Page: &document.Page{URL: "https://www.example.com/x"}, Found: &markup.Found{Metas: []markup.Meta{{Name: "og:site_name", Content: site}}}}
		if own := v.withoutSite(title); whole != title || (own == "") != (title == "") || len(own) > len(title) {
			t.Errorf("%q: parts %q, without the site %q", title, whole, own)
		}
	})
}

func TestLinkedDataIsTolerant(t *testing.T) {
	deep := strings.Repeat(`{"@graph":`, 2000) + `{"datePublished":"2026-11-01"}` + strings.Repeat(`}`, 2000)
	table := []struct{ name, json, want string }{
		{"plain", `{"datePublished":"2026-11-01"}`, "2026-11-01"},
		{"list", `[{"x":1},{"datePublished":["2026-11-01"]}]`, "2026-11-01"},
		{"value object", `{"datePublished":{"@value":"2026-11-01"}}`, "2026-11-01"},
		{"comment", `<!-- {"datePublished":"2026-11-01"} -->`, "2026-11-01"},
		{"cdata", "//<![CDATA[\n{\"datePublished\":\"2026-11-01\"}\n//]]>", "2026-11-01"},
		{"semicolon", `{"datePublished":"2026-11-01"};`, "2026-11-01"},
		{"main entity", `{"@type":"WebPage","mainEntity":{"@type":"Article","datePublished":"2026-11-01"}}`, "2026-11-01"},
		{"a comma at the end", `{"author":["x", ],"datePublished":"2026-11-01",}`, "2026-11-01"},
		{"a line feed in a string", "{\"headline\":\"One\nTwo\tThree\",\n\"datePublished\":\"2026-11-01\"}", "2026-11-01"},
		{"broken", `{"datePublished":"2026-11-01"`, ""},
		{"number", `{"datePublished":20261101}`, ""},
		{"null", `null`, ""},
		{"page", `{"@type":"https://schema.org/WebPage","datePublished":"2026-11-01"}`, ""},
		{"list of others", `{"@type":"ItemList","itemListElement":[{"datePublished":"2026-11-01"}]}`, ""},
		{"too deep", deep, ""},
		{"too large", `{"x":"` + strings.Repeat("x", maxLinkedBytes) + `","datePublished":"2026-11-01"}`, ""},
	}
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			l := readLinked([]string{row.json})
			if got := l.published; got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

func FuzzLinkedData(f *testing.F) {
	f.Add(`{"@graph":[{"@type":["Article"],"datePublished":{"@value":"2026-11-20"}}]}`)
	f.Add(`{"@type":"BreadcrumbList","itemListElement":[{"position":1,"item":{"name":"\u0000"}},7]}`)
	f.Fuzz(func(t *testing.T, source string) {
		l := readLinked([]string{source})
		texts := []string{l.published, l.section}
		for _, c := range l.crumbs {
			texts = append(texts, c.name, c.link)
		}
		for _, s := range texts {
			if s != markup.Clean(s) {
				t.Errorf("%q is not clean", s)
			}
		}
	})
}

// Of a long text the beginning is asked, cut between characters.
func TestSampleIsBounded(t *testing.T) {
	for n := range 3 {
		v := &Evidence{Blocks: blocksOf("Menu", strings.Repeat("x", n)+strings.Repeat("ж", 3000)+".")}
		if got := v.sample(); len(got) > maxSample || len(got) < maxSample-2 || !utf8.ValidString(got) || strings.Contains(got, "Menu") {
			t.Errorf("offset %d: %d bytes, %.20q", n, len(got), got)
		}
	}
}

func TestUselessTitles(t *testing.T) {
	name := nameOf("https://www.example.com/files/local_plan-42.pdf")
	useless := []string{"", "2026-11-20", "Microsoft Word - plan.doc", "microsoft powerpoint - Slides", "Untitled", "untitled-1", "Document1", "Dokument 2",
		"PowerPoint Presentation", "PowerPoint-præsentation", "Uden titel", "Scan_0012", "Layout 1", "plan.indd", "plan.ppsm", "plan.ott", "Plan final.docx", "REPORT.PDF", "C:\\Users\\ada\\plan",
		"file:///tmp/x", "/home/ada/plan", `\\server\share\plan`, "https://www.example.com/plan", "local_plan-42", "Local plan 42", "Brevskabelon", "Word template", "Slide 1",
		"PowerPoint-presentasjon", "Présentation PowerPoint", "Presentazione standard di PowerPoint", "Презентация PowerPoint", "Lysbilde 1", "Folie 12", "スライド 1",
		"(anonymous)", "[Sin título]", "Blank Page", "Arbeitsblatt in Basis", "Feuil1", "Untitled document"}
	for _, title := range useless {
		if !isUselessTitle(title, name) {
			t.Errorf("%q is of use", title)
		}
	}
	for _, title := range []string{"Local plan 42: the harbour", "Report on the harbour", "Documents for the meeting", "Scanning of letters", "A plan", "Microsoft and the town", "The C: drive", "Titel und Orden",
		"PowerPoint for beginners", "Blank pages in the annual report", "Regneark for foreninger", "Anonymous letters"} {
		if isUselessTitle(title, name) {
			t.Errorf("%q is of no use", title)
		}
	}
}

// TestWorkbookTitles: a workbook is named by its link, its sheet or its address, not by a row.
func TestWorkbookTitles(t *testing.T) {
	for _, row := range []struct{ title, link, sheet, want string }{
		{"Fees of the harbour", "The fees", "Fees 2024", "Fees of the harbour"},
		{"Arbeitsblatt in Basis", "The fees", "Fees 2024", "The fees"},
		{"", "", "Fees 2024", "Fees 2024"},
		{"", "", "Tabelle1", "Berths"},
	} {
		v := &Evidence{
			Page:   &document.Page{URL: "https://www.example.com/files/berths.xlsx", Link: document.Link{Text: row.link}},
			File:   &document.File{Title: row.title, Sheet: row.sheet},
			Blocks: []document.Block{document.BlockOf(row.sheet), document.BlockOf("Row 0 0 0 berth 0 free")},
		}
		if got := v.fileTitles()[0]; got != row.want {
			t.Errorf("%+v: %q", row, got)
		}
	}
}

func TestHeadingLike(t *testing.T) {
	table := []struct {
		blocks []string
		want   string
	}{
		{[]string{"Plan of the town", "More"}, "Plan of the town"},
		{[]string{"1", "2026-11-20", "Plan of the town"}, "Plan of the town"},
		{[]string{"This is a sentence. And so is this.", "It ends here.", "Minutes, part 2"}, "Minutes, part 2"},
		{[]string{strings.Repeat("too long ", 20), "a b"}, ""},
		{[]string{"1.", "2.", "3.", "4.", "5.", "Too far down"}, ""},
		{nil, ""},
	}
	for _, row := range table {
		if got := headingLike(blocksOf(row.blocks...)); got != row.want {
			t.Errorf("%q: got %q, want %q", row.blocks, got, row.want)
		}
	}
}

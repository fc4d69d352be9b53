package pdf

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/bidi"

	"sitesync/internal/testsite"
)

var update = flag.Bool("update", false, "write what is read of each file anew")

// TestGolden names each file of the corpus of which something else is read than before.
// A diff of what -update writes shows what.
func TestGolden(t *testing.T) {
	r := newReader(t)
	for _, folder := range []string{"testdata/", "testdata/scored/", "../../testdata/site/files/"} {
		names, err := filepath.Glob(folder + "*.pdf")
		if err != nil || len(names) == 0 {
			t.Errorf("%s: no files, %v", folder, err)
		}
		for _, name := range names {
			file, err := r.Read(load(t, name))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			got, err := json.MarshalIndent(file, "", "\t")
			if err != nil {
				t.Fatal(err)
			}
			golden := "testdata/golden/" + strings.TrimSuffix(filepath.Base(name), ".pdf") + ".json"
			if *update {
				err = os.WriteFile(golden, append(got, '\n'), 0o644)
			}
			if want := string(load(t, golden)); err != nil || string(got)+"\n" != want {
				t.Errorf("%s is read otherwise, %v: run with -update, look at the diff and raise extract.Revision", name, err)
			}
		}
	}
}

// TestScores: files of many programs give the words and the order of words that their
// sources have; each is about as well read as it can be, and may not fall below that.
// The sources were written for this project.
func TestScores(t *testing.T) {
	table := []struct {
		name            string
		words, shingles float64 // word F1, and F1 of four words in a row
	}{
		{"chromium-ar", 1, 1},
		{"chromium-signs-ar", 1, 1},
		{"chromium-soft-hyphens-de", 1, 1},
		{"libreoffice-notes-en", 0.97, 0.94},
		{"pdftex-accents-de-fr", 0.98, 0.96},
		{"pdftex-bitmaps-en", 0.98, 0.96},
		{"reportlab-words-across-en", 1, 1},
		{"weasyprint-columns-de", 1, 1},
	}
	names, err := filepath.Glob("testdata/scored/*.pdf")
	if err != nil || len(names) != len(table) {
		t.Errorf("%d files, %d rows, %v", len(names), len(table), err)
	}
	r := newReader(t)
	for _, row := range table {
		file, err := r.Read(load(t, "testdata/scored/"+row.name+".pdf"))
		got, want := strings.Join(file.Blocks, "\n"), string(load(t, "testdata/scored/"+row.name+".txt"))
		words, shingles := testsite.WordF1(got, want), testsite.WordF1(fours(got), fours(want))
		t.Logf("%-26s words %.3f, shingles %.3f", row.name, words, shingles)
		if err != nil || words < row.words || shingles < row.shingles {
			t.Errorf("%s: words %.3f, want %.2f; shingles %.3f, want %.2f; %v", row.name, words, row.words, shingles, row.shingles, err)
		}
	}
}

// fours makes one word of each four in a row.
func fours(text string) string {
	words := strings.FieldsFunc(text, isNoLetter)
	var all []string
	for i := 4; i <= len(words); i++ {
		all = append(all, strings.Join(words[i-4:i], ""))
	}
	return strings.Join(all, " ")
}

// shown is a page with a content, Helvetica as F1, the same as F2 with a control for the
// space, and as F3 a font of Japanese characters by their UTF-16, which F4 writes downwards.
func shown(turn int, content string) []byte {
	cmap := func(chars string) string {
		return testsite.PDFStream("/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange " + chars + " endbfchar endcmap end")
	}
	kanji := "<0000><ffff> endcodespacerange"
	for _, r := range "港湾管理局は42の施設を 013579@.:+-/()[]abcdeimoprux" + "אבגדהוזחטיכלמנסעפצקרשתםןךףץ\u05b8سملا\ufefb" {
		kanji += fmt.Sprintf(" 1 beginbfchar <%04x><%04x>", r, r)
	}
	return []byte(testsite.PDFObjects("", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 842 842]/Rotate %d/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R/F3 8 0 R/F4 11 0 R>>>>>>", turn),
		testsite.PDFStream(content),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 7 0 R>>", cmap("<00><ff> endcodespacerange 1 beginbfchar <20><0003>"),
		"<</Type/Font/Subtype/Type0/BaseFont/Kanji/Encoding/Identity-H/ToUnicode 9 0 R/DescendantFonts[10 0 R]>>", cmap(strings.ReplaceAll(kanji, "> 1 begin", "> endbfchar 1 begin")),
		"<</Type/Font/Subtype/CIDFontType0/BaseFont/Kanji/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000/W[50[500]52[500]]/FontDescriptor<</Type/FontDescriptor/FontName/Kanji/Flags 4>>>>",
		"<</Type/Font/Subtype/Type0/BaseFont/Kanji/Encoding/Identity-V/ToUnicode 9 0 R/DescendantFonts[10 0 R]>>"))
}

// TestLetters: what fonts and distances do to characters.
func TestLetters(t *testing.T) {
	r := newReader(t)
	for _, row := range []struct{ name, content, want string }{
		{"written downwards", "/F4 10 Tf 1 0 0 1 400 700 Tm <6e2f6e7e7ba174065c40306f65bd8a2d> Tj", "港湾管理局は施設"},
		{"controls are spaces", "/F2 10 Tf 1 0 0 1 50 700 Tm (Control words are spaces) Tj", "Control words are spaces"},
		{"no spaces beside kanji", "/F3 10 Tf 1 0 0 1 50 700 Tm [<6e2f6e7e7ba17406 5c40306f> -250 <00340032> -250 <306e65bd8a2d3092>] TJ", "港湾管理局は42の施設を"},
		{"narrow spaces", "/F1 10 Tf -4 Tw 1 0 0 1 50 700 Tm (Words of a narrow line) Tj", "Words of a narrow line"},
		{"no spaces beside turned kanji", "/F3 10 Tf 0 1 -1 0 50 100 Tm [<6e2f6e7e7ba17406 5c40306f> -250 <00340032> -250 <306e65bd8a2d3092>] TJ", "港湾管理局は42の施設を"},
		{"spaces between turned kanji", "/F3 10 Tf 0 1 -1 0 50 100 Tm [<6e2f6e7e> -1500 <7ba17406>] TJ", "港湾 管理"},
		{"spaced letters", "/F1 10 Tf 4 Tc 1 0 0 1 50 700 Tm (Spaced out words) Tj", "Spaced out words"},
		{"a footnote's number", "/F1 10 Tf 1 0 0 1 50 700 Tm (harbour) Tj /F1 6 Tf 4 Ts (1) Tj 0 Ts /F1 10 Tf ( of 5 km) Tj /F1 6 Tf 4 Ts (2) Tj", "harbour 1 of 5 km2"},
		{"an accent over its letter", "/F1 10 Tf 1 0 0 1 50 700 Tm [(Sch) -111 (\\250) 444 (opf)] TJ", "Schöpf"},
	} {
		file, err := r.Read(shown(0, "BT "+row.content+" ET"))
		if got := strings.Join(file.Blocks, "|"); err != nil || got != row.want {
			t.Errorf("%s: %q, %v; want %q", row.name, got, err, row.want)
		}
	}
}

// TestTurned: a line keeps its spaces and no others however it is turned, and stands
// behind the level ones.
func TestTurned(t *testing.T) {
	r := newReader(t)
	for _, row := range []struct{ content, want string }{
		{"(Tons of herring landed in May12) Tj", "Tons of herring landed in May12"},
		{"[(Tons) -278 (of herring) -278 (landed) -278 (in May12)] TJ", "Tons of herring landed in May12"},
		{"[(Sch) -111 (\\250) 444 (opf)] TJ", "Schöpf"},
	} {
		for degrees := 10; degrees <= 350; degrees += 5 {
			sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
			content := fmt.Sprintf("BT /F1 10 Tf 12 TL 60 430 Td (The table counts what came in) Tj T* (and what went out) Tj T* (by sea.) Tj "+
				"%.5f %.5f %.5f %.5f 400 400 Tm %s 1 0 0 1 500 305 Tm (Foot) Tj ET", cos, sin, -sin, cos, row.content)
			file, err := r.Read(shown(0, content))
			if want := []string{"The table counts what came in and what went out by sea.", "Foot", row.want}; err != nil || !slices.Equal(file.Blocks, want) {
				t.Errorf("turned by %d degrees: %q, %v; want %q", degrees, file.Blocks, err, want)
			}
		}
	}
}

// TestFromRight: numbers, brackets and addresses in lines that are read from the right
// stand as they were written, whatever the order in which they were drawn.
func TestFromRight(t *testing.T) {
	const before = "לוח הזמנים של הנמל הישן בעיר"
	r := newReader(t)
	for _, row := range []struct{ drawn, want string }{ // drawn from the left
		{"port@dock.ie " + bidi.ReverseString("כתבו לנו: "), "כתבו לנו: port@dock.ie"},
		{bidi.ReverseString(" או") + "port.ie/a/b" + bidi.ReverseString("ראו "), "ראו port.ie/a/b או"},
		{"35 13 57+ " + bidi.ReverseString("טלפון: "), "טלפון: +57 13 35"},
		{bidi.ReverseString(" ילדים) בשנה.") + "30" + bidi.ReverseString(" (מהם ") + "175" + bidi.ReverseString("נוסעים "), "נוסעים 175 (מהם 30 ילדים) בשנה."},
		{bidi.ReverseString(" ילדים)") + "53" + bidi.ReverseString("נוסעים ("), "נוסעים (53 ילדים)"},
		{"\u0645\ufefb\u0633" + bidi.ReverseString(" ראו "), "ראו سلام"},
		{bidi.ReverseString("סוף) ואז [עוד"), "סוף) ואז [עוד"},
	} {
		for _, how := range []string{"onwards", "backwards", "at once"} {
			content, runes := "/F3 10 Tf 1 0 0 1 50 730 Tm <", []rune(row.drawn)
			for _, r := range bidi.ReverseString(before) {
				content += fmt.Sprintf("%04x", r)
			}
			content += "> Tj "
			for i := range runes {
				at := i
				if how == "backwards" {
					at = len(runes) - 1 - i
				}
				if how != "at once" || i == 0 {
					content += fmt.Sprintf("1 0 0 1 %d 700 Tm ", 50+10*at)
				}
				content += fmt.Sprintf("<%04x> Tj ", runes[at])
			}
			file, err := r.Read(shown(0, "BT "+content+"ET"))
			if got := strings.Join(file.Blocks, "|"); err != nil || got != before+" "+row.want {
				t.Errorf("drawn %q %s: %q, %v; want %q", row.drawn, how, got, err, row.want)
			}
		}
	}
}

// TestDropCaps: a large letter belongs to the word beside it, wherever it was drawn, and to
// no other text.
func TestDropCaps(t *testing.T) {
	r := newReader(t)
	lines := "/F1 10 Tf 1 0 0 1 %d 700 Tm (%s of the harbour) Tj 1 0 0 1 %d 688 Tm (sail at noon.) Tj 1 0 0 1 50 676 Tm (They return late.) Tj "
	large := "/F1 30 Tf 1 0 0 1 50 679 Tm (T) Tj "
	for _, row := range []struct{ name, content, want string }{
		{"before its word", large + fmt.Sprintf(lines, 70, "he boats", 70), "The boats of the harbour sail at noon. They return late."},
		{"before a head", large + "/F1 18 Tf 1 0 0 1 50 740 Tm (Head) Tj " + fmt.Sprintf(lines, 70, "he boats", 70), "Head|The boats of the harbour sail at noon. They return late."},
		{"in capitals", large + fmt.Sprintf(lines, 70, "HE boats", 70), "THE boats of the harbour sail at noon. They return late."},
		{"of a register", large + fmt.Sprintf(lines, 70, "Tides", 70), "T|Tides of the harbour sail at noon. They return late."},
		{"far from the text", large + fmt.Sprintf(lines, 120, "he boats", 120), "T|he boats of the harbour sail at noon. They return late."},
	} {
		file, err := r.Read(shown(0, "BT "+row.content+"ET"))
		if got := strings.Join(file.Blocks, "|"); err != nil || got != row.want {
			t.Errorf("%s: %q, %v; want %q", row.name, got, err, row.want)
		}
	}
}

// TestColumns: columns are read one after the other however they were drawn, on a page
// that is shown turned as well; tables and forms are read by their rows.
func TestColumns(t *testing.T) {
	prose := [][]string{
		{"The harbour authority manages the", "passengers may consult a timetable"}, {"berths along the northern quay and", "which the department publishes on"},
		{"every one of them was surveyed at", "every Thursday, and refunds can be"}, {"some time after the autumn storms", "had at the counter in the old hall"}, {"by divers from the neighbouring", "if the ticket is shown with them."},
	}
	form := [][]string{{"Name of the applicant:", "Ada Holm"}, {"Address of the applicant:", "Harbour street 4"}, {"Length of the boat:", "Twelve metres"}, {"Preferred berth and quay:", "Northern quay, near the lighthouse"}, {"Date of arrival:", "12 March"}}
	var left, right, rows []string
	for _, row := range prose {
		left, right = append(left, row[0]), append(right, row[1])
	}
	for _, row := range form {
		rows = append(rows, row...)
	}
	read := strings.Join(append(left, right...), " ")
	r := newReader(t)
	for _, row := range []struct {
		name string
		turn int
		rows [][]string
		want string
	}{{"columns", 0, prose, read}, {"turned left", 90, prose, read}, {"turned right", 270, prose, read}, {"a form", 0, form, strings.Join(rows, " ")}} {
		var b strings.Builder
		for i, cells := range row.rows {
			for j, cell := range cells {
				x, y := 50+250*j, 700-12*i
				switch row.turn {
				case 0:
					fmt.Fprintf(&b, "1 0 0 1 %d %d Tm (%s) Tj\n", x, y, cell)
				case 90:
					fmt.Fprintf(&b, "0 1 -1 0 %d %d Tm (%s) Tj\n", 842-y, x, cell)
				case 270:
					fmt.Fprintf(&b, "0 -1 1 0 %d %d Tm (%s) Tj\n", y, 842-x, cell)
				}
			}
		}
		file, err := r.Read(shown(row.turn, "BT /F1 10 Tf "+b.String()+" ET"))
		if got := strings.Join(file.Blocks, " "); err != nil || got != row.want {
			t.Errorf("%s: %q, %v; want %q", row.name, got, err, row.want)
		}
	}
}

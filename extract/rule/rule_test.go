package rule

import (
	"strings"
	"testing"
	"time"
)

// What is read of a source, as "name|type|path|n".
func TestParseSource(t *testing.T) {
	table := []struct {
		text, name, typ, path string
		n                     int
	}{
		{"css:h1", "", "", "", 0},
		{"css: time.published @datetime", "datetime", "", "", 0},
		{`css:a[href="x@y"]`, "", "", "", 0},
		{`css:a[href="x@y"]@Title`, "title", "", "", 0},
		{`css:a[href$="x@y"] @xlink:href`, "xlink:href", "", "", 0},
		{"css:h1, .title@data-x", "data-x", "", "", 0},
		{"meta:DC.Creator", "dc.creator", "", "", 0},
		{"meta:article:tag", "article:tag", "", "", 0},
		{"og:image:alt", "og:image:alt", "", "", 0},
		{"jsonld:@type", "", "", "@type", 0},
		{"jsonld:Product/offers.price", "", "Product", "offers price", 0},
		{"microdata:Offer/price", "", "Offer", "", 0},
		{"header:X-Section", "X-Section", "", "", 0},
		{"path:-1", "", "", "", -1},
		{"breadcrumb:2", "", "", "", 2},
		{"url:/v([0-9]+):", "", "", "", 0},
		{"link-text", "", "", "", 0},
		{"const:a: b@c", "a: b@c", "", "", 0},
	}
	for _, row := range table {
		s, err := ParseSource(row.text)
		if err != nil || s.Name != row.name || s.Type != row.typ || strings.Join(s.Path, " ") != row.path || s.N != row.n {
			t.Errorf("%s: got %+v, %v", row.text, s, err)
		}
	}
}

func TestParseFaults(t *testing.T) {
	sources := []string{
		"", ":", "css", "css:", "css: ", "css:@href", "css:a@b c", "css:<", "CSS:h1", "link-text:", "meta", "jsonld:Product/", "jsonld:a.b.c.d.e.f.g.h.i.j.k",
		"microdata:a b", "microdata:a/b/c", "header:", "header:cookie", "header:Proxy-Authenticate", "header:WWW-Authenticate", "header:X-Authorization", "header:age",
		"path:", "path:x", "path:+0", "path:100", "url:[", "const:", "const:\xff", "const:" + strings.Repeat("x", maxText),
	}
	for _, text := range sources {
		if s, err := ParseSource(text); err == nil || !strings.HasPrefix(err.Error(), "must ") {
			t.Errorf("source %q: got %+v, %v", text, s, err)
		}
	}
	transforms := []string{
		"", "trim:", "first:1", "map:x", "all", "replace", "replace:", "replace:/", "replace:/a/", "replace:/a/b/c", "replace:aXaYa", "replace:$a$b$", `replace:\a\b\`,
		"replace:/a/$2/", "replace:/[/b/", "max:", "max:-1", "max:1KB", "date:", "date:YYYY", "date:MM/DD", "date:DD.MM.YYYY DD", "date:YYYY/MM/DD|", "date:YYYY-m-DD", "date:D. MMMM YYYY\xff",
	}
	for _, text := range transforms {
		if _, err := ParseTransform(text); err == nil || !strings.HasPrefix(err.Error(), "must ") {
			t.Errorf("transform %q: got %v", text, err)
		}
	}
	for _, name := range []string{"", "Id", "TYPE", "url", "Url", "content", "DATE", " x", "x\u00a0", "a\nb", "\xff", strings.Repeat("x", 101)} {
		if err := CheckName(name); err == nil || !strings.HasPrefix(err.Error(), "must ") {
			t.Errorf("name %q: got %v", name, err)
		}
	}
	for _, name := range []string{"Title", "Category", "Price_number", "Pris inkl. moms", "Målgruppe", strings.Repeat("x", 100)} {
		if err := CheckName(name); err != nil {
			t.Errorf("name %q: got %v", name, err)
		}
	}
}

// $ and digits in what replace writes mean groups, whatever follows them.
func TestReplace(t *testing.T) {
	table := []struct{ transform, in, want string }{
		{"replace:/ kr\\.?$//", "12 kr.", "12"},
		{"replace:|/|, |", "a/b", "a, b"},
		{"replace:/(.)(.)/$2$1x$0/", "ab", "baxab"},
		{"replace:/a/$$ 5 $x $/", "a", "$ 5 $x $"},
		{"replace:#(?i)REF: ([a-z]+)#$1#", "ref: abc", "abc"},
	}
	for _, row := range table {
		tr, err := ParseTransform(row.transform)
		if err != nil {
			t.Errorf("%s: %v", row.transform, err)
			continue
		}
		if got := strings.Join(tr([]string{row.in}, settings{size: 100}), "|"); got != row.want {
			t.Errorf("%s: got %q, want %q", row.transform, got, row.want)
		}
	}
}

func TestDay(t *testing.T) {
	table := []struct{ layouts, in, want string }{
		{"D MMMM YYYY", "Published on 3 March 2024 by us", "2024/03/03"},
		{"MMMM D, YYYY", "Last updated: Sept. 1st, 2024, 10 am", "2024/09/01"},
		{"D. MMMM YYYY", "Torsdag 5. december 2024 kl. 8.30", "2024/12/05"},
		{"D. MMM YYYY", "5. des. 2024", "2024/12/05"},
		{"D MMMM YYYY", "den 14 maj 2024", "2024/05/14"},
		{"D. MMMM YYYY", "1. März 2024", "2024/03/01"},
		{"D. MMMM YYYY", "1. MÄRZ 2024", "2024/03/01"},
		{"D. MMMM YYYY", "1. Ma\u0308rz 2024", "2024/03/01"},
		{"D. MMMM YYYY", "1. Jänner 2024", "2024/01/01"},
		{"D MMMM YYYY", "21 augustus 2024", "2024/08/21"},
		{"D MMMM YYYY", "le 1er août 2024", "2024/08/01"},
		{"D MMM YYYY", "14 févr. 2024", "2024/02/14"},
		{"D de MMMM de YYYY", "3 de Septiembre de 2024", "2024/09/03"},
		{"D de MMMM de YYYY", "3 de março de 2024", "2024/03/03"},
		{"D MMMM YYYY", "2 giugno 2024", "2024/06/02"},
		{"D. MMMM YYYY", "6. joulukuuta 2024", "2024/12/06"},
		{"D MMMM YYYY", "11 listopada 2024 r.", "2024/11/11"},
		{"D MMMM YYYY", "15 października 2024", "2024/10/15"},
		{"DD/MM/YYYY", "05/12/2024 14:00", "2024/12/05"},
		{"dd/MM/yyyy HH:mm", "05/12/2024 14:00", "2024/12/05"},
		{"M/D/YYYY", "12/5/2024", "2024/12/05"},
		{"DD-MM-YY", "05-12-24 or 06-12-24", "2024/12/05"},
		{"DD-MM-YY", "05-12-69", "1969/12/05"},
		{"YYYYMMDD", "id_20241205_x", "2024/12/05"},
		{"YYYY. MM. DD", "2024.\u00a012.\u00a005", "2024/12/05"},
		{"YYYYMMDD", "2024120512", ""},
		{"D/M/YYYY", "31/2/2024, then 1/3/2024", "2024/03/01"},
		{"D/M/YYYY", "12/31/2024", ""},
		{"D MMMM YYYY", "3 Foo 2024", ""},
		{"D MMMM YYYY", "March 2024", ""},
		{"D. MMMM YYYY|YYYY-MM-DD", "2024-12-05", "2024/12/05"},
		{"D. MMMM YYYY.", "Objavljeno 11. listopada 2024.", "2024/10/11"},
	}
	for _, row := range table {
		tr, err := ParseTransform("date:" + row.layouts)
		if err != nil {
			t.Errorf("%s: %v", row.layouts, err)
			continue
		}
		if got := strings.Join(tr([]string{row.in}, settings{}), "|"); got != row.want {
			t.Errorf("%s of %q: got %q, want %q", row.layouts, row.in, got, row.want)
		}
	}
}

// The months of some languages in order, and of all of them no name twice.
func TestMonths(t *testing.T) {
	languages := []string{
		"January February March April May June July August September October November December",
		"januar februar mars april mai juni juli august september oktober november desember",
		"Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
		"tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
		"января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
		"Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
		"Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου",
		"يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
		"janv févr mars avr mai juin juil août sept oct nov déc",
		"януари февруари март април май юни юли август септември октомври ноември декември",
		"jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
		"januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra",
		"siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna .listopada studenoga prosinca",
		"janvārī februārī martā aprīlī maijā jūnijā jūlijā augustā septembrī oktobrī novembrī decembrī",
		"sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio",
		"gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
		"בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
		"một hai ba tư năm sáu bảy tám chín mười mườimột mườihai",
		"जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
	}
	for _, names := range languages {
		for i, name := range strings.Fields(names) {
			if got := months[strings.ToLower(name)]; got != i+1 {
				t.Errorf("%s: got %d, want %d", name, got, i+1)
			}
		}
	}
	seen := map[string]int{}
	for i, names := range strings.Split(monthNames, "\n") {
		for _, name := range strings.Fields(names) {
			if first, ok := seen[name]; ok {
				t.Errorf("%s is a name of month %d and of %d", name, first+1, i+1)
			}
			seen[name] = i
		}
	}
	for _, none := range []string{"", " ", "ma", "uary"} {
		if got := months[none]; got != 0 {
			t.Errorf("%q is month %d", none, got)
		}
	}
}

// Of a day as people write it, in languages that put more than spaces between its parts.
func TestWritten(t *testing.T) {
	table := []struct{ in, lang, want string }{
		{"Публикувано на 5 ноември 2026 г.", "bg", "2026/11/05"},
		{"Zagreb, 5. listopada 2026.", "hr", "2026/10/05"},
		{"Warszawa, 5 listopada 2026 r.", "pl", "2026/11/05"},
		{"Praha 5. listopadu 2026", "cs", "2026/11/05"},
		{"Ljubljana, 5. novembra 2026", "sl", "2026/11/05"},
		{"5. november 2026. a.", "et", "2026/11/05"},
		{"2026. gada 5. novembrī", "lv", "2026/11/05"},
		{"5. novembris, 2026", "lv", "2026/11/05"},
		{"2026 m. lapkričio 5 d.", "lt", "2026/11/05"},
		{"2026 lapkričio 5", "lt", "2026/11/05"},
		{"5 de novembre de 2026", "ca", "2026/11/05"},
		{"5 d’octubre de 2026", "ca", "2026/10/05"},
		{"פורסם ב-5 בנובמבר 2026", "he", "2026/11/05"},
		{"5 נובמבר, 2026", "he", "2026/11/05"},
		{"Ngày 5 tháng 11 năm 2026", "vi", "2026/11/05"},
		{"5 Tháng Mười Một, 2026", "vi", "2026/11/05"},
		{"05 tháng 09, 2026", "vi", "2026/09/05"},
		{"5 tháng năm 2026", "vi", "2026/05/05"},
		{"प्रकाशित: 5 नवंबर 2026", "hi", "2026/11/05"},
		{"मई 5, 2026", "hi", "2026/05/05"},
		{"5 tháng 13, 2026", "vi", ""},
		{"5 of 2026", "en", ""},
	}
	for _, row := range table {
		if got, _ := Written(row.in, row.lang); got != row.want {
			t.Errorf("%q: got %q, want %q", row.in, got, row.want)
		}
	}
}

func TestDecimal(t *testing.T) {
	table := []struct{ in, want string }{
		{"kr. 1.234,50", "1234.50"},
		{"kr. 1.234,-", "1234"},
		{"DKK 12.345.678,90", "12345678.90"},
		{"$1,234.50", "1234.50"},
		{"1,234,567 visitors", "1234567"},
		{"1 234,50 €", "1234.50"},
		{"1\u202f234\u202f567,5", "1234567.5"},
		{"CHF 1'234.50", "1234.50"},
		{"12.–", "12"},
		{"1234.5", "1234.5"},
		{"1234,5", "1234.5"},
		{"1234.567", "1234.567"},
		{"1.234", "1234"},
		{"1,234", "1234"},
		{"0.125", "0.125"},
		{"0,125", "0.125"},
		{"007", "7"},
		{"0", "0"},
		{".50", "0.50"},
		{"$.99", "0.99"},
		{"No.5", "5"},
		{"-5 °C", "-5"},
		{"−1.234,5", "-1234.5"},
		{"-$12.50", "-12.50"},
		{"-0,0", "0.0"},
		{"B-52", "52"},
		{"10-20 kg", "10"},
		{"12 34 56 78", "12"},
		{"Open 24/7.", "24"},
		{"25 %", "25"},
		{"1.2.3", ""},
		{"05.12.2024", ""},
		{"1,234,56", ""},
		{"1.234,567.8", ""},
		{"on request", ""},
		{"", ""},
	}
	for _, row := range table {
		if got := decimal(row.in); got != row.want {
			t.Errorf("%q: got %q, want %q", row.in, got, row.want)
		}
	}
}

func TestDayOf(t *testing.T) {
	zone := time.FixedZone("two hours east", 2*60*60)
	table := []struct{ in, want string }{
		{"2026-11-20", "2026/11/20"},
		{" 2026/11/20 ", "2026/11/20"},
		{"2026.11.20", "2026/11/20"},
		{"20261120", "2026/11/20"},
		{"2026-1-2", "2026/01/02"},
		{"2026-11-20T23:30:00Z", "2026/11/21"},
		{"2026-11-20T23:30:00.123Z", "2026/11/21"},
		{"2026-11-20T23:30Z", "2026/11/21"},
		{"2026-11-20T23:30:00+0000", "2026/11/21"},
		{"2026-11-20T23:30:00+02:00", "2026/11/20"},
		{"2026-11-20T23:30", "2026/11/20"},
		{"2026-11-20 23:30:00", "2026/11/20"},
		{"2026-11-20 23:30:00 +0000 UTC", "2026/11/21"},
		{"Fri, 20 Nov 2026 23:30:00 GMT", "2026/11/21"},
		{"Fri, 20 Nov 2026 23:30:00 CET", "2026/11/20"},   // a zone by its letters: the day as written
		{"Fri, 20 Nov 2026 23:30:00 +0100", "2026/11/20"}, // the writer's own zone: the day as written
		{"2026-11-20T23:30:00-08:00", "2026/11/20"},
		{"2026-11-20T00:30:00+09:00", "2026/11/20"},
		{"2026-11-20 23:30:00 PST", "2026/11/20"},
		{"11/20/2026", ""},
		{"20.11.2026", ""},
		{"2026-02-30", ""},
		{"2026-11", ""},
		{"2026", ""},
		{"1970-01-01T00:00:00Z", ""},
		{"0001-01-01", ""},
		{"23:30:00", ""},
		{"P3D", ""},
		{strings.Repeat("2026-11-20", 20), ""},
	}
	for _, row := range table {
		if got := DayOf(row.in, zone, ""); got != row.want {
			t.Errorf("DayOf(%q) = %q, want %q", row.in, got, row.want)
		}
	}
}

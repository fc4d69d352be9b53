package page

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// decoded returns body in UTF-8, and what it was in.
func decoded(body []byte, contentType string) ([]byte, document.Charset) {
	text, is, foreign := encodingOf(body, contentType)
	if foreign {
		text = decode(text, is.Name, decodedSize(text, is.Name))
	}
	return text, is
}

func TestDecode(t *testing.T) {
	pad := func(n int) string { return "<!--" + strings.Repeat("x", n-len("<!---->")) + "-->" }
	utf16le := func(s string) string {
		var b strings.Builder
		for _, r := range s {
			b.WriteByte(byte(r))
			b.WriteByte(byte(r >> 8))
		}
		return b.String()
	}
	for _, test := range []struct{ body, contentType, name, text string }{
		// A byte order mark wins over all.
		{"\xEF\xBB\xBFß", "text/html; charset=iso-8859-1", "utf-8", "ß"},
		{"\xFF\xFE" + utf16le("aß"), "text/html; charset=utf-8", "utf-16le", "aß"},
		{"\xFE\xFF\x00a\x00\xDF", "", "utf-16be", "aß"},
		// Then the header, right or wrong.
		{"ß", "text/html; charset=latin1", "windows-1252", "Ã\u0178"},
		{"\xE9t\xE9", "text/html; charset=utf-8", "utf-8", "\uFFFDt\uFFFD"},
		{"\xB1", "text/html; CHARSET = 'ISO-8859-2' ; x", "iso-8859-2", "ą"},
		{"<meta charset=iso-8859-2>\xB1", "text/html; charset=windows-1257", "windows-1257", "<meta charset=iso-8859-2>±"},
		{utf16le("ab"), "text/html; charset=utf-16", "utf-16le", "ab"},
		{"\xE9", "text/html; charset=no-such-thing", "windows-1252", "é"},
		{"\x1B$B$\"\x1B(B", "text/html; charset=iso-2022-jp", "iso-2022-jp", "あ"},
		// Then the body itself, over the whole of its length.
		{"ß", "", "utf-8", "ß"},
		{strings.Repeat("a", 5000) + "ß", "text/html", "utf-8", strings.Repeat("a", 5000) + "ß"},
		// One damaged letter turns no page, whatever its declaration says.
		{strings.Repeat("ä", 5000) + "\xE9", "", "utf-8", strings.Repeat("ä", 5000) + "\uFFFD"},
		{"<meta charset=latin1>äöüß\xE9", "", "utf-8", "<meta charset=latin1>äöüß\uFFFD"},
		{"<meta charset=latin1>äö\xE9", "", "windows-1252", "<meta charset=latin1>Ã¤Ã¶é"},
		// Then a declaration.
		{"<META CHARSET='ISO-8859-2'/>\xB1", "text/html", "iso-8859-2", "<META CHARSET='ISO-8859-2'/>ą"},
		{"<meta http-equiv=Content-Type content=\"text/html; charset=euc-jp\">\xA4\xA2", "", "euc-jp", "<meta http-equiv=Content-Type content=\"text/html; charset=euc-jp\">あ"},
		{"<?xml version=\"1.0\" encoding=\"windows-1251\"?>\xCF", "", "windows-1251", "<?xml version=\"1.0\" encoding=\"windows-1251\"?>П"},
		{"<meta charset=utf-8>\xE9", "", "utf-8", "<meta charset=utf-8>\uFFFD"},
		{pad(2000) + "<meta charset=iso-8859-2>\xB1", "", "iso-8859-2", pad(2000) + "<meta charset=iso-8859-2>ą"},
		{pad(60_000) + "<meta charset=iso-8859-2>\xB1", "", "iso-8859-2", pad(60_000) + "<meta charset=iso-8859-2>ą"},
		{pad(70_000) + "<meta charset=iso-8859-2>\xB1", "", "windows-1252", pad(70_000) + "<meta charset=iso-8859-2>±"},
		// Then a guess, which is windows-1252 where nothing speaks for another.
		{"plain", "", "windows-1252", "plain"},
		{"", "text/html; charset=utf-16", "utf-16le", ""},
	} {
		text, is := decoded([]byte(test.body), test.contentType)
		if name := is.Name; name != test.name || string(text) != test.text {
			t.Errorf("%.60q as %q: %s %.60q, want %s %.60q", test.body, test.contentType, name, text, test.name, test.text)
		}
	}
}

// TestCharsetDoubt: a page that names no charset is read by its letters, the same each time,
// and a page that is not what it says keeps to it; both are told with what to do.
func TestCharsetDoubt(t *testing.T) {
	const russian = "Паромы из порта ходят каждый день, кроме воскресенья."
	const utf8Page = "text/html; charset=utf-8"
	for _, c := range []struct{ text, in, contentType, name, doubt string }{
		{russian, "windows-1251", "", "windows-1251", "names no charset, and its letters look like windows-1251: name the charset"},
		{russian, "koi8-r", "text/html", "koi8-r", "look like koi8-r"},
		{"フェリーは日曜日を除いて毎日運航しています。", "shift_jis", "", "shift_jis", "look like shift_jis"},
		{"フェリーは日曜日を除いて毎日運航しています。", "euc-jp", "", "euc-jp", "look like euc-jp"},
		{"除星期日外，渡轮每天都从港口出发。", "gbk", "", "gb18030", "look like gb18030"},
		{"Promy odpływają z portu codziennie, także w święta i w niedzielę.", "windows-1250", "", "windows-1250", "look like windows-1250"},
		{"Τα πλοία αναχωρούν από το λιμάνι κάθε μέρα.", "iso-8859-7", "", "iso-8859-7", "look like iso-8859-7"},
		{"Die Fähre fährt täglich außer sonntags.", "windows-1252", "", "windows-1252", "look like windows-1252"},
		{"Blåbær", "windows-1252", "", "windows-1252", "look like windows-1252"},
		{russian, "windows-1251", "text/html; charset=windows-1251", "windows-1251", ""},
		{russian, "utf-8", "", "utf-8", ""},
		{"The ferry leaves daily.", "utf-8", "", "windows-1252", ""},
		{russian, "windows-1251", utf8Page, "utf-8", "it was read as UTF-8, which 44 bytes of it can't be; its letters look like windows-1251: name that"},
		{"Die Fähre fährt täglich.", "windows-1252", utf8Page, "utf-8", "which 3 bytes of it can't be"},
		{"Die Fähre.<meta charset=utf-8>", "windows-1252", "", "utf-8", "which 1 byte of it can't be"},
		{russian, "utf-16le", utf8Page, "utf-8", ""}, // it is no text at all
	} {
		encoding, _ := charset.Lookup(c.in)
		body, err := encoding.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			text, is := decoded([]byte(body), c.contentType)
			right := string(text) == c.text || c.contentType == utf8Page || strings.Contains(c.text, "<meta")
			if is.Name != c.name || !strings.Contains(is.Doubt, c.doubt) || (is.Doubt == "") != (c.doubt == "") || !right {
				t.Errorf("%s in %s as %q: %+v, %s", c.text, c.in, c.contentType, is, text)
			}
		}
	}
}

// TestQueryInCharset: letters in the query of a link are asked for in the charset of its page,
// those in its path in UTF-8.
func TestQueryInCharset(t *testing.T) {
	const at = "https://www.example.com"
	for _, c := range []struct{ in, href, want string }{
		{"windows-1251", "/t?name=порт", "/t?name=%EF%EE%F0%F2"},
		{"iso-8859-1", "?q=café&x=%C3%A9#é", "/d/p.html?q=caf%E9&x=%C3%A9"},
		{"iso-8859-1", "/café/?a b=“ø”", "/caf%C3%A9/?a%20b=%93%F8%94"},
		{"iso-8859-2", "t?łódź", "/d/t?%B3%F3d%BC"},
		{"shift_jis", "/t?q=港ア", "/t?q=%8D%60%83A"},
		{"euc-kr", "/t?q=항구", "/t?q=%C7%D7%B1%B8"},
		{"gbk", "/t?q=港口?口", "/t?q=%B8%DB%BF%DA?%BF%DA"},
		{"windows-1251", "/t?q=é&#38;r=&#9731;&#x1F6A2;", "/t?q=%26%23233%3B&r=%26%239731%3B%26%23128674%3B"}, // it lacks them
		{"utf-8", "/t?q=café", "/t?q=caf%C3%A9"},
		{"utf-16le", "/t?q=café", "/t?q=caf%C3%A9"},
		{"iso-8859-1", "http://café.example/?é", "http://xn--caf-dma.example/?%E9"},
	} {
		encoding, _ := charset.Lookup(c.in)
		link := `<a href="` + c.href + `">`
		body := link + strings.Replace(link, "<a", "<link rel=canonical", 1) + strings.Replace(link, "<a", "<link rel=alternate hreflang=xx", 1) +
			`<meta http-equiv=refresh content="0; ` + c.href + `">`
		body, err := encoding.NewEncoder().String("<head>" + strings.ReplaceAll(body, "é&#38;", "&#233;&#38;"))
		if err != nil {
			t.Fatal(err)
		}
		root, is, err := Parse([]byte(body), "text/html; charset="+c.in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(c.want, "http") {
			c.want = at + c.want
		}
		got := ReadLinks(&document.Page{URL: at + "/d/p.html", Root: root, Charset: is}, weburl.NewCanonicalizer(nil), "")
		if len(got.Found) != 1 || got.Found[0].URL != c.want || got.Refresh != c.want || len(got.Alternates) != 1 || got.Alternates[0] != c.want {
			t.Errorf("%s in %s: %+v", c.href, c.in, got)
		}
	}
}

func TestDeclaredCharset(t *testing.T) {
	for head, want := range map[string]string{
		"<meta charset = koi8-r >":                                             "koi8-r",
		"<meta\tcharset=\"\tkoi8-r\n\">":                                       "koi8-r",
		"<met charset=koi8-r>":                                                 "",
		"<meta charset=none><meta charset=koi8-r>":                             "koi8-r",
		"<meta charset=koi8-r charset=big5>":                                   "koi8-r",
		"<meta charset=utf-16>":                                                "utf-8",
		"<meta charset=x-user-defined>":                                        "windows-1252",
		"<meta content='text/html; charset=koi8-r'>":                           "",
		"<meta content='charset=koi8-r' http-equiv=content-type>":              "koi8-r",
		"<meta http-equiv=refresh content='charset=koi8-r'>":                   "",
		"<meta http-equiv=content-type content='charset charset=koi8-r'>":      "koi8-r",
		"<meta http-equiv=content-type content='charset=\"koi8-r'>":            "",
		"<meta http-equiv=content-type content='charset=koi8-r' charset=big5>": "big5",
		"<!-- <meta charset=big5> --><meta charset=koi8-r>":                    "koi8-r",
		"<p title='<meta charset=big5>'><meta charset=koi8-r>":                 "koi8-r",
		"<script>document.write('<meta charset=koi8-r>')</script>":             "koi8-r",
		"<?xml version='1.0' encoding='koi8-r'?>":                              "koi8-r",
		"<?xml version='1.0' encoding='koi8-r'?><meta charset=big5>":           "big5",
		"<?xml version='1.0' encoding=koi8-r?>":                                "",
		"<?xml version='1.0'?>":                                                "",
		"<\x00?\x00x\x00m\x00l\x00":                                            "utf-16le",
		"\x00<\x00?\x00x\x00m\x00l":                                            "utf-16be",
	} {
		if got := declaredCharset([]byte(head)); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}

func TestDecodeDoesNotCopyUTF8(t *testing.T) {
	for _, test := range []struct{ body, contentType string }{
		{"héllo", "text/html; charset=utf-8"}, {"héllo", ""}, {"\xEF\xBB\xBFhéllo", ""}, {"hello", ""}, {"hello", "text/html; charset=iso-8859-1"}, {"<meta charset=euc-kr>", ""},
	} {
		body := []byte(test.body)
		text, _ := decoded(body, test.contentType)
		if &text[len(text)-1] != &body[len(body)-1] {
			t.Errorf("%q as %q was copied", test.body, test.contentType)
		}
	}
}

func FuzzDecodeHTML(f *testing.F) {
	f.Add([]byte("<!-- x --><meta charset=koi8-r>\xCF"), "text/html")
	f.Add([]byte("\xFF\xFEa\x00b"), "text/html; charset=utf-16be")
	f.Add([]byte("<meta http-equiv=content-type content='charset=iso-2022-jp'>\x1B$B"), "")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		text, is := decoded(body, contentType)
		name := is.Name
		if whole, _, foreign := encodingOf(body, contentType); !utf8.Valid(text) || foreign && decodedSize(whole, name) != int64(len(text)) {
			t.Errorf("not UTF-8 from %s, or longer than it was told: %q", name, text)
		}
		if knownCharset(name) != name {
			t.Errorf("unknown name %q", name)
		}
		if mark, _ := markedCharset(body); mark == "" && utf8.Valid(body) && (name == "utf-8" || contentType == "" && utf8.RuneCount(body) < len(body)) && !bytes.Equal(text, body) {
			t.Errorf("UTF-8 was changed: %q as %s: %q", body, name, text)
		}
		if href := inCharset(name, "?"+string(text)); href != "?"+string(text) && utf8.RuneCountInString(href) < len(href) {
			t.Errorf("the query %q is %q in %s", text, href, name)
		}
	})
}

// TestUnavailableAfter: the day is read in every form that search engines take, and what
// is no day is ignored.
func TestUnavailableAfter(t *testing.T) {
	const afternoon = "2010-06-25T15:00:00Z"
	for list, want := range map[string]string{
		"unavailable_after: 25 Jun 2010 15:00:00":                      afternoon,
		"unavailable_after: 25 Jun 2010 07:00:00 PST":                  afternoon,
		"unavailable_after: 25-Jun-2010 11:00 EDT":                     afternoon,
		"unavailable_after: Friday, 25-Jun-10 15:00:00 UTC":            afternoon,
		"unavailable_after: Fri, 25 Jun 10 15:00 UT":                   afternoon,
		"unavailable_after: Fri, 25 June 2010 17:00:00 +0200":          afternoon,
		"unavailable_after: 25 Jun 2010 17:00:00 CEST":                 afternoon,
		"unavailable_after: 2010-06-25T15:00:00.000Z":                  afternoon,
		"unavailable_after: 2010-06-25T17:00:00+02:00":                 afternoon,
		"unavailable_after:2010-06-25 15:00":                           afternoon,
		"unavailable_after: June 25, 2010, 15:00":                      afternoon,
		"NoArchive,\n\tUNAVAILABLE_AFTER :  25  JUN 2010 15:00:00 utc": afternoon,
		"unavailable_after: Fri, 25 Jun 2010 15:00:00 UTC, nofollow":   afternoon,
		"unavailable_after: 25 Jun 2010, noarchive":                    "2010-06-26T00:00:00Z",
		"unavailable_after: 25 Jun 2010 25:61":                         "2010-06-26T00:00:00Z",
		"unavailable_after: 31 Feb 2010":                               "",
		"unavailable_after: 25/06/2010":                                "",
		"unavailable_after: 25. Juni 2010":                             "",
		"unavailable_after 25 Jun 2010":                                "",
		"not_unavailable_after: 25 Jun 2010":                           "",
		"25 Jun 2010 15:00:00 UTC":                                     "",
	} {
		got := ""
		if at := unavailableAfter(list); !at.IsZero() {
			got = at.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", list, got, want)
		}
	}
}

// TestUntil: the directive counts in the page and in the header, where it is for all or
// for us, beside others; the earliest day wins.
func TestUntil(t *testing.T) {
	for _, c := range []struct {
		name, body string
		headers    []string
		says       string
		noFollow   bool
	}{
		{"meta", `<meta name=robots content="unavailable_after: 2010-06-25">`, nil, "meta robots: unavailable_after: 2010-06-25", false},
		{"meta for others", `<meta name=googlebot content="unavailable_after: 2010-06-25">`, nil, "", false},
		{"a comma inside the day", `<meta name=robots content="unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow">`, nil,
			"meta robots: unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow", true},
		{"header", "", []string{"unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow"}, "X-Robots-Tag: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow", true},
		{"header for others", "", []string{"googlebot: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow"}, "", false},
		{"the earliest", `<meta name=robots content="unavailable_after: 2012-01-01">`, []string{"unavailable_after: 2011-01-01", "unavailable_after: 2013-01-01"},
			"X-Robots-Tag: unavailable_after: 2011-01-01", false},
	} {
		got := readLinksOf(t, c.body, http.Header{"X-Robots-Tag": c.headers})
		if got.UntilSays != c.says || got.Until.IsZero() != (c.says == "") || got.NoIndex != "" || (got.NoFollow != "") != c.noFollow {
			t.Errorf("%s: %s %q, nofollow %q", c.name, got.Until, got.UntilSays, got.NoFollow)
		}
	}
	if got := readLinksOf(t, "", http.Header{"X-Robots-Tag": {"noindex"}}); !got.Unhinted {
		t.Error("a noindex of the header alone is not told")
	}
	if got := readLinksOf(t, "<meta name=robots content=noindex>", http.Header{"X-Robots-Tag": {"noindex"}}); got.Unhinted {
		t.Error("the page forbids it as well")
	}
}

// FuzzUnavailableAfter: whatever stands there is a moment that the calendar has, or none.
func FuzzUnavailableAfter(f *testing.F) {
	f.Add("unavailable_after: Friday, 25-Jun-10 15:00:00 PST")
	f.Add("noindex, unavailable_after: 2010-06-25T15:00:00+02:00")
	f.Fuzz(func(t *testing.T, list string) {
		if at := unavailableAfter(list); !at.IsZero() && (at.Year() < -1 || at.Year() > 10_000) {
			t.Errorf("%q: %s", list, at)
		}
	})
}

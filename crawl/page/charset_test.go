package page

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

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
		{strings.Repeat("ä", 5000) + "\xE9", "", "windows-1252", strings.Repeat("Ã¤", 5000) + "é"},
		// Then a declaration.
		{"<META CHARSET='ISO-8859-2'/>\xB1", "text/html", "iso-8859-2", "<META CHARSET='ISO-8859-2'/>ą"},
		{"<meta http-equiv=Content-Type content=\"text/html; charset=euc-jp\">\xA4\xA2", "", "euc-jp", "<meta http-equiv=Content-Type content=\"text/html; charset=euc-jp\">あ"},
		{"<?xml version=\"1.0\" encoding=\"windows-1251\"?>\xCF", "", "windows-1251", "<?xml version=\"1.0\" encoding=\"windows-1251\"?>П"},
		{"<meta charset=utf-8>\xE9", "", "utf-8", "<meta charset=utf-8>\uFFFD"},
		{pad(2000) + "<meta charset=iso-8859-2>\xB1", "", "iso-8859-2", pad(2000) + "<meta charset=iso-8859-2>ą"},
		{pad(5000) + "<meta charset=iso-8859-2>\xB1", "", "windows-1252", pad(5000) + "<meta charset=iso-8859-2>±"},
		// Then windows-1252.
		{"plain", "", "windows-1252", "plain"},
		{"", "text/html; charset=utf-16", "utf-16le", ""},
	} {
		text, name := Decode([]byte(test.body), test.contentType)
		if name != test.name || string(text) != test.text {
			t.Errorf("%.60q as %q: %s %.60q, want %s %.60q", test.body, test.contentType, name, text, test.name, test.text)
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
		text, _ := Decode(body, test.contentType)
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
		text, name := Decode(body, contentType)
		if !utf8.Valid(text) {
			t.Errorf("not UTF-8 from %s: %q", name, text)
		}
		if knownCharset(name) != name {
			t.Errorf("unknown name %q", name)
		}
		if mark, _ := markedCharset(body); mark == "" && utf8.Valid(body) && (name == "utf-8" || contentType == "" && !isASCII(body)) && !bytes.Equal(text, body) {
			t.Errorf("UTF-8 was changed: %q as %s: %q", body, name, text)
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
	if got := readLinksOf(t, "", http.Header{"X-Robots-Tag": {"noindex"}}); !got.ByHeader {
		t.Error("a noindex of the header alone is not told")
	}
	if got := readLinksOf(t, "<meta name=robots content=noindex>", http.Header{"X-Robots-Tag": {"noindex"}}); got.ByHeader {
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

package sitemap

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

const day2024 = 1704067200 // 2024-01-01

// sitemapLine writes an entry as the tables below spell it.
func sitemapLine(e Entry) string {
	s := e.Loc
	if e.Lastmod != 0 {
		s += " " + time.Unix(e.Lastmod, 0).UTC().Format("2006-01-02T15:04:05")
	}
	if e.Sitemap {
		s += " sitemap"
	}
	if e.Alternate {
		s += " alternate"
	}
	return s
}

func readSitemapLines(r io.Reader) (kind Kind, lines []string, err error) {
	kind, err = Read(r, func(e Entry) bool {
		lines = append(lines, sitemapLine(e))
		return true
	})
	return kind, lines, err
}

func sitemapSet(entries string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + entries + `</urlset>`
}

func TestReadSitemap(t *testing.T) {
	cases := []struct {
		name, body string
		kind       Kind
		want       string // entries, separated by ";"
		err        string
	}{
		{"urlset", sitemapSet("<url><loc>https://a.example/</loc><lastmod>2024-01-01</lastmod><priority>0.5</priority></url>\n<url><loc>https://a.example/b</loc></url>"),
			kindURLSet, "https://a.example/ 2024-01-01T00:00:00;https://a.example/b", ""},
		{"empty root", `<urlset/>`, kindURLSet, "", ""},
		{"byte order mark", "\uFEFF" + sitemapSet("<url><loc>https://a.example/ø</loc></url>"), kindURLSet, "https://a.example/ø", ""},
		{"prefix", `<sm:urlset xmlns:sm="x"><sm:url><sm:loc>https://a.example/</sm:loc><sm:lastmod>2024</sm:lastmod></sm:url></sm:urlset>`, kindURLSet, "https://a.example/ 2024-01-01T00:00:00", ""},
		{"entities", sitemapSet("<url><loc>https://a.example/?a=1&amp;b=&lt;&gt;&quot;&apos;&#x26;&#38;&#xF8;&amp;amp;</loc></url>"), kindURLSet, `https://a.example/?a=1&b=<>"'&&ø&amp;`, ""},
		{"bare ampersand", sitemapSet("<url><loc>https://a.example/?a=1&b=2&c;&#x;&#;&#99999999;&</loc></url>"), kindURLSet, "https://a.example/?a=1&b=2&c;&#x;&#;&#99999999;&", ""},
		{"CDATA in pieces", sitemapSet("<url><loc>https://<![CDATA[a]]>.example<![CDATA[/>]]]]><![CDATA[>]]>&amp;</loc></url>"), kindURLSet, "https://a.example/>]]>&", ""},
		{"comments", "<!-- <urlset> -->" + sitemapSet("<!-- a > b --><url><!----><loc>https://<!-- x -->a.example/</loc><!-- <loc>https://no.example/</loc> --></url>"), kindURLSet, "https://a.example/", ""},
		{"doctype", "<!DOCTYPE urlset [\n<!ENTITY x \"https://no.example/\">\n]>" + sitemapSet("<url><loc>https://a.example/&x;</loc></url>"), kindURLSet, "https://a.example/&x;", ""},
		{"quoted greater-than", `<urlset a="1>2" b='"'><url x="'>'"><x a='">"' b=">"/><loc>https://a.example/</loc></url></urlset>`, kindURLSet, "https://a.example/", ""},
		{"images first", sitemapSet(`<url><image:loc>https://a.example/j.png</image:loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image><loc>https://a.example/</loc></url>`), kindURLSet, "https://a.example/", ""},
		{"images with their own namespace", sitemapSet(`<url><image xmlns="i"><loc>https://a.example/i.png</loc></image><loc>https://a.example/</loc></url>`), kindURLSet, "https://a.example/", ""},
		{"alternates", sitemapSet(`<url><loc>https://a.example/</loc><xhtml:link rel="alternate" hreflang="en" href="https://a.example/en?a=1&amp;b" /><xhtml:link href='https://a.example/' rel='alternate'/><xhtml:link rel="canonical" href="https://a.example/c"/><lastmod>2024-01-01</lastmod></url>`),
			kindURLSet, "https://a.example/en?a=1&b alternate;https://a.example/ 2024-01-01T00:00:00", ""},
		{"windows-1250", "\n<?xml version=\"1.0\" standalone='yes'  encoding = \"windows-1250\" ?><urlset><url><loc>https://a.example/\xF8</loc></url></urlset>", kindURLSet, "https://a.example/ř", ""},
		{"ASCII, declared UTF-16", "<?xml version='1.0' encoding='UTF-16'?><urlset><url><loc>https://a.example/</loc></url></urlset>", kindURLSet, "https://a.example/", ""},
		{"UTF-8 with a mark, declared Latin-1", "\uFEFF<?xml version='1.0' encoding='ISO-8859-1'?><urlset><url><loc>https://a.example/ø</loc></url></urlset>", kindURLSet, "https://a.example/ø", ""},
		{"Latin-1, declared UTF-8", sitemapSet("<url><loc>https://a.example/\xF8</loc></url><url><loc>https://a.example/b</loc></url>"), kindURLSet, "https://a.example/b", "an address is not text in the encoding of the file"},
		{"damaged Shift_JIS", "<?xml version='1.0' encoding='shift_jis'?><urlset><url><loc>https://a.example/\x83\xFF</loc></url></urlset>", kindURLSet, "", "an address is not text in the encoding of the file"},
		{"an unknown encoding", "<?xml version='1.0' encoding='EBCDIC-INT'?><urlset><url><loc>https://a.example/</loc></url></urlset>", "", "", `it is in the encoding "EBCDIC-INT", which is not known; write it in UTF-8`},
		{"an encoding that browsers refuse", "<?xml version='1.0' encoding='ISO-2022-KR'?><urlset><url><loc>https://a.example/</loc></url></urlset>", "", "", `it is in the encoding "ISO-2022-KR"`},
		{"index", `<sitemapindex><sitemap><loc>https://a.example/1.xml</loc><lastmod>2024-01-01</lastmod></sitemap><sitemap><loc>/2.xml.gz</loc></sitemap></sitemapindex>`,
			kindIndex, "https://a.example/1.xml 2024-01-01T00:00:00 sitemap;/2.xml.gz sitemap", ""},
		{"rss", `<rss version="2.0"><channel><link>https://a.example/</link><atom:link href="https://a.example/feed" rel="self"/><image><url>https://a.example/i.png</url><link>https://a.example/x</link></image><item><title>x</title><link>https://a.example/1</link><pubDate>Mon, 01 Jan 2024 01:00:00 +0100</pubDate></item><item><guid>1</guid></item><item><link><![CDATA[https://a.example/2]]></link></item></channel></rss>`,
			kindRSS, "https://a.example/1 2024-01-01T00:00:00;https://a.example/2", ""},
		{"rss 1.0", `<rdf:RDF xmlns:rdf="r"><channel><link>https://a.example/</link></channel><item rdf:about="x"><link>https://a.example/1</link><dc:date>2024-01-01T00:00Z</dc:date></item></rdf:RDF>`,
			kindRSS, "https://a.example/1 2024-01-01T00:00:00", ""},
		{"atom", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://a.example/"/><updated>2020-01-01</updated><entry><link rel="self" href="https://a.example/1.atom"/><link href="https://a.example/1?a&amp;b"/><link rel="alternate" type="text/html" hreflang="de" href="https://a.example/1.de"/><link rel="alternate" type="application/pdf" href="https://a.example/1.pdf"/><published>2019-01-01</published><updated>2024-01-01T00:00:00Z</updated></entry><entry/></feed>`,
			kindAtom, "https://a.example/1.de alternate;https://a.example/1?a&b 2024-01-01T00:00:00", ""},
		{"text", "https://a.example/\r\nHTTP://a.example/b\n\n# more\n  https://a.example/c d  ", kindText, "https://a.example/;HTTP://a.example/b;https://a.example/c d", ""},
		{"text with a bad line", "https://a.example/\nnonsense\nhttps://a.example/b", kindText, "https://a.example/;https://a.example/b", `at byte 19: "nonsense" is no address`},
		{"text with a long line", "https://a.example/\n" + strings.Repeat("x", maxText+1), kindText, "https://a.example/", "it breaks off at byte 19: "},

		// what is no sitemap
		{"page", "<!DOCTYPE html>\n<html><head>", "", "", "it is an HTML page, not a sitemap"},
		{"other XML", "<?xml version='1.0'?><svg/>", "", "", "it begins with <svg>, which no kind of sitemap does"},
		{"words", "Not found", "", "", "it is neither XML nor a list of addresses"},
		{"bytes", strings.Repeat("\x00\xff", 20000), "", "", "it is neither XML nor a list of addresses"},
		{"empty", "", "", "", "it is empty, not a sitemap"},

		// cut and malformed
		{"cut in text", "<urlset><url><loc>https://a.example/</loc></url><url><loc>https://a.exa", kindURLSet, "https://a.example/", "it breaks off at byte 71: "},
		{"cut after an address", "<urlset><url><loc>https://a.example/</loc><lastm", kindURLSet, "https://a.example/", "it breaks off at byte 48: "},
		{"end missing", "<urlset><url><loc>https://a.example/</url><url><loc>https://a.example/b</loc></url></urlset>", kindURLSet, "https://a.example/;https://a.example/b", "at byte 36: </url> stands where another element is still open"},
		{"entry without end", "<urlset><url><loc>https://a.example/</loc><url><loc>https://a.example/b</loc></url></urlset>", kindURLSet, "https://a.example/;https://a.example/b", "at byte 42: the <url> before has no end"},
		{"end without beginning", "<urlset></x><url><loc>https://a.example/</loc></url></urlset>", kindURLSet, "https://a.example/", "at byte 8: </x> ends what did not begin"},
		{"no address", "<urlset><url></url><url><loc> </loc></url><url><loc>https://a.example/</loc></url></urlset>", kindURLSet, "https://a.example/", "at byte 19: the <url> that ends here holds no address"},
		{"two faults", "<urlset></x><url><loc>https://a.example/</loc></url>", kindURLSet, "https://a.example/", "at byte 8: </x> ends what did not begin, and it breaks off at byte 52: "},
		{"long address", sitemapSet("<url><loc>https://a.example/" + strings.Repeat("x", maxText) + "</loc></url><url><loc>https://a.example/b</loc></url>"), kindURLSet, "https://a.example/b", "a value is longer than 8192 bytes"},
		{"long tag", `<urlset a="` + strings.Repeat("x>", bufferSize) + `"><url><loc>https://a.example/b</loc></url></urlset>`, kindURLSet, "https://a.example/b", ""},
		{"long comment", `<urlset><!--` + strings.Repeat("x> -", bufferSize/2) + `--><url><loc>https://a.example/b</loc></url></urlset>`, kindURLSet, "https://a.example/b", ""},
		{"long blanks", `<urlset>` + strings.Repeat(" ", 2*bufferSize) + `<url><loc>https://a.example/b</loc></url></urlset>`, kindURLSet, "https://a.example/b", ""},
		{"deep", "<urlset>" + strings.Repeat("<a>", 1000), kindURLSet, "", "elements nest more than 64 deep"},
	}
	for _, c := range cases {
		for _, reader := range []io.Reader{strings.NewReader(c.body), iotest.OneByteReader(strings.NewReader(c.body)), gzipSitemap(t, c.body)} {
			kind, lines, err := readSitemapLines(reader)
			if kind != c.kind || strings.Join(lines, ";") != c.want {
				t.Errorf("%s: %q, %.300q; want %q, %q", c.name, kind, lines, c.kind, c.want)
			}
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("%s: error %v; want %q", c.name, err, c.err)
			}
			if c.body == "" {
				break // an empty gzip member is no empty file
			}
		}
	}
}

func gzipSitemap(t testing.TB, body string) io.Reader {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &packed
}

func TestReadSitemapUTF16(t *testing.T) {
	body := sitemapSet("<url><loc>https://a.example/ø</loc></url>")
	for _, mark := range []string{"\uFEFF", ""} {
		for _, big := range []bool{true, false} {
			var b bytes.Buffer
			for _, unit := range utf16.Encode([]rune(mark + body)) {
				if big {
					b.Write([]byte{byte(unit >> 8), byte(unit)})
				} else {
					b.Write([]byte{byte(unit), byte(unit >> 8)})
				}
			}
			if kind, lines, err := readSitemapLines(&b); kind != kindURLSet || strings.Join(lines, ";") != "https://a.example/ø" || err != nil {
				t.Errorf("mark %q, big endian %v: %q, %q, %v", mark, big, kind, lines, err)
			}
		}
	}
}

func TestReadSitemapBroken(t *testing.T) {
	broken := errors.New("connection reset")
	head := "<urlset><url><loc>https://a.example/</loc></url>"
	_, lines, err := readSitemapLines(io.MultiReader(strings.NewReader(head), iotest.ErrReader(broken)))
	if len(lines) != 1 || !errors.Is(err, broken) || !strings.Contains(err.Error(), "byte 48") {
		t.Errorf("after a reset: %q, %v", lines, err)
	}
	packed, _ := io.ReadAll(gzipSitemap(t, sitemapSet(strings.Repeat(sitemapBenchEntry(7), 2000))))
	_, lines, err = readSitemapLines(bytes.NewReader(packed[:len(packed)-20]))
	if len(lines) == 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut gzip: %d entries, %v", len(lines), err)
	}
	if _, _, err = readSitemapLines(strings.NewReader("\x1f\x8bnonsense")); err == nil || !strings.Contains(err.Error(), "byte 0") {
		t.Errorf("no gzip: %v", err)
	}
}

func TestReadSitemapStops(t *testing.T) {
	body := sitemapSet(strings.Repeat(sitemapBenchEntry(1), 5))
	for _, body := range []string{body, "https://a.example/\nhttps://a.example/b\nhttps://a.example/c\n"} {
		n := 0
		_, err := Read(strings.NewReader(body), func(Entry) bool { n++; return n < 2 })
		if n != 2 || err != nil {
			t.Errorf("yielded %d, %v; want 2 and no error", n, err)
		}
	}
}

func TestReadSitemapLimits(t *testing.T) {
	entry := "<url><loc>https://a.example/</loc></url>"
	head, end, comment := "<urlset>"+entry, "</urlset>", "<!--"+strings.Repeat(" ", 1<<20)+"-->"
	room := MaxBytes - len(head) - len(end)
	fill := strings.Repeat(comment, room/len(comment)) + strings.Repeat(" ", room%len(comment))
	cases := []struct {
		name string
		body []string
		want int
		err  string
	}{
		{"as many addresses as allowed", []string{sitemapSet(strings.Repeat(entry, MaxURLs))}, MaxURLs, ""},
		{"one more", []string{sitemapSet(strings.Repeat(entry, MaxURLs+1))}, MaxURLs, "more than 50000 addresses"},
		{"alternates don't count", []string{"<urlset>", alternates(1000), alternates(1000), strings.Repeat(alternates(10), 10_000), "</urlset>"}, 112_002, ""},
		{"one line more", []string{strings.Repeat("https://a.example/\n", MaxURLs+1)}, MaxURLs, "more than 50000 addresses"},
		{"as many bytes as allowed", []string{head, fill, end}, 1, ""},
		{"one byte more", []string{head, fill, " ", end}, 1, "over 50 MiB"},
		{"a comment without end", []string{head, "<!--", strings.Repeat(" ", maxToken), "-->", end}, 1, "a comment or a text of over 8 MiB"},
	}
	for _, c := range cases {
		var parts []io.Reader
		for _, part := range c.body {
			parts = append(parts, strings.NewReader(part))
		}
		_, lines, err := readSitemapLines(io.MultiReader(parts...))
		if len(lines) != c.want || c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %d entries, %v; want %d, %q", c.name, len(lines), err, c.want, c.err)
		}
	}
}

// alternates is a page with so many translations.
func alternates(n int) string {
	var b strings.Builder
	b.WriteString("<url><loc>https://a.example/</loc>")
	for i := range n {
		fmt.Fprintf(&b, `<xhtml:link rel="alternate" href="https://a.example/%d"/>`, i)
	}
	return b.String() + "</url>"
}

// TestReadSitemapBomb: the limit counts what comes out of gzip, here members of
// 1 MiB.
func TestReadSitemapBomb(t *testing.T) {
	member, err := io.ReadAll(gzipSitemap(t, "<!--"+strings.Repeat(" ", 1<<20)+"-->"))
	if err != nil {
		t.Fatal(err)
	}
	start := gzipSitemap(t, "<urlset><url><loc>https://a.example/</loc></url>")
	bomb := bytes.NewReader(bytes.Repeat(member, 1000))
	_, lines, err := readSitemapLines(io.MultiReader(start, bomb))
	if len(lines) != 1 || err == nil || !strings.Contains(err.Error(), "over 50 MiB") {
		t.Errorf("%d entries, %v", len(lines), err)
	}
	if left := bomb.Len() / len(member); left < 900 {
		t.Errorf("read on to %d members before the end", left)
	}
}

func TestSitemapDate(t *testing.T) {
	cases := map[string]int64{
		"2024":                          day2024,
		"2024-01-01":                    day2024,
		"2024-01-01T00:00:00Z":          day2024,
		"2024-01-01t00:00:00":           day2024,
		"2024-01-01 00:00:00":           day2024,
		"2024-01-01T01:00:00+01:00":     day2024,
		"2024-01-01T01:00:00.5+0100":    day2024,
		"2023-12-31T18:30-05:30":        day2024,
		"2023-02-29":                    0,
		"2024-13-01":                    0,
		"2024-01-01T24:00Z":             0,
		"2024-01-01T00:00+1":            0,
		"2024-1-1":                      0,
		"1969-01-01":                    0,
		"":                              0,
		"yesterday":                     0,
		"Mon, 01 Jan 2024 00:00:00 GMT": day2024,
		"Mon, 01 Jan 24 00:00:00 +0000": day2024,
		"01 Jan 2024 00:00 +0000":       day2024,
	}
	for text, want := range cases {
		if got := parseDate(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func FuzzSitemap(f *testing.F) {
	f.Add([]byte(sitemapSet(`<url><loc><![CDATA[https://a.example/]]>&amp;</loc><lastmod>2024-01-01T00:00Z</lastmod><xhtml:link rel="alternate" href="x>"/><!-- > --></url>`)))
	f.Add([]byte("<rss><channel><item><link>a</link><pubDate>Mon, 01 Jan 24 00:00 EST</pubDate></item></channel></rss>"))
	f.Add([]byte("<!DOCTYPE x [<!ENTITY a '>'>]><feed><entry><link href='a'/><updated>2024</updated></entry>"))
	f.Add([]byte("\xFF\xFE<\x00u\x00"))
	f.Add([]byte("https://a.example/\r# x\nb"))
	f.Add([]byte("<?xml version='1.0' encoding='shift_jis'?><urlset><url><loc>https://a.example/\x83\x5C</loc></url></urlset>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		kind, lines, err := readSitemapLines(bytes.NewReader(body))
		if kind == "" && (err == nil || len(lines) > 0) {
			t.Fatalf("no sitemap, yet %q, %v", lines, err)
		}
		if !utf8.ValidString(strings.Join(lines, "")) {
			t.Fatalf("addresses that are no text: %q", lines)
		}
		kind2, lines2, err2 := readSitemapLines(iotest.OneByteReader(bytes.NewReader(body)))
		if kind2 != kind || strings.Join(lines2, "\n") != strings.Join(lines, "\n") || fmt.Sprint(err2) != fmt.Sprint(err) {
			t.Fatalf("read byte by byte: %q, %q, %v; at once: %q, %q, %v", kind2, lines2, err2, kind, lines, err)
		}
	})
}

func sitemapBenchEntry(i int) string {
	return fmt.Sprintf("  <url>\n    <loc>https://www.example.com/departments/culture/libraries/page-%d?a=1&amp;b=2</loc>\n    <lastmod>2024-05-%02dT10:20:30+02:00</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.5</priority>\n  </url>\n", i, i%28+1)
}

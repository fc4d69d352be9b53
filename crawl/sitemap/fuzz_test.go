package sitemap

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

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

package extract

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// BenchmarkRead tells what fields, content, block hashes and content hash of a page cost,
// beside the cost of parsing it: of 47 KB and of 3 MB.
func BenchmarkRead(b *testing.B) {
	page := string(readFile(b, "testdata/corpus/elementor-surveys.html"))
	for size, source := range map[string]string{"small": page, "large": strings.Repeat(page, 60)} {
		b.Run("parse/"+size, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := html.Parse(strings.NewReader(source)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("read/"+size, func(b *testing.B) {
			e, p := newExtractor(b, Options{}), htmlPage(b, testURL, source)
			b.ReportAllocs()
			for b.Loop() {
				d, err := e.Read(p)
				if err != nil {
					b.Fatal(err)
				}
				e.Sum(p, d)
			}
		})
	}
}

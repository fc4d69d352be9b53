package pdf

import (
	"flag"
	"strings"
	"testing"

	"sitesync/internal/testsite"
)

// BenchmarkRead reads a report of 100 pages with 40 lines each.
func BenchmarkRead(b *testing.B) {
	const pages = 100
	text := strings.Repeat("The plan of the town was made for all who live in it, and for those who see it.\n", 40)
	body := []byte(testsite.PDF("Report", strings.Split(strings.Repeat(text+"\x00", pages-1)+text, "\x00")...))
	r := newReader(b)
	if _, err := r.Read(body); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs() // of the parent
	for b.Loop() {
		if _, err := r.Read(body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/pages, "ms/page")
}

// BenchmarkStart starts a child for a small file, with compiled code at hand and
// without.
func BenchmarkStart(b *testing.B) {
	for _, cached := range []bool{true, false} {
		name := map[bool]string{true: "cached", false: "compiled"}[cached]
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if !cached {
					b.Setenv("XDG_CACHE_HOME", b.TempDir())
				}
				r := newReader(b)
				if _, err := r.Read(good); err != nil {
					b.Fatal(err)
				}
				r.Close()
			}
		})
	}
}

var files = flag.String("files", "testdata/minutes.pdf", "files whose text BenchmarkWordF1 holds against pdftotext's")

// BenchmarkWordF1 reports how much of the words that pdftotext finds is found.
func BenchmarkWordF1(b *testing.B) {
	r := newReader(b)
	for b.Loop() {
		testsite.ReportWordF1(b, *files, func(name string) string {
			file, err := r.Read(load(b, name))
			if err != nil {
				b.Errorf("%s: %v", name, err)
			}
			return strings.Join(file.Blocks, "\n")
		}, "pdftotext", "FILE", "-")
	}
}

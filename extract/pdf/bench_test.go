package pdf

import (
	"flag"
	"strings"
	"testing"

	"sitesync/internal/testsite"
)

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

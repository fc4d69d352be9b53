package office

import (
	"flag"
	"os"
	"strings"
	"testing"

	"sitesync/internal/testsite"
)

var files = flag.String("files", "testdata/minutes.docx", "files whose text BenchmarkWordF1 holds against Pandoc's")

// BenchmarkWordF1 reports how much of the words that Pandoc finds is found.
func BenchmarkWordF1(b *testing.B) {
	for b.Loop() {
		testsite.ReportWordF1(b, *files, func(name string) string {
			body, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			file, err := Read(body)
			if err != nil {
				b.Errorf("%s: %v", name, err)
			}
			return strings.Join(file.Blocks, "\n")
		}, "pandoc", "-t", "plain", "--wrap=none", "FILE")
	}
}

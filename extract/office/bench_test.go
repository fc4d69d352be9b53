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

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"minutes.docx", "minutes.odt", "slides.pptx"} {
		b.Run(name, func(b *testing.B) {
			body, err := os.ReadFile("testdata/" + name)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := Read(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("long.docx", func(b *testing.B) { // about 600 pages
		body := docx(b, strings.Repeat(para(run(strings.Repeat("some words ", 10))), 20_000))
		for b.Loop() {
			if _, err := Read(body); err != nil {
				b.Fatal(err)
			}
		}
	})
}

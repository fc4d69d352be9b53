// Command gen writes the two binary files of the sample site: a PDF and a DOCX.
// The same source gives the same text, titles and dates each time.
//
//	go run ./testdata/gen          (from the top of the repository)
//	go run ./testdata/gen -out DIR
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("out", "testdata/site/files", "folder to write into")
	flag.Parse()
	if err := generate(*out); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// generate writes both files into the folder, which is made when it isn't there.
func generate(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make the output folder: %w", err)
	}
	docx, err := writeDOCX(daycareForm())
	if err != nil {
		return fmt.Errorf("build the DOCX: %w", err)
	}
	files := []struct {
		name string
		body []byte
	}{
		{"building-permit-guide.pdf", writePDF(permitGuide())},
		{"daycare-application.docx", docx},
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.name), f.body, 0o644); err != nil {
			return fmt.Errorf("write the file: %w", err)
		}
	}
	return nil
}

package extract

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"sitesync/internal/document"
)

// Pages labelled by others are read from where they lie; none is part of the project.
var (
	pagesDir = flag.String("pages", "", "measure the pages of this folder: manifest.jsonl (id, kind, url, file), gold.json (id: body, the main text)")
	pagesOut = flag.String("pages.out", "", "with -pages: write the text of each page to this file, as JSON lines of id and text")
)

// TestPages logs how the extractor does on the pages that -pages names, by kind, and what
// reading costs beside parsing.
func TestPages(t *testing.T) {
	if *pagesDir == "" {
		t.Skip("-pages names no folder")
	}
	var gold map[string]struct{ Body string }
	if err := json.Unmarshal(readFile(t, filepath.Join(*pagesDir, "gold.json")), &gold); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var parsing, reading time.Duration
	e, groups := newExtractor(t, Options{}), map[string][]score{}
	lines := bufio.NewScanner(bytes.NewReader(readFile(t, filepath.Join(*pagesDir, "manifest.jsonl"))))
	for lines.Scan() {
		var page struct{ ID, Kind, URL, File string }
		if err := json.Unmarshal(lines.Bytes(), &page); err != nil {
			t.Fatal(err)
		}
		body, err := os.Open(filepath.Join(*pagesDir, page.File))
		if err != nil {
			t.Fatal(err)
		}
		text, err := charset.NewReader(body, "text/html")
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		root, err := html.Parse(text)
		parsed := time.Now()
		body.Close()
		if err != nil {
			t.Fatal(err)
		}
		d, err := e.Read(&document.Page{URL: page.URL, Media: "text/html", Root: root})
		if err != nil {
			t.Log(page.ID, err)
		}
		fields := e.Finish(d, page.URL, document.Profile{}).Fields
		parsing, reading = parsing+parsed.Sub(begun), reading+time.Since(parsed)
		l := labelled{want: []string{gold[page.ID].Body}}
		s := l.judge(fields)
		for _, name := range []string{"all", "kind " + page.Kind, cmp.Or(map[string]string{"article": "articles"}[page.Kind], "not articles")} {
			groups[name] = append(groups[name], s)
		}
		if err := json.NewEncoder(&out).Encode(map[string]any{"id": page.ID, "text": fields["Content"], "cpu_us": 0, "allocs": 0, "alloc_bytes": 0}); err != nil {
			t.Fatal(err)
		}
	}
	t.Log(table(groups))
	t.Logf("parsing %v, reading %v: %.2f", parsing, reading, float64(reading)/float64(max(parsing, 1)))
	if *pagesOut != "" {
		if err := os.WriteFile(*pagesOut, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

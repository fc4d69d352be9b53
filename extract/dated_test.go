package extract

import (
	"bufio"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/crawl/page"
	"sitesync/internal/document"
)

var (
	datedPages = flag.String("dates", "", "with -v: score dates and titles on a folder with pages.tsv: file, URL, date as YYYY-MM-DD, title; an empty title is not judged")
	showWrong  = flag.String("wrong", "", "with -dates: list the pages whose date or title, as named, is not the label's")
)

// TestDatedPages prints how many dates and titles come out right on a set of pages that
// stands outside of the project. A wrong date counts against precision and recall.
func TestDatedPages(t *testing.T) {
	if *datedPages == "" {
		t.Skip("no -dates")
	}
	list, err := os.Open(filepath.Join(*datedPages, "pages.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	e := newExtractor(t, Options{})
	var right, given, dated, invented, titled, exact, near float64
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) != 4 {
			t.Fatalf("not four cells: %q", lines.Text())
		}
		doc, trace := readListed(t, e, cells[0], cells[1])
		date, title := strings.ReplaceAll(doc.Fields["Date"], "/", "-"), doc.Fields["Title"]
		right += oneIf(date != "" && date == cells[2])
		given += oneIf(date != "")
		dated += oneIf(cells[2] != "")
		invented += oneIf(date != "" && cells[2] == "")
		got, want := strings.Join(wordsOf(title), " "), strings.Join(wordsOf(cells[3]), " ")
		titled += oneIf(want != "")
		exact += oneIf(want != "" && got == want)
		near += oneIf(want != "" && got != "" && (strings.Contains(got, want) || strings.Contains(want, got)))
		switch {
		case *showWrong == "date" && date != cells[2]:
			t.Logf("%s %s\n got %q by %s, want %q", cells[0], cells[1], date, winner(trace, "Date"), cells[2])
		case *showWrong == "title" && got != want && want != "":
			t.Logf("%s %s\n got  %q by %s\n want %q", cells[0], cells[1], title, winner(trace, "Title"), cells[3])
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	p, r := right/max(given, 1), right/max(dated, 1)
	t.Logf("dates: %.0f pages with one: precision %.3f, recall %.3f, F1 %.3f; %.0f wrong, %.0f where there is none", dated, p, r, harmonic(p, r), given-right-invented, invented)
	t.Logf("titles: %.0f: exact %.3f, near %.3f", titled, exact/max(titled, 1), near/max(titled, 1))
}

// readListed reads a page of a listed set, and what each source gave.
func readListed(t *testing.T, e *Extractor, file, url string) (document.Document, []Attempt) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(*datedPages, file)
	}
	body, _ := page.Decode(readFile(t, file), "text/html")
	d, trace, err := e.Explain(htmlPage(t, url, string(body)), nil)
	if err != nil {
		t.Logf("%s: %v", file, err)
	}
	return e.Finish(d, url, nil), trace
}

func winner(trace []Attempt, field string) string {
	for _, a := range trace {
		if a.Won && a.Field == field {
			return a.Source
		}
	}
	return "none"
}

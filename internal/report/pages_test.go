package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sitesync/internal/document"
	sites "sitesync/internal/report/site"
)

// hostileSite is a site whose words are not to be trusted.
func hostileSite() *sites.Site {
	s := &sites.Site{Run: "01JGFJJZ00000000000000TEST", Start: time.Date(2026, 11, 22, 2, 15, 0, 0, time.Local).Unix()}
	s.Pages = []sites.Page{
		{URL: "https://www.example.com/", Status: sites.Indexed, Indexed: true, HTTP: 200, Title: "Home \x1b[31mred\u202e", Type: document.PageContent, LinksIn: 3, Read: s.Start, Changed: s.Start - 86400},
		{URL: "https://www.example.com/=1+1", Status: sites.Missing, HTTP: 404, From: "https://www.example.com/", Title: "=HYPERLINK(\"x\")"},
		{URL: "https://www.example.com/f.pdf", Status: sites.Held, Indexed: true, Type: document.FileContent, Title: "日本 🦊 \"quoted\"\nnext line"},
	}
	for range 22 {
		s.Faults = append(s.Faults, sites.Fault{Kind: sites.BrokenLink, URL: "https://www.example.com/=1+1", Title: "=cmd", Text: "is not there (404); 27 pages link to it", Pages: []string{"https://www.example.com/", "https://www.example.com/a", "https://www.example.com/b", "https://www.example.com/c"}, More: 23})
	}
	s.Faults[0].New = true
	s.Faults = append(s.Faults, sites.Fault{Kind: sites.SameTitle, URL: "https://www.example.com/", Text: "2 pages share the title \"\x1b]0;x\a\"", Pages: []string{"https://www.example.com/", "https://www.example.com/d"}})
	s.Counts = []sites.Count{{Kind: sites.BrokenLink, Faults: 22, New: 1}, {Kind: sites.SameTitle, Faults: 1}}
	return s
}

// TestSiteGolden: the faults of a site and its URLs as a person sees them, whatever the site
// says. -update writes the golden files.
func TestSiteGolden(t *testing.T) {
	s := hostileSite()
	for name, write := range map[string]func(*bytes.Buffer) error{
		"site.txt":  func(b *bytes.Buffer) error { return SiteText(b, s, false) },
		"site.csv":  func(b *bytes.Buffer) error { return SiteCSV(b, &sites.Site{Faults: s.Faults[21:]}) },
		"pages.txt": func(b *bytes.Buffer) error { return PagesText(b, Each(s.Pages)) },
	} {
		var got bytes.Buffer
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		got = *bytes.NewBuffer(bytes.Replace(got.Bytes(), []byte(Style), nil, 1))
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: got\n%s\nwant\n%s(%v)", name, got.Bytes(), want, err)
		}
	}
	var faults, urls, table bytes.Buffer
	err := errors.Join(SiteJSON(&faults, s), PagesJSON(&urls, Each(s.Pages)))
	if err != nil || !json.Valid(faults.Bytes()) || !json.Valid(urls.Bytes()) || bytes.ContainsAny(append(faults.Bytes(), urls.Bytes()...), "\x1b\a\u202e") {
		t.Errorf("JSON: %v\n%s\n%s", err, faults.Bytes(), urls.Bytes())
	}
	if err := PagesCSV(&table, Each(s.Pages)); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&table).ReadAll()
	if err != nil || len(lines) != 4 || lines[2][5] != "'=HYPERLINK(\"x\")" || len(lines[3]) != len(lines[0]) {
		t.Errorf("CSV: %v\n%q", err, lines)
	}
}

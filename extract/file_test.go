package extract

import (
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
)

func day(year, month, day int) time.Time {
	return time.Date(year, time.Month(month), day, 23, 30, 0, 0, time.UTC)
}

func TestFileDrafts(t *testing.T) {
	const url = "https://www.example.com/2024/03/01/plan-2026.pdf"
	text := []string{"Plan of the town", "The plan was made for all who live in the town, and for those who come.", " \u00ad\x00 ", "Fish \n and\tsoup"}
	content := "Plan of the town\n" + text[1] + "\nFish and soup"
	table := []struct {
		name string
		file document.File
		want map[string]string
		warn []string
	}{
		{"metadata first", document.File{Blocks: text, Title: " Town plan ", Language: "da-DK", Created: day(2026, 1, 31), Modified: day(2026, 5, 1)},
			map[string]string{"Title": "Town plan", "Content": content, "Description": text[1], "Language": "da", "Date": "2026/02/01"}, nil},
		{"changed alone", document.File{Blocks: text[:1], Modified: day(2026, 5, 1)},
			map[string]string{"Title": "Plan of the town", "Content": text[0], "Language": "en", "Date": "2026/05/02"}, nil},
		{"the text names it", document.File{Blocks: text, Title: "Microsoft Word - plan_v2.doc"},
			map[string]string{"Title": "Plan of the town", "Content": content, "Description": text[1], "Language": "en", "Date": "2024/03/01"}, nil},
		{"the link names it", document.File{Blocks: text[1:2], Title: "town_plan-2"}, // which is its name in the header
			map[string]string{"Title": "The plan", "Content": text[1], "Description": text[1], "Language": "en", "Date": "2024/03/01"}, nil},
		{"the link names a workbook", document.File{Blocks: text, Sheet: "Fees"},
			map[string]string{"Title": "The plan", "Content": content, "Description": text[1], "Language": "en", "Date": "2024/03/01"}, nil},
		{"no text", document.File{Title: "Scanner 3000", NoText: "it asks for a password"},
			map[string]string{"Title": "The plan", "Description": "The plan", "Language": "en", "Date": "2024/03/01"}, []string{WarnFileText}},
		{"no text after all", document.File{Blocks: []string{"\x00", "\u200b"}},
			map[string]string{"Title": "The plan", "Description": "The plan", "Language": "en", "Date": "2024/03/01"}, []string{WarnFileText}},
	}
	e := newExtractor(t, Options{Location: time.FixedZone("CET", 3600)})
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			p := document.Page{URL: url, Media: "application/pdf", File: &row.file, Link: document.Link{Text: "The plan"}, Header: http.Header{"Content-Language": {"en"}, "Content-Disposition": {`attachment; filename="town_plan 2.pdf"`}}}
			d, err := e.Read(&p)
			if err != nil {
				t.Fatal(err)
			}
			row.want["Url"] = url
			if doc := e.Finish(d, url, document.Profile{}); !reflect.DeepEqual(doc.Fields, row.want) || doc.Type != document.FileContent {
				t.Errorf("got  %q\nwant %q", doc.Fields, row.want)
			}
			if !reflect.DeepEqual(d.Warn, row.warn) {
				t.Errorf("warnings %q", d.Warn)
			}
		})
	}
}

// A broken file is unread, never a document without text.
func TestBrokenFileIsUnread(t *testing.T) {
	e := newExtractor(t, Options{PDF: pdfReader(func([]byte) (document.File, error) {
		return document.File{Blocks: []string{"half"}}, errors.New("it is cut off")
	})})
	d, err := e.Read(&document.Page{URL: testURL, Media: "application/pdf", Body: []byte("%PDF-1.7")})
	if err == nil || !strings.Contains(err.Error(), "it is cut off") || !reflect.DeepEqual(d, document.Draft{}) {
		t.Errorf("got %+v, %v", d, err)
	}
	fault := errors.New("it hangs")
	if _, err := e.Read(&document.Page{URL: testURL, Media: "application/pdf", Body: []byte("%PDF-1.7"), FileFault: fault}); !errors.Is(err, fault) {
		t.Errorf("a file that was read for its links is read again: %v", err)
	}
	if err := e.Close(); err != errClosed {
		t.Errorf("the reader is not closed: %v", err)
	}
}

// TestOfficeFiles: which reader a file goes to.
func TestOfficeFiles(t *testing.T) {
	docx, odt := readFile(t, "office/testdata/minutes.docx"), readFile(t, "office/testdata/minutes.odt")
	pptx := readFile(t, "office/testdata/slides.pptx")
	for _, row := range []struct {
		media string
		body  []byte
		want  string // a block; empty: the body is not what its type says
	}{
		{document.MediaDOCX, docx, "A1 12 m Rowing club"},
		{document.MediaDOCX, odt, "A1 12 m Rowing club"},
		{document.NameMedia(".ppsx"), pptx, "A2 Pilot boat"},
		{document.NameMedia(".ott"), odt, "Quay and cranes"},
		{"text/plain", []byte("Sm\xf8r\ntwo"), "Smør"},
		{document.MediaDOCX, []byte("<html>Sign in"), ""},
	} {
		p := document.Page{URL: testURL, Media: row.media, Body: row.body}
		d, err := newExtractor(t, Options{}).Read(&p)
		texts := strings.Split(contentOf(d.Blocks), "\n")
		if row.want == "" && !errors.Is(err, errMislabelled) || row.want != "" && (err != nil || !slices.Contains(texts, row.want)) {
			t.Errorf("%s: %q, %v", row.media, texts, err)
		}
	}
}

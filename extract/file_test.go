package extract

import (
	"errors"
	"net/http"
	"reflect"
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
		{"the link names it", document.File{Blocks: text[1:2]},
			map[string]string{"Title": "The plan", "Content": text[1], "Description": text[1], "Language": "en", "Date": "2024/03/01"}, nil},
		{"no text", document.File{Title: "Scanner 3000", NoText: "it asks for a password"},
			map[string]string{"Title": "The plan", "Description": "The plan", "Language": "en", "Date": "2024/03/01"}, []string{WarnFileText}},
		{"no text after all", document.File{Blocks: []string{"\x00", "\u200b"}},
			map[string]string{"Title": "The plan", "Description": "The plan", "Language": "en", "Date": "2024/03/01"}, []string{WarnFileText}},
	}
	e := newExtractor(t, Options{Location: time.FixedZone("CET", 3600)})
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			p := document.Page{URL: url, Media: "application/pdf", File: &row.file, Link: document.Link{Text: "The plan"}, Header: http.Header{"Content-Language": {"en"}}}
			d, err := e.Read(&p)
			if err != nil {
				t.Fatal(err)
			}
			row.want["Url"] = url
			if doc := e.Finish(d, url, Profile{}); !reflect.DeepEqual(doc.Fields, row.want) || doc.Type != document.FileContent {
				t.Errorf("got  %q\nwant %q", doc.Fields, row.want)
			}
			if !reflect.DeepEqual(d.Warn, row.warn) {
				t.Errorf("warnings %q", d.Warn)
			}
		})
	}
}

// broken is a reader of files that are all broken.
type broken struct{ closed bool }

func (*broken) Read([]byte) (document.File, error) {
	return document.File{Blocks: []string{"half"}}, errors.New("it is cut off")
}

func (b *broken) Close() error {
	b.closed = true
	return nil
}

// A broken file is unread, never a document without text.
func TestBrokenFileIsUnread(t *testing.T) {
	reader := &broken{}
	e := newExtractor(t, Options{PDF: reader})
	d, err := e.Read(&document.Page{URL: testURL, Media: "application/pdf", Body: []byte("%PDF-1.7")})
	if err == nil || !strings.Contains(err.Error(), "it is cut off") || !reflect.DeepEqual(d, document.Draft{}) {
		t.Errorf("got %+v, %v", d, err)
	}
	fault := errors.New("it hangs")
	if _, err := e.Read(&document.Page{URL: testURL, Media: "application/pdf", Body: []byte("%PDF-1.7"), FileFault: fault}); !errors.Is(err, fault) {
		t.Errorf("a file that was read for its links is read again: %v", err)
	}
	if err := e.Close(); err != nil || !reader.closed {
		t.Errorf("the reader is not closed: %v", err)
	}
}

func TestUselessTitles(t *testing.T) {
	const url = "https://www.example.com/files/local_plan-42.pdf"
	useless := []string{"", "2026-11-20", "Microsoft Word - plan.doc", "microsoft powerpoint - Slides", "Untitled", "untitled-1", "Document1", "Dokument 2",
		"PowerPoint Presentation", "PowerPoint-præsentation", "Uden titel", "Scan_0012", "Layout 1", "plan.indd", "Plan final.docx", "REPORT.PDF", "C:\\Users\\ada\\plan",
		"file:///tmp/x", "/home/ada/plan", `\\server\share\plan`, "https://www.example.com/plan", "local_plan-42", "Local plan 42", "Brevskabelon", "Word template", "Slide 1"}
	for _, title := range useless {
		if !isUselessTitle(title, url) {
			t.Errorf("%q is of use", title)
		}
	}
	for _, title := range []string{"Local plan 42: the harbour", "Report on the harbour", "Documents for the meeting", "Scanning of letters", "A plan", "Microsoft and the town", "The C: drive", "Titel und Orden"} {
		if isUselessTitle(title, url) {
			t.Errorf("%q is of no use", title)
		}
	}
}

func TestHeadingLike(t *testing.T) {
	table := []struct {
		blocks []string
		want   string
	}{
		{[]string{"Plan of the town", "More"}, "Plan of the town"},
		{[]string{"1", "2026-11-20", "Plan of the town"}, "Plan of the town"},
		{[]string{"This is a sentence. And so is this.", "It ends here.", "Minutes, part 2"}, "Minutes, part 2"},
		{[]string{strings.Repeat("too long ", 20), "a b"}, ""},
		{[]string{"1.", "2.", "3.", "4.", "5.", "Too far down"}, ""},
		{nil, ""},
	}
	for _, row := range table {
		if got := headingLike(fileBlocks(row.blocks)); got != row.want {
			t.Errorf("%q: got %q, want %q", row.blocks, got, row.want)
		}
	}
}

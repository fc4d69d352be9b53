package report

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/report/worddiff"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hostile is text as a site or a service may send it: colours, a bell, reversed
// text, markup, a line of its own.
const hostile = "\x1b[31mred\a \u202etxt.exe\u202c <script>alert(1)</script> \"quoted\", caf\u00e9\nsecond line"

// seq yields values, then err unless it is nil.
func seq[T any](err error, values ...T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range values {
			if !yield(v, nil) {
				return
			}
		}
		if err != nil {
			var zero T
			yield(zero, err)
		}
	}
}

const site = "https://www.example.com"

// full is a run with something in every section.
func full() *Run {
	entries := []document.Entry{
		{Op: document.Put, ID: site + "/new", Type: document.PageContent, Cause: document.CauseNew, Fields: []string{"Content", "Title", "Url"}, State: document.Acknowledged},
		{Op: document.Put, ID: site + "/files/a.pdf", Type: document.FileContent, Cause: document.CauseRepair, State: document.InDoubt, Reason: "time-out: 60 s"},
		{Op: document.Patch, ID: site + "/changed", Type: document.PageContent, Cause: document.CauseChanged, Fields: []string{"+Title", "=cmd|'/c calc'!A0"}, State: document.Acknowledged},
		{Op: document.Patch, ID: site + "/refused", Type: document.PageContent, Cause: document.CauseRetry, State: document.Refused, Reason: "=HYPERLINK(\"https://x.test\")"},
		{Op: document.Put, ID: site + "/parked", Type: document.PageContent, Cause: document.CauseRetry, State: document.Refused, Evidence: "refused three times"},
		{Op: document.Delete, ID: site + "/gone", Cause: document.CauseGone, State: document.Acknowledged, Evidence: "410 in run R1"},
		{Op: document.Delete, ID: site + "/old", Cause: document.CauseMoved, State: document.Held, Brake: document.BrakeTarget, Evidence: "301 to " + site + "/new"},
		{Op: document.Delete, ID: site + "/missing", Cause: document.CauseMissing, State: document.Held, Brake: document.BrakeTotal, Evidence: "404: " + hostile},
		{Op: document.Delete, ID: site + "/unseen", Cause: document.CauseMissing, State: document.Held, Brake: document.BrakeIncomplete, Group: `^/cal/\d+$`},
		{Op: document.Delete, ID: site + "/2019", Cause: document.CauseExpired, State: document.Held, Brake: document.BrakeClock, Evidence: "-2 years"},
		{Op: document.Delete, ID: "https://down.example.com/x", Cause: document.CauseMissing, State: document.Held, Brake: document.BrakeHost, Evidence: "404"},
		{Op: document.Put, ID: "https://new.example.com/", Type: document.PageContent, Cause: document.CauseNew, State: document.Held, Brake: document.BrakeOrigin, Evidence: "@new"},
	}
	return &Run{
		Site: "www.example.com", Notes: []string{"old text is not shown: " + hostile},
		Summary: document.Summary{
			Run: "01JRUN", Start: noon(2023, time.November, 14), Looked: 31,
			Hosts: []document.Host{
				{Host: site, State: document.HostOK, Covered: true, Sitemap: 12, Asked: 20},
				{Host: "https://down.example.com", State: document.HostUnreachable, Reason: "20 of its pages were unread, the last one: " + hostile, ReadOnly: true, Asked: 20, Unread: 20},
			},
			Counts: document.Counts{
				Discovered: 40, Fetched: 20, NotModified: 10, SkippedByHint: 1, Unchanged: 12, Put: 1, Patch: 1, Delete: 1, BulkDelete: 2,
				Queue: 3, Held: 6, Failed: 2, Refused: 2,
			}, Kinds: document.Kinds{New: 1, Changed: 1, Deleted: 3, Moved: 1},
			Sitemap: document.SitemapDiff{Added: 1, Removed: 2, Modified: 3}, New: 2, Stopped: "three batches in a row failed: " + hostile,
			Brakes: []document.Tripped{
				{Brake: document.BrakeTotal, Held: 2, Why: "12 deletes of 20 documents: more than delete.max, 10", Release: "sitesync approve --cause missing"},
				{Brake: document.BrakeIncomplete, Group: `^/cal/\d+$`, Held: 1, Why: "not all were asked for: " + hostile, Release: `sitesync approve --group '^/cal/\d+$'`},
				{Brake: document.BrakeTarget, Held: 1, Why: "the document that takes its place is not acknowledged"},
			},
		},
		Duration: 83*time.Second + 456*time.Millisecond, Exit: 1, Changes: changesOf(entries),
		Failures: seq(nil, document.Failure{URL: site + "/broken", Status: 503, Error: "HTTP status 503", Since: "01JOLD", From: site + "/list"},
			document.Failure{URL: site + "/odd", Error: hostile, Since: "01JRUN"}),
		Moves:    seq(nil, document.Move{From: site + "/old", To: site + "/new", By: document.MovedByContent}),
		Warnings: seq(nil, document.Warning{Kind: "canonical", URL: site + "/a", Text: hostile}, document.MoreWarnings("sitemap", 3)),
	}
}

// changesOf yields changes with what they do to their documents: the first of each call
// has a title and a difference of each kind.
func changesOf(entries []document.Entry) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		for _, e := range entries {
			c := Change{Entry: e, Detail: Detail{Title: "The title of " + e.ID + hostile}}
			if e.Op == document.Patch {
				c.Differences = []Difference{
					{Field: "Title", Old: "Old " + hostile, New: "New"}, {Field: "Author", Old: "Nobody"}, {Field: "Category", New: "=News"},
					{Field: "Content", Hunks: worddiff.Diff("Before it was\n"+hostile, "Today it is\n"+hostile)},
				}
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// empty is a run that found nothing to do.
func empty() *Run {
	return &Run{
		Summary: document.Summary{Run: "01JRUN", Complete: true, Start: noon(1970, time.January, 1)}, Changes: seq[Change](nil), Failures: seq[document.Failure](nil),
		Moves: seq[document.Move](nil), Warnings: seq[document.Warning](nil),
	}
}

// formats are the ways to show a run, by the names of their golden files.
var formats = map[string]func(io.Writer, *Run) error{
	"txt":       func(w io.Writer, r *Run) error { return Text(w, r, TextOptions{All: true}) },
	"color.txt": func(w io.Writer, r *Run) error { return Text(w, r, TextOptions{Color: true}) },
	"json":      JSON,
	"csv":       CSV,
	"html":      HTML,
}

// TestGolden: every format of a run with every section, and of one with none; go
// test -update writes the files anew.
func TestGolden(t *testing.T) {
	for name, run := range map[string]*Run{"full": full(), "empty": empty()} {
		for format, write := range formats {
			var got bytes.Buffer
			if err := write(&got, run); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+"."+format)
			if format == "html" && !strings.Contains(got.String(), Style) {
				t.Errorf("%s: the style sheet is missing", name)
			}
			got = *bytes.NewBufferString(strings.Replace(got.String(), Style, "/* style.css */", 1)) // which has a file of its own
			if *update {
				if err := errors.Join(os.MkdirAll("testdata", 0o777), os.WriteFile(file, got.Bytes(), 0o666)); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := got.String(); got != strings.ReplaceAll(string(want), "\r\n", "\n") {
				t.Errorf("%s differs:\n%s", file, got)
			}
		}
	}
}

// TestNothingUnsafe: whatever a site sends, no format writes a character that moves
// a cursor or turns text round; the line breaks and colours are our own.
func TestNothingUnsafe(t *testing.T) {
	for format, write := range formats {
		var got bytes.Buffer
		if err := write(&got, full()); err != nil {
			t.Fatal(err)
		}
		text := got.String()
		if format == "color.txt" {
			for _, colour := range []string{"\x1b[0m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"} {
				text = strings.ReplaceAll(text, colour, "")
			}
			if strings.Contains(text, "red") && !strings.Contains(text, `\u001b[31mred`) {
				t.Error("the site's own colour is shown")
			}
		}
		for i, r := range text {
			if unsafeRune(r) && r != '\n' {
				t.Errorf("%s: %q in %q", format, r, text[max(0, i-20):i])
			}
		}
	}
}

// TestLongListsAreCut: of each section twenty lines are shown unless all are asked for, of what is
// held three for each reason, and what is left out is counted. Deletes come before all other changes, however many those are,
// and are cut last.
func TestLongListsAreCut(t *testing.T) {
	r := empty()
	r.Changes = func(yield func(Change, error) bool) {
		for i := range 136 + 38 + 50 {
			e := document.Entry{Op: document.Patch, ID: fmt.Sprintf("%s/news/%d", site, i), Cause: document.CauseChanged, State: document.Acknowledged}
			switch {
			case i >= 136+38:
				e.State, e.Brake = document.Held, document.BrakeTotal
			case i >= 136:
				e.Op, e.Cause, e.Evidence = document.Delete, document.CauseGone, "410"
			}
			if !yield(Change{Entry: e}, nil) {
				return
			}
		}
	}
	var short, all bytes.Buffer
	if err := errors.Join(Text(&short, r, TextOptions{Rest: "sitesync history last"}), Text(&all, r, TextOptions{All: true})); err != nil {
		t.Fatal(err)
	}
	for line, n := range map[string]int{
		"\npatch ": shown, "\ndelete ": 38, "       410\n": 38, "\nchanged (136):\npatch ": 1,
		"\ndeleted (38):\ndelete ": 1, "… and 116 more; sitesync history last shows all\n": 1, "\nheld (50):\n  50 to update (changed), by the brake \"total\"\n": 1, "… and 47 more; sitesync history last shows all\n": 1,
	} {
		if got := strings.Count(short.String(), line); got != n {
			t.Errorf("%q %d times, want %d:\n%s", line, got, n, &short)
		}
	}
	held, deleted, changed := strings.Index(short.String(), "held ("), strings.Index(short.String(), "deleted ("), strings.Index(short.String(), "changed (")
	if held > deleted || deleted > changed {
		t.Errorf("held, deletes, changes in another order:\n%s", &short)
	}
	if got := strings.Count(all.String(), site); got != 136+38+50 || strings.Contains(all.String(), "more;") {
		t.Errorf("%d of 224 lines:\n%s", got, &all)
	}
}

// noon is on the same day for whoever reads it.
func noon(year int, month time.Month, day int) int64 {
	return time.Date(year, month, day, 12, 0, 0, 0, time.Local).Unix()
}

func TestSentence(t *testing.T) {
	down := document.Host{Host: site, State: document.HostRobotsOutage, Reason: document.RobotsUnread + "the name www.example.com has no address (DNS)"}
	wall := document.Host{Host: "https://shop.example.com", State: document.HostGuarded, Reason: "it asks for a login"}
	fine := document.Host{Host: site, State: document.HostOK, Asked: 3}
	empty := document.Host{Host: site, State: document.HostOK, Asked: 3, Unread: 3}
	const head = "www.example.com, 22 November: "
	for want, r := range map[string]*Run{
		head + "12 new, 136 changed, 28 deleted, 10 moved, 37 held; 2,961 unchanged": {Summary: document.Summary{Complete: true, Counts: document.Counts{
			Put: 22, Patch: 136, Delete: 38, Held: 37, Unchanged: 2961,
		}, Kinds: document.Kinds{New: 12, Changed: 136, Deleted: 28, Moved: 10}}},
		head + "nothing to do": {Summary: document.Summary{Complete: true, Hosts: []document.Host{fine}}},
		"Plan: " + head + "2 new, 1 deleted, 1 queued; 7 unchanged": {
			Summary: document.Summary{Complete: true, Kinds: document.Kinds{New: 2, Deleted: 1}, Counts: document.Counts{Unchanged: 7, Queue: 1}}, Dry: true,
		},
		head + "1 changed, 3 deleted, 4 held, 5 refused, 6 not read; not every page was looked at": {
			Summary: document.Summary{Kinds: document.Kinds{Changed: 1, Deleted: 3}, Counts: document.Counts{Held: 4, Refused: 5, Failed: 6}},
		},
		head + "no changes; 1 unchanged; not every page was looked at":                                                       {Summary: document.Summary{Counts: document.Counts{Unchanged: 1}}},
		head + "nothing acknowledged; stopped: interrupted":                                                                  {Summary: document.Summary{Complete: true, Stopped: "interrupted", Hosts: []document.Host{down}}},
		head + "nothing acknowledged; 1 unchanged":                                                                           {Summary: document.Summary{Complete: true, New: 1, Looked: 1, Counts: document.Counts{Unchanged: 1}}},
		head + "1 not read; 3 unchanged; not every page was looked at":                                                       {Summary: document.Summary{Hosts: []document.Host{down}, Counts: document.Counts{Failed: 1, Unchanged: 3}}},
		head + "no changes; not every page was looked at":                                                                    {Summary: document.Summary{Hosts: []document.Host{down, fine}}},
		"Could not reach www.example.com: the name www.example.com has no address (DNS). Nothing was read, nothing changed.": {Summary: document.Summary{Hosts: []document.Host{down}}},
		"Could not read www.example.com: 3 pages failed; could not read shop.example.com: it asks for a login. Nothing was read, nothing changed.": {
			Summary: document.Summary{Hosts: []document.Host{empty, wall}, Counts: document.Counts{Failed: 3}},
		},
	} {
		r.Site, r.Summary.Start = SiteName([]string{site}), noon(2026, time.November, 22)
		if got := Sentence(r); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	for want, origins := range map[string][]string{
		"": nil, "a.test and b.test": {"https://a.test", "http://a.test", "https://b.test"}, "a.test and 2 more hosts": {"https://a.test", "https://b.test", "https://c.test"},
	} {
		if got := SiteName(origins); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestStandingFailures: what the last run could not read either is one line, with the day
// on which it began.
func TestStandingFailures(t *testing.T) {
	r := empty()
	old := document.Failure{URL: site + "/a.pdf", Error: "it asks for a password", Since: "01JW3M8M00AAAAAAAAAAAAAAAA", From: site + "/"}
	for want, failures := range map[string][]document.Failure{
		"\nstill not read: " + site + "/a.pdf: it asks for a password (since 25 May), first found on " + site + "/\n":                                                  {old},
		"\nstill not read: 2 pages, the first: " + site + "/a.pdf: it asks for a password (since 25 May), first found on " + site + "/; sitesync plan -v lists them\n": {old, old},
		"\nnot read:\n  " + site + "/b: 503\nstill not read: " + site + "/a.pdf":                                                                                       {{URL: site + "/b", Error: "503", Since: "01JRUN"}, old},
	} {
		r.Failures = seq(nil, failures...)
		var got bytes.Buffer
		if err := Text(&got, r, TextOptions{}); err != nil || !strings.Contains(got.String(), want) {
			t.Errorf("want %q:\n%s%v", want, &got, err)
		}
	}
}

func TestNewDetail(t *testing.T) {
	long := strings.Repeat("word ", 50)
	c := &document.Change{
		Op: document.Put, ID: site + "/a", Fields: []string{"Author", "Category", "Content", "Description", "Title"},
		Doc: document.Document{ID: site + "/a", Fields: map[string]string{"Title": "New", "Content": "about wasps", "Description": long + "new", "Category": "News", "Url": "same"}}.Wire(),
	}
	old := document.Document{Fields: map[string]string{"Title": "Old", "Content": "about bees", "Description": long + "old", "Author": "A", "Url": "same"}}
	got, err := NewDetail(c, old)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range got.Differences {
		names = append(names, d.Field)
	}
	if strings.Join(names, " ") != "Title Author Category Description Content" || got.Title != "New" {
		t.Errorf("%q of %v", got.Title, names)
	}
	for i, want := range []Difference{{Field: "Title", Old: "Old", New: "New"}, {Field: "Author", Old: "A"}, {Field: "Category", New: "News"}} {
		if d := got.Differences[i]; d.Field != want.Field || d.Old != want.Old || d.New != want.New || d.Hunks != nil {
			t.Errorf("got %+v, want %+v", d, want)
		}
	}
	for _, d := range got.Differences[3:] {
		if len(d.Hunks) == 0 || d.Old+d.New != "" {
			t.Errorf("%+v is not compared", d)
		}
	}
	patch := &document.Change{ID: site + "/a", Fields: []string{"Content"}, Doc: document.Document{Fields: map[string]string{"Content": "x"}}.Wire()}
	if got, err := NewDetail(patch, old); err != nil || got.Title != "Old" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := NewDetail(&document.Change{Op: document.Delete, ID: site + "/a"}, old); err != nil || got.Title != "Old" || got.Differences != nil {
		t.Errorf("%+v, %v", got, err)
	}
	huge := document.Document{Fields: map[string]string{"Title": strings.Repeat("title ", 11_000)}}
	if got, err := NewDetail(&document.Change{Op: document.Delete, ID: site + "/a"}, huge); err != nil || len(got.Title) > document.MaxShort+3 {
		t.Errorf("a title of %d bytes, %v", len(got.Title), err)
	}
	if _, err := NewDetail(&document.Change{ID: site + "/a", Doc: []byte("{")}, old); err == nil {
		t.Error("a damaged document was read")
	}
}

package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitesync/internal/document"
)

// TestJSONIsOneObject: one line, valid, with the names of the contract, and strings
// that read as they were.
func TestJSONIsOneObject(t *testing.T) {
	for name, run := range map[string]*Run{"full": full(), "empty": empty()} {
		var out bytes.Buffer
		if err := JSON(&out, run); err != nil {
			t.Fatal(err)
		}
		if strings.Count(out.String(), "\n") != 1 || !strings.HasSuffix(out.String(), "}\n") {
			t.Errorf("%s: not one line", name)
		}
		var got struct {
			Run      string
			Site     string
			Sentence string `json:"summary"`
			Complete *bool
			Duration *int64 `json:"duration_ms"`
			Hosts    []hostLine
			Counts   *document.Counts
			Kinds    document.Kinds
			Sitemap  *document.SitemapDiff
			Brakes   []document.Tripped
			Changes  []Change
			Held     []Change
			Failed   []document.Failure
			Moved    []document.Move
			Warnings []document.Warning
			Stopped  string
			Exit     *int
		}
		in := json.NewDecoder(&out)
		in.DisallowUnknownFields()
		if err := in.Decode(&got); err != nil || in.More() {
			t.Fatalf("%s: %v, more behind it: %v", name, err, in.More())
		}
		for i := range got.Hosts {
			got.Hosts[i].hostFields.Host = got.Hosts[i].Origin
		}
		if got.Run != run.Summary.Run || *got.Complete != run.Summary.Complete || *got.Duration != run.Duration.Milliseconds() || *got.Exit != run.Exit ||
			*got.Counts != run.Summary.Counts || !reflect.DeepEqual(*got.Sitemap, run.Summary.Sitemap) || got.Stopped != run.Summary.Stopped || !reflect.DeepEqual(got.Hosts, hostLines(run.Summary.Hosts)) {
			t.Errorf("%s: the head reads %+v", name, got)
		}
		if got.Hosts == nil || got.Brakes == nil || !slices.Equal(got.Brakes, run.Summary.Brakes) || got.Changes == nil || got.Held == nil || got.Failed == nil || got.Moved == nil || got.Warnings == nil {
			t.Errorf("%s: an empty list is null", name)
		}
		if name == "empty" {
			continue
		}
		if len(got.Changes) != 6 || len(got.Held) != 6 || got.Held[1].Evidence != "404: "+hostile || got.Warnings[0].Text != hostile || got.Failed[1].Error != hostile {
			t.Errorf("the lists read %+v", got)
		}
		if h := got.Held[1]; h.Op != document.Delete || h.ID != site+"/missing" || h.Cause != document.CauseMissing || h.Brake != document.BrakeTotal {
			t.Errorf("held: %+v", h)
		}
	}
}

// TestCSVHoldsNoFormulas: no cell begins as a formula does, also where a semicolon parts
// cells; other text stays as it is.
func TestCSVHoldsNoFormulas(t *testing.T) {
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "+1+1": "'+1+1", "-1+1": "'-1+1", "@SUM(1)": "'@SUM(1)", "-": "'-",
		"＝1+1": "'＝1+1", "＋1": "'＋1", "－1": "'－1", "＠SUM(1)": "'＠SUM(1)",
		"\t=1": `\u0009=1`, "\r=1": `\u000d=1`, "\n=1": `\u000a=1`, "\u200b=1": `\u200b=1`, " =1": "' =1", "\u00a0=1": "'\u00a0=1", `"=1`: `'"=1`,
		"a;=1": "a;'=1", "a;;＝1; -b;\t=1": `a;;'＝1;' -b;\u0009=1`, `a;"=1`: `a;'"=1`, "-5;=1": "'-5;'=1",
		"-5": "-5", "+5.25": "+5.25", "-0,5": "-0,5", "-5-1": "'-5-1", "-5\n": `'-5\u000a`,
		"1=1": "1=1", "a -b; c": "a -b; c", "": "", "'": "'", "Über-Uns": "Über-Uns",
	} {
		var out bytes.Buffer
		row := func(yield func(string, error) bool) { yield(cell, nil) }
		err := CSVOf(&out, []string{"a", "b"}, row, func(s string) []string { return []string{s, s} })
		rows, failed := csv.NewReader(&out).ReadAll()
		if err != nil || failed != nil || len(rows) != 2 || rows[1][0] != want || rows[1][1] != want {
			t.Errorf("%q: got %q, want %q (%v, %v)", cell, rows, want, err, failed)
		}
	}
}

// TestHTMLIsInert: what comes from outside is text in it, and it asks for nothing.
func TestHTMLIsInert(t *testing.T) {
	var out bytes.Buffer
	if err := HTML(&out, full()); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	texts := 0
	for n := range root.Descendants() {
		switch {
		case n.Type == html.TextNode && strings.Contains(n.Data, "<script>alert(1)</script>"):
			texts++
		case n.Type != html.ElementNode:
		case slices.Contains([]string{"script", "img", "link", "iframe", "object"}, n.Data):
			t.Errorf("there is a %s in it", n.Data)
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "href" && (strings.HasPrefix(a.Val, "https://") || strings.HasPrefix(a.Val, "#")):
			case !slices.Contains([]string{"lang", "charset", "class", "name", "content", "http-equiv", "id", "type", "aria-label", "rel", "dir", "target"}, a.Key):
				t.Errorf("there is an attribute %s in %s", a.Key, n.Data)
			}
		}
	}
	if texts != 24 {
		t.Errorf("%d of 24 texts are shown as text", texts)
	}
}

// cutWriter takes so many bytes and no more.
type cutWriter struct{ left int }

var errFull = errors.New("disk full")

func (w *cutWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return w.left, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

// TestErrors: what can't be read or written is told, wherever it happens.
func TestErrors(t *testing.T) {
	broken := errors.New("the plan is damaged")
	for format, write := range formats {
		for section, spoil := range map[string]func(*Run){
			"changes":  func(r *Run) { r.Changes = seq[Change](broken) },
			"failed":   func(r *Run) { r.Failures = seq[document.Failure](broken) },
			"moved":    func(r *Run) { r.Moves = seq[document.Move](broken) },
			"warnings": func(r *Run) { r.Warnings = seq[document.Warning](broken) },
		} {
			r := full()
			spoil(r)
			if err := write(io.Discard, r); (!errors.Is(err, broken) || strings.Contains(err.Error(), "executing")) && (format != "csv" || section == "changes") {
				t.Errorf("%s, %s: %v", format, section, err)
			}
		}
		for _, left := range []int{0, 1, 100} {
			if err := write(&cutWriter{left}, full()); !errors.Is(err, errFull) {
				t.Errorf("%s cut after %d bytes: %v", format, left, err)
			}
		}
	}
	if err := Object(&cutWriter{3}, 12345); !errors.Is(err, errFull) {
		t.Errorf("an object: %v", err)
	}
	if err := Object(io.Discard, func() {}); err == nil {
		t.Error("a function is written as an object")
	}
}

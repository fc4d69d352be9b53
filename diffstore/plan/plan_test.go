package plan_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
)

// begin is when the run of a test starts.
const begin = 1_700_000_000

func testTarget() document.Target {
	return document.Target{Base: "https://api.example.com", Customer: 10000001, Crawler: "c1", Origins: []string{"https://www.example.com"}}
}

func pageID(n int) string { return fmt.Sprintf("https://www.example.com/page/%04d", n) }

// change returns a change that sends a document of these fields; a delete takes
// none.
func change(op document.Op, id string, fields map[string]string) document.Change {
	c := document.Change{Op: op, ID: id, Type: document.PageContent, Cause: document.CauseNew, State: document.Planned}
	if op == document.Delete {
		c.Cause = document.CauseGone
		return c
	}
	doc := document.Document{ID: id, Type: document.PageContent, Fields: fields}
	c.Doc = doc.Wire()
	c.Next = &document.Record{
		ID: id, Type: doc.Type, Fields: doc.FieldHashes(), Content: document.HashOf(fields["Content"]),
		Length: len(fields["Content"]), Rules: 1<<63 + 7, Hints: document.Hints{ETag: `"` + fields["Title"] + `"`},
		Fetched: begin, Push: document.PushOK,
	}
	return c
}

func titled(title string) map[string]string {
	return map[string]string{"Title": title, "Content": "The content of " + title, "Url": "/"}
}

// contents is everything that a plan holds.
type contents struct {
	header   document.PlanHeader
	pages    []document.SitePage
	changes  []document.Change
	observed []document.Observation
	failures []document.Failure
	moves    []document.Move
	warnings []document.Warning
	trailer  document.PlanTrailer
}

// write writes the plan, all but its end.
func (c *contents) write(t testing.TB, path string) *planfile.Writer {
	t.Helper()
	w, err := planfile.Create(path, c.header)
	if err != nil {
		t.Fatal(err)
	}
	var errs []error
	for _, v := range c.pages {
		errs = append(errs, w.Page(v))
	}
	for _, v := range c.changes {
		errs = append(errs, w.Change(v))
	}
	for _, v := range c.observed {
		errs = append(errs, w.Observe(v))
	}
	for _, v := range c.failures {
		errs = append(errs, w.Failure(v))
	}
	for _, v := range c.moves {
		errs = append(errs, w.Move(v))
	}
	for _, v := range c.warnings {
		errs = append(errs, w.Warning(v))
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return w
}

func (c *contents) save(t testing.TB, path string) {
	t.Helper()
	if err := c.write(t, path).Close(c.trailer); err != nil {
		t.Fatal(err)
	}
}

// readContents reads everything that an opened plan holds.
func readContents(p *planfile.File) (c contents, err error) {
	var errs [6]error
	c.header, c.trailer = p.Header, p.Trailer
	c.changes, errs[0] = all(p.Changes())
	c.observed, errs[1] = all(p.Observations())
	c.failures, errs[2] = all(p.Failures())
	c.moves, errs[3] = all(p.Moves())
	c.warnings, errs[4] = all(p.Warnings())
	c.pages, errs[5] = all(p.Pages())
	return c, errors.Join(errs[:]...)
}

func all[T any](sequence iter.Seq2[T, error]) ([]T, error) {
	var list []T
	for v, err := range sequence {
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}

// fullPlan has every kind of line and documents that are hard to write on one.
func fullPlan() *contents {
	texts := []string{
		"plain", "two\nlines\r\nand\ttab", "quotes \" and \\ and </script> & <b>", "ø — 日本 🦊", "line\u2028separator\u2029s",
		`{"kind":"trailer"}` + "\n" + `{"kind":"observe"}`, strings.Repeat("long ", 13_107), strings.Repeat("Æ\n\"", 1<<18),
	}
	c := &contents{
		header: document.PlanHeader{Version: planfile.Version, Run: "run-1", Start: begin, Target: testTarget(), Generation: 1<<64 - 1},
		trailer: document.PlanTrailer{
			Summary: document.Summary{Run: "run-1", Start: begin, Complete: true, Counts: document.Counts{Put: 8, Failed: 1}, Hosts: []document.Host{{Host: "https://a.example", State: document.HostOK}}},
			Hosts:   map[string]document.HostMemory{"https://a.example": {Sitemap: 3, Lastmod: document.Trust{Checks: 9, Lies: []int{4}}}},
			Origins: []string{"https://a.example"},
		},
	}
	for n, text := range texts {
		start := text[:min(len(text), 40)]
		c.pages = append(c.pages, document.SitePage{
			URL: pageID(n), Seen: document.Read, Status: 200, Why: start, Type: document.PageContent, Start: n == 0, Links: document.PackLinks([]uint64{9, 1, 1 << 63}),
			Says: document.SaysOf(document.Document{Fields: map[string]string{"Title": text, "Content": text}}, &document.Draft{Why: start}),
		})
		put := change(document.Put, pageID(n), map[string]string{"Title": text, start: "name"})
		put.Next.Looks = []document.Look{{Run: "run-0", Seen: document.Missing, Status: 404, Why: start}}
		put.Next.Suspect, put.Next.First = document.Illness{How: text, Length: n}, document.First{Link: start, Lastmod: -1}
		c.changes = append(c.changes, put)
	}
	patch := change(document.Patch, "https://www.example.com/a%2Fb?q=%C3%B8&x=<y>", titled("x"))
	patch.Fields, patch.Doubt, patch.Evidence = []string{"Title"}, true, "why\nso"
	moved := change(document.Delete, pageID(90), nil)
	moved.Cause, moved.Needs, moved.Next = document.CauseMoved, pageID(1), &document.Record{ID: pageID(90)}
	held := change(document.Delete, pageID(91), nil)
	held.State, held.Brake = document.Held, document.BrakeTotal
	c.changes = append(c.changes, patch, moved, held)
	c.observed = []document.Observation{{ID: pageID(92), Next: change(document.Put, pageID(92), titled("92")).Next}, {ID: pageID(93)}}
	c.failures = []document.Failure{{URL: pageID(94), Status: 503, Error: "bad \"gateway\"\n", Since: "run-0"}}
	c.moves = []document.Move{{From: pageID(90), To: pageID(1)}}
	c.warnings = []document.Warning{{Kind: "canonical", URL: pageID(95), Text: "text"}, {Kind: "trailer", Text: "kind that is the name of another line"}}
	return c
}

func TestPlanRoundTrip(t *testing.T) {
	empty := &contents{header: document.PlanHeader{Version: planfile.Version, Run: "run-1"}}
	for name, want := range map[string]*contents{"full": fullPlan(), "empty": empty} {
		path := filepath.Join(t.TempDir(), "plan")
		want.save(t, path)
		first, err := os.ReadFile(path)
		want.save(t, path)
		again, againErr := os.ReadFile(path)
		if err != nil || againErr != nil || !bytes.Equal(first, again) {
			t.Errorf("%s: the same plan has other bytes: %v, %v", name, err, againErr)
		}
		plan, err := planfile.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // a plan can be read again
			got, err := readContents(plan)
			if err != nil {
				t.Fatal(err)
			}
			comparePlans(t, name, &got, want)
		}
		for range plan.Changes() {
			break
		}
		heads, err := all(plan.Heads())
		for n := range heads {
			if heads[n].Doc != nil {
				t.Errorf("%s: head %d has a document", name, n)
			}
			heads[n].Doc = want.changes[n].Doc
		}
		if err != nil || !reflect.DeepEqual(heads, want.changes) {
			t.Errorf("%s: the heads are not those of the changes (%v)", name, err)
		}
	}
}

func comparePlans(t *testing.T, name string, got, want *contents) {
	t.Helper()
	if len(got.changes) == len(want.changes) {
		for n := range want.changes {
			if !reflect.DeepEqual(got.changes[n], want.changes[n]) {
				t.Errorf("%s: change %d is %.500v, want %.500v", name, n, got.changes[n], want.changes[n])
			}
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %d changes, header %+v, observed %+v, failures %+v, moves %+v, warnings %+v, trailer %+v",
			name, len(got.changes), got.header, got.observed, got.failures, got.moves, got.warnings, got.trailer)
	}
}

// TestPlanAppears: only a plan that was written to its end stands under its name;
// until then an older one stays, and nobody but the owner reads either.
func TestPlanAppears(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "plan")
	files := func() (n int) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	w := fullPlan().write(t, path)
	if _, err := os.Stat(path); err == nil {
		t.Error("the plan is there before it was closed")
	}
	if err := w.Abandon(); err != nil || files() != 0 {
		t.Errorf("abandoned: %d files remain, %v", files(), err)
	}
	fullPlan().save(t, path)
	older, err := planfile.Open(path)
	if err != nil || files() != 1 {
		t.Fatalf("%d files, %v", files(), err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	next := fullPlan()
	next.header.Run = "run-2"
	w = next.write(t, path)
	if still, err := planfile.Open(path); err != nil || still.Header.Run != older.Header.Run {
		t.Errorf("the older plan is gone: %v", err)
	}
	if err := w.Close(next.trailer); err != nil {
		t.Fatal(err)
	}
	if now, err := planfile.Open(path); err != nil || now.Header.Run != "run-2" {
		t.Errorf("the newer plan is not there: %v", err)
	}
	if _, err := planfile.Create(filepath.Join(dir, "no folder", "plan"), next.header); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a plan in a missing folder: %v", err)
	}
}

// TestPlanOfOddBytes: what a host says in bytes that are no UTF-8 does not make its plan
// unreadable.
func TestPlanOfOddBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan")
	c := fullPlan()
	c.trailer.Summary.Hosts = []document.Host{{Host: "https://www.example.com", Reason: "Content-Type \xff\xfe \\ufffd \ufffd"}}
	c.save(t, path)
	p, err := planfile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.Trailer.Summary.Hosts[0].Reason, "Content-Type \ufffd\ufffd \\ufffd \ufffd"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

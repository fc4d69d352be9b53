package report

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/report/worddiff"
)

// docs/results.md names every key that a result can have, and every cause, state, brake and
// kind of hunk.
func TestResultsPageIsComplete(t *testing.T) {
	page, err := os.ReadFile("../../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	run := &Run{Summary: document.Summary{Bulk: &document.Bulk{}, Stopped: "x"}}
	run.Changes, run.Failures, run.Moves, run.Warnings = none[Change], none[document.Failure], none[document.Move], none[document.Warning]
	if err := JSON(&out, run); err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(out.Bytes(), &object); err != nil {
		t.Fatal(err)
	}
	names := document.Causes()
	for key := range object {
		names = append(names, key)
	}
	for _, v := range []any{
		hostLine{}, Change{}, Difference{}, worddiff.Hunk{}, document.Counts{}, document.Kinds{}, document.SitemapDiff{},
		document.Tripped{}, document.Failure{}, document.Move{}, document.Warning{}, document.Bulk{},
	} {
		names = append(names, keys(reflect.TypeOf(v))...)
	}
	for _, state := range []document.State{document.Planned, document.Acknowledged, document.Refused, document.InDoubt, document.Held} {
		names = append(names, string(state))
	}
	for _, op := range []document.Op{document.Put, document.Patch, document.Delete, document.BulkDelete, document.Queue} {
		names = append(names, string(op))
	}
	for _, kind := range []worddiff.Kind{worddiff.Same, worddiff.Gone, worddiff.Added, worddiff.Skipped} {
		names = append(names, string(kind))
	}
	if len(names) < 80 {
		t.Errorf("only %d names: %q", len(names), names)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/results.md does not name %s", name)
		}
	}
}

func none[T any](func(T, error) bool) {}

// keys returns the keys of a struct's JSON, those of embedded ones too.
func keys(of reflect.Type) (all []string) {
	for f := range of.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			all = append(all, keys(f.Type)...)
		case name != "" && name != "-":
			all = append(all, name)
		}
	}
	return all
}

// TestLongVerification: a long list is cut, and its last line names what shows the rest.
func TestLongVerification(t *testing.T) {
	var out strings.Builder
	v := NewVerification(&out, false, false, "sitesync verify --repair")
	for range shown + 2 {
		v.Add(document.Finding{Found: document.FoundMissing, ID: "https://a.example/"}, document.Document{})
	}
	if err := v.Close(false, 0); err != nil || !strings.Contains(out.String(), "\n… and 2 more; -v shows all\n22 asked for") {
		t.Errorf("%v:\n%s", err, out.String())
	}
}

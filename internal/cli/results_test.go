package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"
)

// The example in docs/results.md is what plan --format json prints of such a night, except
// for the run's ID and how long it took.
func TestExampleOfResults(t *testing.T) {
	w := &town{dir: t.TempDir()}
	if err := os.Mkdir(filepath.Join(w.dir, "site"), 0o700); err != nil {
		t.Fatal(err)
	}
	page := func(name, title, text string) {
		w.write(t, "site/"+name, fmt.Appendf(nil, `<!doctype html><html lang="en"><title>%s</title><h1>%[1]s</h1><p>%s</p></html>`, title, text))
	}
	page("index.html", "Harbour town", `A town with boats, <a href="/hours.html">hours</a> and an <a href="/old.html">old page</a>.`)
	page("hours.html", "Opening hours", "Open from nine to five.")
	page("old.html", "Old page", "This page is about to leave.")
	w.write(t, "sitesync.toml", []byte("[site]\nstart = [\"https://www.example.com/\"]\nfolder = \"site\"\n[push]\nbase_url = \"local\"\n"))
	config := filepath.Join(w.dir, "sitesync.toml")
	w.run(t, 0, "1795400000", "sync", "-c", config)
	page("hours.html", "Opening hours", "Open from nine to six.")
	if err := os.Remove(filepath.Join(w.dir, "site", "old.html")); err != nil {
		t.Fatal(err)
	}
	got := exampleResult(t, []byte(w.run(t, 0, "1795486400", "plan", "--format", "json", "-c", config)))

	raw, err := os.ReadFile("../../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := bytes.Cut(raw, []byte("```json\n"))
	example, _, _ = bytes.Cut(example, []byte("```"))
	want := exampleResult(t, example)
	for key := range got {
		if _, is := want[key]; !is {
			t.Errorf("%s is not in the example", key)
		}
	}
	for key := range want {
		if !reflect.DeepEqual(got[key], want[key]) {
			t.Errorf("%s is %v, and in the example %v", key, got[key], want[key])
		}
	}
}

// exampleResult reads a result, with one name for the run and without the time it took.
func exampleResult(t *testing.T, raw []byte) (object map[string]any) {
	t.Helper()
	raw = regexp.MustCompile(`01[0-9A-Z]{24}`).ReplaceAll(raw, []byte("RUN"))
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	if _, is := object["duration_ms"].(float64); !is {
		t.Errorf("duration_ms is %v", object["duration_ms"])
	}
	delete(object, "duration_ms")
	return object
}

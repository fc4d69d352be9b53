package extract

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
)

var update = flag.Bool("update", false, "write the golden corpus anew")

// golden is one page of the corpus: NAME.html, and NAME.json with how it was
// fetched and what is wanted of it.
type golden struct {
	URL     string      `json:"url"`
	Header  http.Header `json:"header,omitempty"`
	Lastmod time.Time   `json:"lastmod,omitzero"`
	Want    outcome     `json:"want,omitzero"`

	file string
	html string
}

// outcome is what the corpus holds a page to. Revision is that of the extractor
// that made the rest.
type outcome struct {
	Revision int               `json:"revision"`
	Type     document.Type     `json:"type"`
	Titles   []string          `json:"titles"`
	Warn     []string          `json:"warn,omitempty"`
	Fields   map[string]string `json:"fields"`
	Content  []string          `json:"content"`
	Hash     string            `json:"hash"`
}

func loadGolden(t testing.TB) []golden {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden corpus: %v", err)
	}
	all := make([]golden, len(files))
	for i, file := range files {
		all[i].file = file
		if err := json.Unmarshal(readFile(t, file), &all[i]); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[i].html = string(readFile(t, strings.TrimSuffix(file, ".json")+".html"))
	}
	return all
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (g *golden) page(t testing.TB) *document.Page {
	p := htmlPage(t, g.URL, g.html)
	p.Header = g.Header
	if !g.Lastmod.IsZero() {
		p.Hints.Lastmod = g.Lastmod.Unix()
	}
	return p
}

// TestGolden fails when a page's output moved. It is then written with
// -update, once Revision is raised: without, records would not be read again
// and the index would keep what an older extractor made.
func TestGolden(t *testing.T) {
	e := newExtractor(t, Options{})
	for _, g := range loadGolden(t) {
		t.Run(strings.TrimSuffix(filepath.Base(g.file), ".json"), func(t *testing.T) {
			got := outcomeOf(t, e, &g)
			switch {
			case reflect.DeepEqual(got, g.Want):
			case g.Want.Revision == Revision:
				t.Errorf("the output moved: raise Revision, then run with -update\n--- got\n%s\n--- want\n%s", encode(t, got), encode(t, g.Want))
			case *update:
				g.Want = got
				if err := os.WriteFile(g.file, encode(t, g), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("the corpus is of revision %d: look at what moves and run with -update\n--- got\n%s", g.Want.Revision, encode(t, got))
			}
		})
	}
}

func outcomeOf(t *testing.T, e *Extractor, g *golden) outcome {
	t.Helper()
	d, err := e.Read(g.page(t))
	if err != nil {
		t.Fatal(err)
	}
	doc := e.Finish(d, g.URL, document.Profile{})
	content := strings.Split(doc.Fields["Content"], "\n")
	hash := doc.Hash().String()
	delete(doc.Fields, "Content")
	return outcome{Revision, doc.Type, d.Titles, d.Warn, doc.Fields, content, hash}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

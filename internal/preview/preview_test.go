package preview_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
	"sitesync/internal/preview"
	"sitesync/internal/service"
	"sitesync/internal/ui"
	"sitesync/internal/wire"
)

func change(op document.Op, id, title, content string) document.Change {
	doc := document.Document{ID: id, Type: document.PageContent, Fields: map[string]string{"Title": title, "Content": content, "Url": id}}
	if op == document.Patch {
		doc.Fields = map[string]string{"Content": content}
	}
	c := document.Change{Op: op, ID: id, Type: doc.Type, State: document.Planned, Next: &document.Record{ID: id, Type: doc.Type, Fields: doc.FieldHashes(), Push: document.PushOK}}
	if op != document.Delete {
		c.Doc = doc.Wire()
	}
	return c
}

// TestPreview: before is the ledger's text, after is that and the plan without what is held;
// markup of documents stays text; an error is told once.
func TestPreview(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "sitesync.db")
	ledger, err := diffstore.Open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	var batch document.Batch
	for i := range 4 {
		c := change(document.Put, fmt.Sprintf("https://a.test/%d", i), fmt.Sprint("Page ", i), "Bees & <b>hives</b> <script>alert(1)</script>")
		batch.Settled = append(batch.Settled, document.Settled{Change: c, Outcome: document.Outcome{ID: c.ID, State: document.Acknowledged}})
	}
	if err := ledger.Step("1", batch); err != nil {
		t.Fatal(err)
	}
	if err := ledger.Close(); err != nil {
		t.Fatal(err)
	}
	plan := pendingPlan(t)
	p := preview.New(t.Context(), preview.Options{
		Engine: 1, Ledger: path, Texts: true, Dir: t.TempDir(),
		Tools: func(func(wire.Kind, []byte) error) error { return nil },
	})
	p.Pending(plan)
	if _, err := p.Search(t.Context(), ui.Before, ui.Query{Text: "bees"}); err == nil {
		t.Error("searched before it is built")
	}
	if progress := built(p); progress.Err != nil || len(progress.Sides) != 2 {
		t.Fatalf("built: %+v", progress)
	}
	for _, want := range []struct {
		side ui.Side
		text string
		n    int
	}{{ui.Before, "bees", 4}, {ui.Before, "ants", 0}, {ui.After, "bees", 2}, {ui.After, "ants", 2}, {ui.Before, "", 4}, {ui.After, "page", 3}} {
		got, err := p.Search(t.Context(), want.side, ui.Query{Text: want.text, Size: 10})
		if err != nil || got.Total != want.n || len(got.Hits) != want.n {
			t.Fatalf("%s %q: %+v, %v", want.side, want.text, got, err)
		}
		for _, hit := range got.Hits {
			const escaped = "<mark>Bees</mark> &amp; &lt;b&gt;hives&lt;/b&gt; &lt;script&gt;"
			if want.text == "bees" && !strings.Contains(string(hit.Snippet), escaped) {
				t.Errorf("%s is shown as %q", hit.ID, hit.Snippet)
			}
		}
	}
	p.Pending("")
	if progress := built(p); len(progress.Sides) != 1 || progress.Err != nil {
		t.Errorf("without a plan: %+v", progress)
	}
	p.Pending(filepath.Join(dir, "none"))
	if progress := built(p); progress.Err == nil {
		t.Error("a plan that is not there was shown")
	}
	raw, err := os.ReadFile(plan)
	if err := errors.Join(err, os.WriteFile(filepath.Join(dir, "none"), raw, 0o600)); err != nil {
		t.Fatal(err)
	}
	if progress := built(p); progress.Err != nil {
		t.Errorf("not tried again: %+v", progress)
	}
	p.Close()
}

// TestLive: an own field narrows, one of as many values as documents does not.
func TestLive(t *testing.T) {
	t.Parallel()
	local, err := service.Open(service.Options{Path: filepath.Join(t.TempDir(), "service.db"), APIKey: "key"})
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	var docs []service.Change
	for i := range 30 {
		doc := document.Document{ID: fmt.Sprint(i), Type: document.PageContent, Fields: map[string]string{
			"Title": "Page", "Content": "Bees", "Team": fmt.Sprint("Team ", i%3), "Number": fmt.Sprint(i),
		}}
		var c service.Change
		if err := json.Unmarshal(doc.Wire(), &c.Document); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, c)
	}
	if err := local.Write(1, "c", docs); err != nil {
		t.Fatal(err)
	}
	live := preview.Live{Service: local, Customer: 1, Engine: 1, Facets: []string{"Team", "Number"}}
	got, err := live.Search(t.Context(), ui.Before, ui.Query{Text: "bees", Size: 10, Filters: map[string][]string{"Team": {"Team 1"}}})
	if err != nil || got.Total != 10 || len(got.Facets) != 1 || got.Facets[0].Field != "Team" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestPreviewWithoutTexts: where the ledger keeps no text, the index as it is is not shown.
func TestPreviewWithoutTexts(t *testing.T) {
	t.Parallel()
	p := preview.New(t.Context(), preview.Options{
		Engine: 1, Ledger: filepath.Join(t.TempDir(), "none"), Dir: t.TempDir(),
		Tools: func(func(wire.Kind, []byte) error) error { return nil },
	})
	defer p.Close()
	p.Pending(pendingPlan(t))
	if progress := built(p); progress.Err != nil || len(progress.Sides) != 1 || !strings.Contains(progress.Note, "keeps no texts") {
		t.Fatalf("built: %+v", progress)
	}
	if got, err := p.Search(t.Context(), ui.After, ui.Query{Text: "ants", Size: 10}); err != nil || got.Total != 2 {
		t.Errorf("after: %+v, %v", got, err)
	}
}

// pendingPlan writes a plan of all kinds of change.
func pendingPlan(t *testing.T) (path string) {
	path = filepath.Join(t.TempDir(), "plan")
	out, err := planfile.Create(path, document.PlanHeader{})
	if err != nil {
		t.Fatal(err)
	}
	held := change(document.Delete, "https://a.test/3", "", "")
	held.State = document.Held
	for _, c := range []document.Change{
		change(document.Put, "https://a.test/new", "New", "Ants"), change(document.Patch, "https://a.test/0", "", "Ants now"),
		change(document.Delete, "https://a.test/1", "", ""), held,
	} {
		if err := out.Change(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(document.PlanTrailer{}); err != nil {
		t.Fatal(err)
	}
	return path
}

// built waits until the sides are built.
func built(p *preview.Preview) ui.Progress {
	for {
		if progress := p.Progress(); progress.Doing == "" {
			return progress
		}
		runtime.Gosched()
	}
}

package preview_test

import (
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
	"sitesync/internal/ui"
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
// markup of documents stays text; the folder is gone at the end.
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
	plan := filepath.Join(dir, "plan")
	out, err := planfile.Create(plan, document.PlanHeader{})
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
	folder := filepath.Join(dir, "folder")
	p := preview.New(t.Context(), preview.Options{
		Engine: 1, Ledger: path, Texts: true,
		Folder: func() (string, func() error, error) {
			return folder, func() error { return os.RemoveAll(folder) }, os.Mkdir(folder, 0o700)
		},
		Room:  func(string, int64) error { return nil },
		Tools: func() ([]preview.Tool, error) { return nil, nil },
	})
	p.Pending(plan)
	if _, err := p.Search(t.Context(), ui.Before, ui.Query{Text: "bees"}); err == nil {
		t.Error("searched before it is built")
	}
	for p.Progress().Doing != "" {
		runtime.Gosched()
	}
	if progress := p.Progress(); progress.Err != nil || !progress.After {
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
			var text, marked string
			for _, piece := range append(hit.Title, hit.Snippet...) {
				text += piece.Text
				if piece.Mark {
					marked += strings.ToLower(piece.Text)
				}
			}
			if want.text == "bees" && (marked != "bees" || !strings.Contains(text, "Bees & <b>hives</b> <script>")) {
				t.Errorf("%s is shown as %q, marked %q", hit.ID, text, marked)
			}
		}
	}
	p.Pending("")
	for p.Progress().Doing != "" {
		runtime.Gosched()
	}
	if progress := p.Progress(); progress.After || progress.Err != nil {
		t.Errorf("without a plan: %+v", progress)
	}
	p.Close()
	if _, err := os.Stat(folder); err == nil {
		t.Error("the folder is left")
	}
}

package ui

import (
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestChangePage: the page of a held patch shows old and new words, folds the fields that
// stay, and has the form that approves it; that of a delete says that the document goes.
func TestChangePage(t *testing.T) {
	old := &document.Document{ID: "https://www.example.com/a", Fields: map[string]string{"Title": "about bees", "Url": "/a"}}
	patch := document.Change{Op: document.Patch, ID: old.ID, State: document.Held, Brake: document.BrakeGroup, Doc: []byte(`{"fields":{"Title":"about wasps"}}`)}
	for _, c := range []struct {
		change document.Change
		want   []string
	}{
		{patch, []string{"<del>bees</del>", "<ins>wasps</ins>", "Approve this change", "<details><summary>1 unchanged field</summary><dl class=\"fields\"><dt>Url</dt><dd><bdi>/a</bdi></dd></dl></details>"}},
		{document.Change{Op: document.Delete, ID: old.ID}, []string{"It is not there any more", "about bees"}},
	} {
		page := changePage{Change: change{Entry: c.change.Entry(c.change.State, "")}, Old: old, New: merged(old, &c.change), Approve: true}
		page.Fields, page.Same = fieldsOf(page.Old, page.New)
		var got strings.Builder
		if err := parse("").ExecuteTemplate(&got, "change", page); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(got.String(), want) {
				t.Errorf("%s: no %q in %s", c.change.Op, want, got.String())
			}
		}
	}
}

package diffstore_test

import (
	"bytes"
	"errors"
	"os"
	"reflect"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// TestTools: search tools are kept by kind and name, for one engine alone; a backup has
// them.
func TestTools(t *testing.T) {
	path := newPath(t)
	fill(t, path)
	ledger := open(t, path, true)
	ours := document.ToolTarget{Base: "https://api.example.com", Customer: 1, Engine: 7}
	if known, err := ledger.Tools(ours); known != nil || err != nil {
		t.Errorf("a ledger without any: %v, %v", known, err)
	}
	want := []document.Tool{
		{Kind: "banner", Name: "Sale", ID: 2, Declared: document.HashOf("x"), Seen: bytes.Repeat([]byte(`{"a":1}`), 200)},
		{Kind: "ranking", Name: "Sale", Making: true},
	}
	var errs []error
	for _, tool := range append(want, document.Tool{Kind: "banner", Name: "Gone", ID: 9}) {
		errs = append(errs, ledger.PutTool(ours, tool))
	}
	theirs := ours
	theirs.Engine = 8
	if _, err := ledger.Tools(theirs); !errors.Is(err, diffstore.ErrOtherTools) {
		t.Errorf("tools of another engine: %v", err)
	}
	if err := ledger.PutTool(theirs, want[0]); !errors.Is(err, diffstore.ErrOtherTools) {
		t.Errorf("a tool of another engine: %v", err)
	}
	errs = append(errs, ledger.DropTool("banner", "Gone"), ledger.DropTool("banner", "never there"), ledger.Close())
	var backup bytes.Buffer
	errs = append(errs, diffstore.CheckApart(t.Context(), path), diffstore.Backup(path, &backup), os.WriteFile(path+".backup", backup.Bytes(), 0o600))
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if known, err := open(t, path+".backup", true).Tools(ours); !reflect.DeepEqual(known, want) || err != nil {
		t.Errorf("%+v, %v", known, err)
	}
}

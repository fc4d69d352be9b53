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

// TestProfile: sections stand as they were learned, those that are learned anew in
// place of the old ones; a ledger that never learned has none.
func TestProfile(t *testing.T) {
	missing, err := diffstore.OpenRead(newPath(t))
	if err != nil {
		t.Fatal(err)
	}
	if profile, err := missing.Profile(); profile != nil || err != nil {
		t.Errorf("a ledger that is not there has the profile %v, %v", profile, err)
	}
	ledger := newLedger(t)
	many := make([]uint64, 400)
	for i := range many {
		many[i] = uint64(i) << 50
	}
	site := document.Section{Blocks: append(many, 1, 1<<63), Titles: []string{"Site"}, Heads: []string{"Site: "}, Tails: []string{" – Site"}, Descriptions: []uint64{7}}.Sealed()
	news, newer := document.Section{}.Sealed(), document.Section{Blocks: []uint64{3}}.Sealed()
	for _, step := range []struct{ learned, want document.Profile }{
		{nil, nil},
		{document.Profile{"https://a.test": site, "https://a.test/news": news}, document.Profile{"https://a.test": site, "https://a.test/news": news}},
		{document.Profile{"https://a.test/news": newer}, document.Profile{"https://a.test": site, "https://a.test/news": newer}},
		{nil, document.Profile{"https://a.test": site, "https://a.test/news": newer}},
	} {
		err := ledger.Learn(step.learned)
		if got, readErr := ledger.Profile(); err != nil || readErr != nil || !reflect.DeepEqual(got, step.want) {
			t.Errorf("after learning %v the profile is %v, %v, %v", step.learned, got, err, readErr)
		}
	}
}

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

package diffstore_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// TestProfile: sections stand as they were learned, those that are learned anew in
// place of the old ones; a ledger that never learned has none.
func TestProfile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	read := func() document.Profile {
		t.Helper()
		ledger, err := diffstore.OpenRead(path)
		if err != nil {
			t.Fatal(err)
		}
		defer ledger.Close()
		profile, err := ledger.Profile()
		if err != nil {
			t.Fatal(err)
		}
		return profile
	}
	site := document.Section{Blocks: []uint64{1, 1 << 63}, Titles: []string{"Site"}, Heads: []string{"Site: "}, Tails: []string{" – Site"}, Descriptions: []uint64{7}}.Sealed()
	for n := range uint64(300) { // more than is kept unpacked
		site.Blocks = append(site.Blocks, n<<32)
	}
	site = site.Sealed()
	news, newer := document.Section{}.Sealed(), document.Section{Blocks: []uint64{3}}.Sealed()
	for _, step := range []struct{ learned, want document.Profile }{
		{nil, nil},
		{document.Profile{"https://a.test": site, "https://a.test/news": news}, document.Profile{"https://a.test": site, "https://a.test/news": news}},
		{document.Profile{"https://a.test/news": newer}, document.Profile{"https://a.test": site, "https://a.test/news": newer}},
		{nil, document.Profile{"https://a.test": site, "https://a.test/news": newer}},
	} {
		if step.want == nil && read() != nil {
			t.Error("a ledger that is not there has a profile")
		}
		ledger, err := diffstore.Open(path, true)
		if err != nil {
			t.Fatal(err)
		}
		if err := ledger.Learn(step.learned); err != nil {
			t.Fatal(err)
		}
		if err := ledger.Close(); err != nil {
			t.Fatal(err)
		}
		if got := read(); !reflect.DeepEqual(got, step.want) {
			t.Errorf("after learning %v the profile is %v", step.learned, got)
		}
	}
}

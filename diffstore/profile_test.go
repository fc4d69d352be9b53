package diffstore_test

import (
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
	many := make([]uint64, 400) // so many are packed
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

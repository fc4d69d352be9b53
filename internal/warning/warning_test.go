package warning

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"sitesync/internal/document"
)

// TestKeptWarningsDoNotDependOnTheirOrder: of each kind those with the smallest URLs are kept, whatever the
// order in which they came, and the rest is counted.
func TestKeptWarningsDoNotDependOnTheirOrder(t *testing.T) {
	const n = 5000
	var first []document.Warning
	for seed := range uint64(3) {
		var w List
		var wg sync.WaitGroup
		order := rand.New(rand.NewPCG(seed, 7)).Perm(n)
		for part := range 4 {
			wg.Go(func() {
				for _, i := range order[part*n/4 : (part+1)*n/4] {
					w.Add("many", fmt.Sprintf("https://a.test/%05d", i), "text")
					if i < MostKept {
						w.Add("few", fmt.Sprintf("https://a.test/%05d", n-i), "text")
					}
				}
			})
		}
		wg.Wait()
		if kept := len(w.kinds["many"]); kept > 2*MostKept {
			t.Errorf("%d warnings are kept in memory", kept)
		}
		all := w.All()
		if first == nil {
			first = all
		}
		if !reflect.DeepEqual(all, first) || !reflect.DeepEqual(w.All(), first) {
			t.Error("what is told depends on the order")
		}
	}
	if len(first) != 2*MostKept+1 {
		t.Fatalf("%d warnings", len(first))
	}
	if rest := first[2*MostKept]; rest != document.MoreWarnings("many", n-MostKept) {
		t.Errorf("the rest: %+v", rest)
	}
	if last := first[2*MostKept-1]; last.URL != fmt.Sprintf("https://a.test/%05d", MostKept-1) {
		t.Errorf("the last one: %+v", last)
	}
}

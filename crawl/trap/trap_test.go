package trap

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/spool"
)

// queue is a wave of URLs that links brought.
type queue struct {
	urls []string
	out  map[string]bool
}

func (q queue) URLs() iter.Seq[URL] {
	return func(yield func(URL) bool) {
		for _, url := range q.urls {
			if !yield(URL{URL: url, FP: spool.Fingerprint(url)}) {
				return
			}
		}
	}
}

func (q queue) LeaveOut(u URL) bool {
	q.out[u.URL] = true
	return true
}

func newTraps(t *testing.T, limit int) *Traps {
	log, err := spool.OpenLog(filepath.Join(t.TempDir(), "bodies.log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	return New(limit, log)
}

// TestPatternsAreBounded: with many more patterns than are counted the number of
// counts stays bounded, no pattern of few URLs is a trap, decisions do not depend on
// the order, and a trap is found in the waves after.
func TestPatternsAreBounded(t *testing.T) {
	var urls []string
	for i := range 150_000 {
		name := strings.NewReplacer("0", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5", "f", "6", "g", "7", "h", "8", "i", "9", "j").Replace(fmt.Sprint(i))
		urls = append(urls, "http://a.test/"+name+"/1")
		if i%1000 == 0 { // a hundred and fifty families of a hundred
			for n := range 100 {
				urls = append(urls, fmt.Sprintf("http://a.test/%s/x/%d", name, n))
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	var first map[string]bool
	for range 2 {
		random.Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
		traps := newTraps(t, 50)
		wave := queue{urls, map[string]bool{}}
		most := 0
		traps.Wave(1, func(yield func(URL) bool) {
			wave.URLs()(func(u URL) bool { most = max(most, len(traps.counts)); return yield(u) })
		}, wave.LeaveOut)
		if most > 100_000 || len(traps.counts) > 50_000 {
			t.Fatalf("%d counts, at most %d", len(traps.counts), most)
		}
		for url := range wave.out {
			if !strings.Contains(url, "/x/") {
				t.Fatalf("%s is left out", url)
			}
		}
		for n := range 12 { // five at a time, or they would be found one by one
			var later []string
			for i := range 5 {
				later = append(later, fmt.Sprint("http://a.test/later/", 5*n+i))
			}
			next := queue{later, wave.out}
			traps.Wave(2+n, next.URLs(), next.LeaveOut)
		}
		if !wave.out["http://a.test/later/50"] || wave.out["http://a.test/later/49"] {
			t.Error("the trap of later waves does not end at 50")
		}
		if first == nil {
			first = wave.out
		} else if len(first) != len(wave.out) || slices.ContainsFunc(urls, func(url string) bool { return first[url] != wave.out[url] }) {
			t.Error("the decision depends on the order")
		}
	}
	if len(first) < 5*50 {
		t.Errorf("%d URLs are left out", len(first))
	}
}

package cli_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"
)

var soak = flag.Int("soak", 20, "how many nights TestSoak lasts")

// TestSoak: night after night of a site of which 2 % change, memory, goroutines and
// descriptors stay what they were.
//
//	go test ./internal/cli -run Soak -soak 200 -v -timeout 60m
func TestSoak(t *testing.T) {
	w := newTown(t)
	w.site.AutoSitemap(true)
	w.site.HTML("/", "Home", "<p>Welcome to a town that changes a little every day.</p>")
	pages := min(5**soak, 1000)
	for i := range pages {
		w.soakPage(i, 0)
	}
	config := w.configure(t, "soak", w.base, 4)
	warm := min(20, *soak/2)
	var early taken
	for night := range *soak {
		for i := range pages / 50 {
			w.soakPage((night*pages/50+i)%pages, night)
		}
		w.run(t, 0, strconv.Itoa(1_800_000_000+86_400*night), "sync", "-c", config)
		w.site.Reset() // its log of requests
		if night+1 == warm {
			early = take()
		}
	}
	late := take()
	for end := time.Now().Add(patience); late.more(early) && time.Now().Before(end); late = take() { // servers may still be closing connections
		runtime.Gosched()
	}
	t.Logf("after night %d: %s; after night %d: %s", warm, early, *soak, late)
	if late.more(early) {
		t.Errorf("something grows")
	}
}

// soakPage writes one of the pages. Some turn up and go again.
func (w *town) soakPage(n, night int) {
	path := fmt.Sprintf("/section-%d/page-%d.html", n%9, n)
	if n%10 == 9 && night%2 == 1 {
		w.site.Remove(path)
		return
	}
	w.set(path, fmt.Sprintf("This is text number %d as it stands in night %d, and it is about subject %d.", n, night, n*n))
}

// taken is what the process takes of the machine.
type taken struct {
	heap                    uint64 // bytes in use
	anonMB                  float64
	goroutines, descriptors int
}

// more reports whether n is more than chance and the runtime make of early.
func (n taken) more(early taken) bool {
	return n.heap > early.heap+4<<20 || n.goroutines > early.goroutines+4 || n.descriptors > early.descriptors+4
}

func (n taken) String() string {
	return fmt.Sprintf("%.1f MB of heap in use, %.0f MB of anonymous memory, %d goroutines, %d descriptors", float64(n.heap)/1e6, n.anonMB, n.goroutines, n.descriptors)
}

func take() taken {
	runtime.GC()
	runtime.GC() // of what pools keep through one
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	open, _ := os.ReadDir("/proc/self/fd") // none where the system does not tell
	return taken{stats.HeapAlloc, anonymousMB("self"), runtime.NumGoroutine(), len(open)}
}

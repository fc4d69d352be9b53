package cli_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

var kills = flag.Int("kills", 50, "how often TestKills kills a run")

// Invariant 2: a run killed at any instant, then a clean one, end with exactly the
// site in the index, and with nothing in doubt.
func TestKills(t *testing.T) {
	w := newTown(t)
	w.build(40)
	config := w.configure(t, "kills", w.base, 4)
	random := rand.New(rand.NewPCG(7, uint64(*kills)))
	rounds := *kills
	if testing.Short() {
		rounds = min(rounds, 10)
	}
	var whole time.Duration
	for round := range rounds {
		w.mutate(random, round)
		began := time.Now()
		killed := w.kill(t, config, time.Duration(random.Int64N(int64(max(whole, 50*time.Millisecond)))))
		w.run(t, 0, "", "sync", "-c", config)
		if !killed {
			whole = time.Since(began)
		}
		w.compare(t, "kills.db", round)
	}
}

// mutate edits a few pages, adds one, and takes one away again.
func (w *town) mutate(random *rand.Rand, round int) {
	paths := slices.Sorted(maps.Keys(w.pages))
	for range 3 {
		path := paths[random.IntN(len(paths))]
		if path != "/variant" && path != "/section-0/page-0.html" {
			w.set(path, fmt.Sprintf("This is what the page says in round %d, and its number is %d, which is not to be lost.", round, random.IntN(1000)))
		}
	}
	w.set(fmt.Sprintf("/new/%d.html", round), fmt.Sprintf("This page is new in round %d, and it says so in a whole sentence.", round))
	if old := fmt.Sprintf("/new/%d.html", round-5); w.pages[old] != "" {
		delete(w.pages, old)
		w.site.Remove(old)
	}
	var links []string
	for path := range w.pages {
		links = append(links, path)
	}
	slices.Sort(links)
	w.site.HTML("/", "Home", fmt.Sprintf("welcome, round %d", round), append(links, "/old.html", "/variant?x=1", "/copy.html", "/hidden.html", "/form.pdf")...)
	w.pages["/"] = fmt.Sprintf("welcome, round %d", round)
}

// kill starts a sync in a process of its own and kills it after a while; it
// reports whether the process was still at work.
func (w *town) kill(t *testing.T, config string, after time.Duration) bool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = []string{"sitesync", "sync", "-c", config}
	cmd.Env = append(os.Environ(), "SITESYNC_API_KEY="+apiKey)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if err != nil && ctx.Err() == nil {
		t.Fatalf("sync: %v\n%s", err, out.String())
	}
	return err != nil
}

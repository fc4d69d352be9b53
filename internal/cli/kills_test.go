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
	"strings"
	"testing"
	"time"

	"sitesync/internal/testsite"
)

var kills = flag.Int("kills", 8, "how often TestKillLosesNothing kills a run; TestDamagedLedgers damages each kind of page a quarter as often")

// Invariant 2: a kill at any instant loses nothing. After a clean run that follows it, the index holds exactly
// the site, and nothing is in doubt, whatever kind of night it was.
func TestKillLosesNothing(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.build(40)
	w.set("/here.html", "This page moves between two addresses and stays what it is.")
	w.set("/twin.html", "This page is now a twin of another one and now its own.")
	config := w.configure(t, "kills", w.base, 4)
	usual := w.read(t, "kills.toml")
	random := rand.New(rand.NewPCG(7, uint64(*kills)))
	whole, killed := w.kill(t, config, time.Hour), 0 // how long a run takes
	for round := range *kills {
		w.mutate(random, round)
		night := killedNights[round%len(killedNights)]
		night.before(w, t)
		after := time.Duration(random.Int64N(int64(whole * 5 / 4)))
		took := w.kill(t, config, after)
		if took == 0 {
			killed++
		}
		if took > 0 || after > whole { // it takes longer than was thought
			whole = max(took, after)
		}
		var out bytes.Buffer
		if code := w.try(t, &out, "", "sync", "-c", config); !slices.Contains(night.codes, code) {
			t.Fatalf("round %d, %s: exit code %d\n%s", round, night.name, code, out.String())
		}
		if night.after != nil {
			night.after(w, t)
			w.write(t, "kills.toml", usual)
			w.run(t, 0, "", "sync", "-c", config)
		}
		w.compare(t, "kills.db", fmt.Sprintf("%d, %s", round, night.name))
	}
	t.Logf("%d of %d runs were killed", killed, *kills)
}

// A killedNight is what happens to the site beside the usual changes. Where something is the
// matter that passes, after ends it.
type killedNight struct {
	name          string
	codes         []int // of the run after the one that was killed
	before, after func(*town, *testing.T)
}

var killedNights = []killedNight{
	{name: "as ever", codes: []int{0}, before: func(*town, *testing.T) {}},
	{name: "a move", codes: []int{0}, before: func(w *town, _ *testing.T) {
		from, to := "/here.html", "/there.html"
		if w.pages[from] == "" {
			from, to = to, from
		}
		w.set(to, w.pages[from])
		w.site.Redirect(from, to, 301)
		delete(w.pages, from)
		w.home("one of us has moved")
	}},
	{name: "a twin", codes: []int{0}, before: func(w *town, _ *testing.T) {
		if w.pages["/twin.html"] == "" {
			w.set("/twin.html", "This page is now a twin of another one and now its own.")
			return
		}
		delete(w.pages, "/twin.html")
		w.site.Set("/twin.html", testsite.Page{Body: `<html><head><link rel=canonical href="/section-0/page-0.html"></head><body>` + w.main(w.pages["/section-0/page-0.html"]) + `</body></html>`})
	}},
	{name: "robots.txt is out", codes: []int{0, 3}, before: func(w *town, _ *testing.T) { // 0: a run that goes on has a copy
		w.site.Fault("/robots.txt", testsite.Status(503, ""))
	}, after: func(w *town, _ *testing.T) { w.site.Heal("/robots.txt") }},
	{name: "a section is excluded", codes: []int{0}, before: func(w *town, t *testing.T) {
		w.write(t, "kills.toml", bytes.Replace(w.read(t, "kills.toml"), []byte("[fetch]\n"), []byte("exclude = [\"/section-3/**\"]\n[fetch]\n"), 1))
	}, after: func(w *town, t *testing.T) {
		for path := range index(t, w.service, w.site.URL()) {
			if strings.HasPrefix(path, "/section-3/") {
				t.Errorf("%s is excluded, and in the index", path)
			}
		}
	}},
	{name: "too many deletes", codes: []int{4}, before: func(w *town, _ *testing.T) {
		w.site.Fault("/section-1/*", testsite.Say(404, "Not here", "There is nothing."))
		w.site.Fault("/section-2/*", testsite.Say(404, "Not here", "There is nothing."))
	}, after: func(w *town, t *testing.T) {
		if held := index(t, w.service, w.site.URL()); held["/section-1/page-1.html"] == "" || held["/section-2/page-2.html"] == "" {
			t.Errorf("what the brakes hold is gone: %v", held)
		}
		w.site.Heal("/section-1/*")
		w.site.Heal("/section-2/*")
	}},
}

// mutate edits a few pages, adds one, and takes one away again.
func (w *town) mutate(random *rand.Rand, round int) {
	paths := slices.Sorted(maps.Keys(w.pages))
	for range 3 {
		path := paths[random.IntN(len(paths))]
		if strings.HasPrefix(path, "/section-") && path != "/section-0/page-0.html" {
			w.set(path, fmt.Sprintf("This is what the page says in round %d, and its number is %d, which is not to be lost.", round, random.IntN(1000)))
		}
	}
	w.set(fmt.Sprintf("/new/%d.html", round), fmt.Sprintf("This page is new in round %d, and it says so in a whole sentence.", round))
	if old := fmt.Sprintf("/new/%d.html", round-5); w.pages[old] != "" {
		delete(w.pages, old)
		w.site.Remove(old)
	}
	w.home(fmt.Sprintf("welcome, round %d", round))
}

// home sets the page that leads to all others.
func (w *town) home(text string) {
	w.pages["/"] = text
	links := append(slices.Collect(maps.Keys(w.pages)), "/old.html", "/variant?x=1", "/copy.html", "/hidden.html", "/form.pdf", "/here.html", "/there.html", "/twin.html")
	slices.Sort(links)
	w.site.HTML("/", "Home", text, slices.Compact(links)...)
}

// kill starts a sync in a process of its own and kills it after a while. It returns
// how long the process took, 0 when it was still at work.
func (w *town) kill(t *testing.T, config string, after time.Duration) time.Duration {
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
	cmd.Dir = w.dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	err = cmd.Run()
	switch {
	case err == nil:
		return time.Since(began)
	case ctx.Err() == nil && cmd.ProcessState.ExitCode() != 3 && cmd.ProcessState.ExitCode() != 4:
		t.Fatalf("sync: %v\n%s", err, out.String())
	case ctx.Err() == nil:
		return time.Since(began)
	}
	return 0
}

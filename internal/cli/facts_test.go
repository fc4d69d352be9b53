package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"sitesync/internal/report/site"
)

// facts are what list says of each URL, without what depends on when it was read.
func (w *town) facts(t *testing.T, config string) map[string]site.Page {
	t.Helper()
	var all struct{ Pages []site.Page }
	if err := json.Unmarshal([]byte(w.run(t, 0, "", "list", "--format", "json", "-c", config)), &all); err != nil {
		t.Fatal(err)
	}
	of := map[string]site.Page{}
	for _, p := range all.Pages {
		p.Read, p.Changed, p.Since = 0, 0, 0
		of[p.URL] = p
	}
	return of
}

// TestFactsAreKept: after nights on which few pages are read, list says of every URL what it
// says once every page was read again: what is known of the others holds, their links too.
func TestFactsAreKept(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.build(40)
	w.site.Validators(true)
	config := w.configure(t, "one", w.base, 4)
	random := rand.New(rand.NewPCG(1, 2))
	epoch := 1_800_000_000
	night := func(args ...string) {
		epoch += 86_400 / 8 // so that no page is due for a recheck
		var out bytes.Buffer
		if code := w.try(t, &out, strconv.Itoa(epoch), append([]string{"sync", "--allow-deletes", "-q", "-c", config}, args...)...); code != 0 && code != 3 && code != 4 {
			t.Fatalf("exit code %d: %s", code, out.String())
		}
	}
	night()
	for round := range 4 {
		for range 3 {
			n := random.IntN(40)
			path, to := fmt.Sprintf("/section-%d/page-%d.html", n%7, n), fmt.Sprintf("/new-%d-%d.html", round, n)
			switch random.IntN(4) {
			case 0:
				w.site.Remove(path)
			case 1:
				w.site.Redirect(path, "/variant", 301)
			case 2:
				w.html(path, "Renamed", w.main("another text"), to, "/nowhere.html", "/old.html")
				w.html(to, "New", w.main(to), "/")
			default:
				w.html(path, "Page "+path, w.main(fmt.Sprint("night ", round)))
			}
		}
		night()
		night() // a redirect to another page is believed the second time
		kept := w.facts(t, config)
		night("--full")
		read := w.facts(t, config)
		for url, want := range read {
			if got := kept[url]; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
				t.Errorf("round %d, %s:\nkept %+v\nread %+v", round, url, got, want)
			}
		}
		if len(kept) != len(read) {
			t.Errorf("round %d: %d URLs are kept, %d were read", round, len(kept), len(read))
		}
	}
}

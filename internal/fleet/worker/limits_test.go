package worker_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/worker"
)

// Sites that share a host are run one after the other, also by two workers; sites of other
// hosts do not wait for them.
func TestSitesOfOneHostTakeTurns(t *testing.T) {
	t.Parallel()
	f := newTown(t)
	var (
		mu      sync.Mutex
		running = map[bool]int{}
		begun   = make(chan struct{}, 8)
		apart   = make(chan struct{})
		ended   = make(chan bool, 8)
	)
	count := func(shared bool, by int) int {
		mu.Lock()
		defer mu.Unlock()
		running[shared] += by
		return running[shared]
	}
	p := &scripted{sync: func(ctx context.Context, job worker.Job) worker.Outcome {
		raw, _ := os.ReadFile(job.Config)
		shared := strings.Contains(string(raw), "www.example.com")
		if n := count(shared, 1); shared && n > 1 {
			t.Errorf("%d sites of www.example.com are run at once", n)
		}
		if shared {
			begun <- struct{}{}
			select {
			case <-apart:
			case <-ctx.Done():
			}
		} else {
			close(apart)
		}
		count(shared, -1)
		ended <- shared
		return writes(job, "one")
	}}
	f.work("a", p, 0)
	f.work("b", p, 0)
	f.now()
	for i, start := range []string{"https://www.example.com/a/", "https://www.example.com/b/", "https://other.example.com/"} {
		name := fmt.Sprint("site-", i)
		s, err := site.Read(name, name+".toml", fmt.Appendf(nil, "[site]\nstart = [%q]\n[push]\nbase_url = \"https://eu.example.net\"\ncustomer_id = 7\ncrawler_id = %q\n", start, name))
		must(t, err)
		must(t, f.sites.Put(t.Context(), &s, "add", "test"))
		if strings.Contains(start, "other") {
			<-begun // one of those that share a host waits for this one
		}
		must(t, f.sites.Now(t.Context(), name))
	}
	for range 4 {
		<-ended
	}
}

// A worker with groups leaves other sites to those who have their keys.
func TestWorkersOfGroups(t *testing.T) {
	t.Parallel()
	f := newTown(t)
	entry, err := f.sites.Get(t.Context(), "home")
	must(t, err)
	must(t, f.sites.Remove(t.Context(), "home", true))
	text := strings.Replace("[fleet]\ngroup = \"uni\"\n"+entry.TOML, "\n\n", "\n", 1)
	of, err := site.Read("home", "home.toml", []byte(text))
	must(t, err)
	must(t, f.sites.Put(t.Context(), &of, "add", "test"))
	p := &scripted{sync: func(_ context.Context, job worker.Job) worker.Outcome { return writes(job, "one") }}
	f.groups = []string{"", "towns"}
	f.work("towns", p, 0)
	f.groups = []string{"towns", "uni"}
	f.work("uni", p, 0)
	for range 4 {
		before := f.until("any state", func(lease.State) bool { return true }).Done
		f.now()
		if state := f.until("a result", func(s lease.State) bool { return done(s) && s.Done.After(before) }); state.Last.Worker != "uni" {
			t.Fatalf("the last run is %+v", state.Last)
		}
	}
}

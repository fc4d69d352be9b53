package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"pgregory.net/rapid"

	"sitesync/internal/cli"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	fleetsite "sitesync/internal/fleet/site"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/testsite"
	"sitesync/internal/testsite/deployed"
)

// depot is the fleet that histories are played by.
type depot struct {
	url   string
	bus   *bus.Bus
	sites *fleetsite.Sites

	nights, lost, resumed int
}

func newDepot(t *testing.T) *depot {
	t.Helper()
	b, url := deployed.Bus(t)
	return &depot{url: url, bus: b, sites: fleetsite.New(b)}
}

// enlist puts the house's configuration of tonight into the fleet, and makes it due.
func (d *depot) enlist(h *house) {
	site, err := fleetsite.Read(h.name, h.name+".toml", append(h.bytes(h.file(".toml")), "\n[fleet]\nschedule = \"0 3 1 1 *\"\n"...))
	h.must(err)
	was, err := d.sites.Get(h.rt.Context(), h.name)
	switch {
	case errors.Is(err, fleetsite.ErrUnknown):
		err = d.sites.Put(h.rt.Context(), &site, "add", "model")
	case err == nil:
		site.Revision = was.Revision
		err = d.sites.Put(h.rt.Context(), &site, "set", "model")
	}
	h.must(err)
}

// fleetNight is a night that workers play: where the crash says so, the first one is lost in
// its midst, with its disk, and another machine takes over.
func (d *depot) fleetNight(h *house, c crash) {
	d.enlist(h)
	since := d.state(h).Done
	h.must(d.sites.Now(h.rt.Context(), h.name))
	d.nights++
	if !d.loses(h, c, since) {
		d.lost++
		d.run(h, since)
	}
	if d.state(h).Last.Resumed {
		d.resumed++
	}
	d.fetch(h)
}

// run is a run of a worker that lives.
func (d *depot) run(h *house, since time.Time) {
	h.must(d.sites.Now(h.rt.Context(), h.name)) // at once, not when the queue finds that nobody is there
	d.works(h, since, func(ctx context.Context, args []string) {
		cli.Run(ctx, args, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}, h.worker(d))
	})
}

// fetch puts the ledger where the house has it.
func (d *depot) fetch(h *house) {
	if state := d.state(h); state.Ledger != nil {
		h.must(snapshot.New(d.bus).Get(h.rt.Context(), "ledger", h.name, *state.Ledger, h.ledger()))
	}
}

// worker is the environment of a worker.
func (h *house) worker(d *depot) func(string) string {
	return func(name string) string {
		return map[string]string{"SITESYNC_API_KEY": apiKey, "SOURCE_DATE_EPOCH": strconv.FormatInt(h.epoch, 10), "SITESYNC_NATS": d.url}[name]
	}
}

func (d *depot) state(h *house) (s lease.State) {
	entry, err := d.bus.States.Get(h.rt.Context(), h.name)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return s
	}
	if err == nil {
		err = json.Unmarshal(entry.Value(), &s)
	}
	h.must(err)
	return s
}

// works runs a worker on a machine of its own until the house's site was run to its end, or
// the worker ended. It reports whether the site was.
func (d *depot) works(h *house, since time.Time, run func(ctx context.Context, args []string)) bool {
	machine, err := os.MkdirTemp(h.dir, "machine-")
	h.must(err)
	ctx, stop := context.WithCancel(h.rt.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		run(ctx, []string{"fleet", "worker", "--name", filepath.Base(machine), "--dir", machine, "--lease", "1s", "--drain", "0s", "--slots", "1"})
	}()
	watch, err := d.bus.States.Watch(ctx, h.name)
	h.must(err)
	defer func() {
		stop()
		<-ended
		h.must(os.RemoveAll(machine))
	}()
	late := time.After(time.Minute)
	for {
		select {
		case entry := <-watch.Updates():
			var s lease.State
			if entry != nil && json.Unmarshal(entry.Value(), &s) == nil && s.Done.After(since) && s.Holder == "" {
				return true
			}
		case <-ended:
			return false
		case <-late:
			h.rt.Fatalf("no worker brought the site to its end within a minute: %+v", d.state(h))
		}
	}
}

// loses runs a worker which ends at a call of the service or at a request of the site: by
// SIGTERM, or by a kill. It reports whether the site was run to its end before.
func (d *depot) loses(h *house, c crash, since time.Time) bool {
	self, err := os.Executable()
	h.must(err)
	lost, strike := context.WithCancel(h.rt.Context())
	defer strike()
	run := func(ctx context.Context, args []string) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		context.AfterFunc(lost, stop)
		if !c.Kill {
			cli.Run(ctx, args, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}, h.worker(d))
			return
		}
		child := exec.CommandContext(ctx, self) // whose end is a kill
		child.Args, child.Dir = append([]string{"sitesync"}, args...), h.dir
		for _, name := range []string{"SITESYNC_API_KEY", "SOURCE_DATE_EPOCH", "SITESYNC_NATS"} {
			child.Env = append(child.Environ(), name+"="+h.worker(d)(name))
		}
		h.rt.Logf("  a worker, to be killed: %v", child.Run())
	}
	if c.Crawl {
		h.model.site.Fault("/*", testsite.After(c.At, func(*http.Request, *testsite.Answer) { strike() }))
		defer h.model.site.Heal("/*")
	} else {
		h.clerk.reset(1+c.At, c.Applied, strike)
		defer h.clerk.reset(0, false, nil)
	}
	return d.works(h, since, run)
}

// TestFleetHistories plays random histories twice: by sync, and by workers of a fleet of which
// the first one of each night is lost at a call of the service or a request of the site, with
// its disk. Index and ledger are the same after each night: a kill at any instant ends as no
// kill does (invariant 2), also across machines.
//
// Ordinary runs play a few; -rapid.checks=60 plays 15.
func TestFleetHistories(t *testing.T) {
	t.Parallel()
	most, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	if err != nil {
		t.Fatal(err)
	}
	if most = most / 4; most == 25 || most < 3 { // what rapid does unless told otherwise
		most = 2
	}
	site := testsite.New()
	t.Cleanup(site.Close)
	dir := t.TempDir()
	c, d, n := newClerk(t, dir), newDepot(t), 0
	rapid.Check(t, func(rt *rapid.T) {
		if n++; n > most {
			return
		}
		h := drawHistory(rt)
		h.Twin, h.Nights = "fleet", h.Nights[:min(len(h.Nights), 3)]
		for i := range h.Nights {
			crash := &h.Nights[i].Crash
			crash.Kill = i%2 == 0
			crash.At %= 3 // early enough to be in most runs
			if crash.Crawl {
				crash.At *= 4
			}
		}
		here := filepath.Join(dir, fmt.Sprint(n))
		if err := os.Mkdir(here, 0o700); err != nil {
			rt.Fatal(err)
		}
		rt.Cleanup(func() { os.RemoveAll(here) })
		c.fleet = d
		h.play(rt, site, c, here)
	})
	t.Logf("%d nights, in %d of which a worker was lost; %d plans were taken over", d.nights, d.lost, d.resumed)
}

package site_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/config"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/site"
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

// add stores a site and returns it as it stands.
func add(t testing.TB, sites *site.Sites, name, more string) site.Site {
	t.Helper()
	s := read(t, name, more)
	must(t, sites.Put(t.Context(), &s, "add", "anna"))
	return get(t, sites, name)
}

func get(t testing.TB, sites *site.Sites, name string) site.Site {
	t.Helper()
	s, err := sites.Get(t.Context(), name)
	must(t, err)
	return s
}

func pause(t testing.TB, sites *site.Sites, name string, paused bool) {
	t.Helper()
	s := get(t, sites, name)
	s.Paused = paused
	must(t, sites.Put(t.Context(), &s, "pause", "anna"))
}

func revert(t testing.TB, sites *site.Sites, name string, revision uint64) {
	t.Helper()
	was, err := sites.Earlier(t.Context(), name, revision)
	must(t, err)
	must(t, sites.Put(t.Context(), &was, "revert", "carl"))
}

// queue returns how many messages stand under each subject of the queue.
func queue(t testing.TB, b *bus.Bus) map[string]uint64 {
	t.Helper()
	info, err := b.Queue.Info(t.Context(), jetstream.WithSubjectFilter(">"))
	must(t, err)
	return info.State.Subjects
}

// addSoon stores a site that is due within two seconds, but not within one, and returns when.
func addSoon(t testing.TB, sites *site.Sites, name string) time.Time {
	t.Helper()
	f := config.Fleet{Schedule: "*/5 * * * *", Timezone: time.UTC}
	s := add(t, sites, name, "")
	for from := time.Now(); ; from = time.Now() {
		due := from
		for jitter := 300; due.Sub(from) <= time.Second || due.Sub(from) > 2*time.Second; jitter++ {
			f.Jitter = config.Duration(time.Duration(jitter) * time.Second)
			due = f.Next(name, from)
		}
		changed := read(t, name, fmt.Sprintf("[fleet]\nschedule = %q\njitter = \"%ds\"\n", f.Schedule, time.Duration(f.Jitter)/time.Second))
		changed.Revision = s.Revision
		must(t, sites.Put(t.Context(), &changed, "set", "anna"))
		s = get(t, sites, name)
		if due.After(s.At) { // else this machine was slow, and the due time after it was meant
			return due
		}
	}
}

// received waits for the next due message of a priority.
func received(t testing.TB, b *bus.Bus, p bus.Priority) site.Due {
	t.Helper()
	consumer, err := b.Queue.Consumer(t.Context(), string(p))
	must(t, err)
	m, err := consumer.Next(jetstream.FetchMaxWait(20 * time.Second))
	must(t, err)
	d, err := site.ReadDue(m.Data())
	must(t, err)
	must(t, m.DoubleAck(t.Context()))
	return d
}

func TestDueComesOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b, _, end := deployed.BusIn(t, dir)
	sites := site.New(b)
	addSoon(t, sites, "paused")
	pause(t, sites, "paused", true)
	due := addSoon(t, sites, "alive")
	if d := received(t, b, bus.Normal); d.Site != "alive" || !d.At.Equal(due) {
		t.Errorf("%+v, want alive at %s", d, due)
	}
	if left := queue(t, b); len(left) != 0 {
		t.Errorf("left in the queue: %v", left)
	}

	lateDue := addSoon(t, sites, "late")
	end()
	<-time.After(time.Until(lateDue.Add(time.Millisecond)))
	b, _, end = deployed.BusIn(t, dir)
	defer end()
	if d := received(t, b, bus.Normal); d.Site != "late" || !d.At.Equal(lateDue) {
		t.Errorf("after a restart: %+v, want late at %s", d, lateDue)
	}
	if left := queue(t, b); len(left) != 0 {
		t.Errorf("left in the queue: %v", left)
	}
}

func TestReconcileMendsTheQueue(t *testing.T) {
	t.Parallel()
	b, _ := deployed.Bus(t)
	sites, ctx := site.New(b), t.Context()
	for _, name := range []string{"lost", "fine", "gone", "paused", "damaged"} {
		add(t, sites, name, "")
	}
	whole := get(t, sites, "paused")
	pause(t, sites, "paused", true)
	stale := get(t, sites, "gone")
	must(t, sites.Remove(ctx, "gone", false))
	if left := queue(t, b); len(left) != 3 {
		t.Fatalf("after a pause and a removal: %v", left)
	}
	// What a worker had read before: a pause is seen, a removal may come too late.
	must(t, sites.Schedule(ctx, whole, time.Now()))
	must(t, sites.Schedule(ctx, stale, time.Now()))
	must(t, b.Queue.Purge(ctx, jetstream.WithPurgeSubject(bus.At("lost"))))
	must(t, sites.Now(ctx, "damaged"))
	must(t, b.Queue.Purge(ctx, jetstream.WithPurgeSubject(bus.At("damaged"))))
	_, err := b.Sites.Put(ctx, "damaged", []byte("{"))
	must(t, err)
	must(t, sites.Reconcile(ctx))
	left := queue(t, b)
	if len(left) != 3 || left[bus.At("lost")] != 1 || left[bus.At("fine")] != 1 || left[bus.Due(bus.Normal, "damaged")] != 1 {
		t.Errorf("in the queue: %v", left)
	}
	before, err := b.Queue.Info(ctx)
	must(t, err)
	must(t, sites.Reconcile(ctx))
	if after, err := b.Queue.Info(ctx); err != nil || after.State.LastSeq != before.State.LastSeq {
		t.Errorf("the second time it schedules again: %v", err)
	}
	pause(t, sites, "paused", false)
	if queue(t, b)[bus.At("paused")] != 1 {
		t.Error("a resumed site is not scheduled")
	}
}

func TestDueUnderItsPriority(t *testing.T) {
	t.Parallel()
	b, _ := deployed.Bus(t)
	sites := site.New(b)
	add(t, sites, "a", "[fleet]\npriority = \"high\"\n")
	must(t, sites.Now(t.Context(), "a"))
	must(t, sites.Now(t.Context(), "a"))
	left := queue(t, b)
	if len(left) != 2 || left[bus.Due(bus.High, "a")] != 1 || left[bus.At("a")] != 1 {
		t.Errorf("in the queue: %v", left)
	}
	if d := received(t, b, bus.High); d.Site != "a" || time.Since(d.At).Abs() > time.Minute {
		t.Errorf("%+v", d)
	}
	pause(t, sites, "a", true)
	if err := sites.Now(t.Context(), "a"); !errors.Is(err, site.ErrPaused) {
		t.Errorf("a paused site is run: %v", err)
	}
}

func TestChangesAreComparedAndKept(t *testing.T) {
	t.Parallel()
	b, _ := deployed.Bus(t)
	sites, ctx := site.New(b), t.Context()
	one := add(t, sites, "a", "")
	again := one
	again.Revision = 0
	if err := sites.Put(ctx, &again, "add", "bert"); !errors.Is(err, site.ErrKnown) {
		t.Errorf("added twice: %v", err)
	}
	two := read(t, "a", "[fleet]\ngroup = \"g\"\n")
	two.Revision = one.Revision
	late := two
	must(t, sites.Put(ctx, &two, "set", "bert"))
	if err := sites.Put(ctx, &late, "set", "carl"); !errors.Is(err, site.ErrChanged) {
		t.Errorf("a lost change: %v", err)
	}
	must(t, sites.Remove(ctx, "a", false))
	if err := sites.Now(ctx, "a"); !errors.Is(err, site.ErrUnknown) {
		t.Errorf("an unknown site: %v", err)
	}
	all, err := sites.List(ctx)
	if err != nil || len(all) != 0 {
		t.Errorf("a removed site is listed: %+v, %v", all, err)
	}
	revert(t, sites, "a", 0)
	if s := get(t, sites, "a"); s.Fleet.Group != "g" || s.By != "carl" || s.TOML != two.TOML {
		t.Errorf("after a revert of a removal: %+v", s)
	}
	revert(t, sites, "a", one.Revision)
	if s := get(t, sites, "a"); s.TOML != one.TOML {
		t.Errorf("after a revert to the first: %+v", s)
	}
	if _, err := sites.Earlier(ctx, "a", 1); err == nil || !strings.Contains(err.Error(), "no revision 1 to go back to") {
		t.Errorf("a revert to what is not there: %v", err)
	}
	history, err := sites.History(ctx, "a")
	must(t, err)
	var says []string
	for _, s := range history {
		says = append(says, s.Why+" by "+s.By)
	}
	if got := strings.Join(says, ", "); got != "add by anna, set by bert, remove by , revert by carl, revert by carl" || !history[2].Removed {
		t.Errorf("history: %s", got)
	}
}

func TestDamagedSite(t *testing.T) {
	t.Parallel()
	b, _ := deployed.Bus(t)
	sites, ctx := site.New(b), t.Context()
	add(t, sites, "a", "")
	add(t, sites, "b", "")
	for _, bad := range []string{"{", "[]", `{"timezone":"No/Where","fleet":{"priority":"high"}}`, `{"fleet":{"priority":"urgent"}}`} {
		_, err := b.Sites.Put(ctx, "a", []byte(bad))
		must(t, err)
		all, err := sites.List(ctx)
		if err != nil || len(all) != 2 || all[1].Damaged == "" || all[0].Damaged != "" {
			t.Errorf("%s: %+v, %v", bad, all, err)
		}
		if _, err := sites.Get(ctx, "a"); err == nil || !strings.Contains(err.Error(), "sitesync fleet revert takes back") {
			t.Errorf("%s: %v", bad, err)
		}
		revert(t, sites, "a", 0)
		get(t, sites, "a")
	}
}

// A purged site is forgotten, but a worker that still runs it has lost its lease.
func TestPurge(t *testing.T) {
	t.Parallel()
	b, _ := deployed.Bus(t)
	sites, ctx := site.New(b), t.Context()
	add(t, sites, "a", "")
	keeper, err := lease.Watch(ctx, b.States, lease.Options{Worker: "w", Length: time.Minute})
	must(t, err)
	defer keeper.Close()
	held, err := keeper.Take(ctx, "a")
	must(t, err)
	for _, subject := range []string{bus.File("ledger", "a", 1, "x"), bus.File("mark", "a", 1, "1"), bus.File("plan", "ab", 1, "x"), bus.Run("a")} {
		_, err := b.JS.Publish(ctx, subject, []byte("x"))
		must(t, err)
	}
	must(t, sites.Remove(ctx, "a", false))
	files, err := b.Files.Info(ctx)
	if err != nil || files.State.Msgs != 3 {
		t.Errorf("a removal took files: %+v, %v", files.State, err)
	}
	must(t, sites.Remove(ctx, "a", true))
	files, err = b.Files.Info(ctx)
	must(t, err)
	runs, err := b.Runs.Info(ctx)
	must(t, err)
	if files.State.Msgs != 1 || runs.State.Msgs != 0 {
		t.Errorf("left: %d files, %d runs; want 1 and 0", files.State.Msgs, runs.State.Msgs)
	}
	if err := held.Change(ctx, func(*lease.State) {}); !errors.Is(err, lease.ErrLost) {
		t.Errorf("a worker goes on: %v", err)
	}
	next, err := keeper.Take(ctx, "a")
	if err != nil || next.State().Number != held.State().Number+2 {
		t.Errorf("the next lease: %+v, %v", next, err)
	}
}

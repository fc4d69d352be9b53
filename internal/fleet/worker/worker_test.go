package worker_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sitesync/internal/apply"
	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/monitor"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/fleet/worker"
	"sitesync/internal/testsite/deployed"
)

const leaseLength = time.Second

// town is a fleet of one site on a server of its own.
type town struct {
	t     *testing.T
	bus   *bus.Bus
	sites *site.Sites
}

var must = deployed.Must

func newTown(t *testing.T) *town {
	t.Helper()
	b, _ := deployed.Bus(t)
	f := &town{t, b, site.New(b)}
	entry, err := site.Read("home", "home.toml", []byte("[site]\nstart = [\"https://www.example.com/\"]\n[push]\nbase_url = \"https://eu.example.net\"\ncustomer_id = 7\ncrawler_id = \"c\"\n"))
	must(t, err)
	must(t, f.sites.Put(t.Context(), &entry, "add", "test"))
	return f
}

// hand is a worker under way.
type hand struct {
	keeper *lease.Keeper
	stop   context.CancelFunc
	ended  chan struct{}
}

// work starts a worker whose sites are run by p.
func (f *town) work(name string, p worker.Pipeline, drain time.Duration) *hand {
	f.t.Helper()
	return f.workIn(f.t.TempDir(), name, p, drain)
}

// workIn is work in a folder that may be an earlier worker's.
func (f *town) workIn(dir, name string, p worker.Pipeline, drain time.Duration) *hand {
	f.t.Helper()
	keeper, err := lease.Watch(f.t.Context(), f.bus.States, lease.Options{Worker: name, Length: leaseLength})
	must(f.t, err)
	w, err := worker.New(f.t.Context(), f.bus, keeper, worker.Options{
		Name: name, Slots: 2, Length: leaseLength, Drain: drain, Dir: dir, Pipeline: p,
		Monitor: monitor.New(monitor.Options{}), Log: slog.New(slog.DiscardHandler),
	})
	must(f.t, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(f.t.Context()))
	h := &hand{keeper, stop, make(chan struct{})}
	go func() { w.Work(ctx); close(h.ended) }()
	f.t.Cleanup(h.end)
	return h
}

func (h *hand) end() {
	h.stop()
	<-h.ended
	h.keeper.Close()
}

func (f *town) now() {
	f.t.Helper()
	must(f.t, f.sites.Now(f.t.Context(), "home"))
}

// until waits for a state of the site that is as wanted, and returns it.
func (f *town) until(what string, is func(lease.State) bool) lease.State {
	f.t.Helper()
	reader, err := lease.Watch(f.t.Context(), f.bus.States, lease.Options{Worker: "reader"})
	must(f.t, err)
	defer reader.Close()
	var state lease.State
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		state, _, err = reader.Look(f.t.Context(), "home")
		must(f.t, err)
		if is(state) {
			return state
		}
	}
	f.t.Fatalf("%s never came; the state is %+v, last %+v", what, state, state.Last)
	return state
}

// scripted is a pipeline whose commands the test writes.
type scripted struct {
	sync  func(ctx context.Context, job worker.Job) worker.Outcome
	apply func(ctx context.Context, job worker.Job, plan string) worker.Outcome

	doubts []string
}

func (s *scripted) Run(ctx context.Context, job worker.Job, plan string) worker.Outcome {
	if plan == "" {
		return s.sync(ctx, job)
	}
	return s.apply(ctx, job, plan)
}
func (s *scripted) Doubt(_ context.Context, _ worker.Job, reason string) error {
	s.doubts = append(s.doubts, reason)
	return nil
}

// writes is a run that leaves text in the ledger's place.
func writes(job worker.Job, text string) worker.Outcome {
	if err := os.WriteFile(filepath.Join(job.Dir, "sitesync.db"), []byte(text), 0o600); err != nil {
		return worker.Outcome{Err: err, Exit: 1}
	}
	return worker.Outcome{Summary: &document.Summary{Run: text}, Documents: 3, Report: "all of it"}
}

func interrupted(ctx context.Context) worker.Outcome {
	<-ctx.Done()
	return worker.Outcome{Err: ctx.Err(), Exit: 130}
}

func done(s lease.State) bool { return s.Last != nil && s.Holder == "" }

// sender notes what it is given, in batches of two.
type sender struct {
	mu   sync.Mutex
	sent []string
	stop string // at this change it waits until its worker is dead
}

func (s *sender) Apply(ctx context.Context, _ document.Op, changes []document.Change, report func([]document.Outcome) error) error {
	for batch := range slices.Chunk(changes, 2) {
		var outcomes []document.Outcome
		for _, c := range batch {
			if c.ID == s.stop {
				<-ctx.Done()
				return ctx.Err()
			}
			s.mu.Lock()
			s.sent = append(s.sent, c.ID)
			s.mu.Unlock()
			outcomes = append(outcomes, document.Outcome{ID: c.ID, State: document.Acknowledged, By: "row"})
		}
		if err := report(outcomes); err != nil {
			return err
		}
	}
	return nil
}

// send sends six changes of a plan that was stored.
func send(ctx context.Context, job worker.Job, inner apply.Sender) error {
	var changes []document.Change
	for i := range 6 {
		changes = append(changes, document.Change{Op: document.Put, ID: fmt.Sprint("https://www.example.com/", i)})
	}
	reported := 0
	err := job.Through(inner).Apply(ctx, document.Put, changes, func(outcomes []document.Outcome) error {
		reported += len(outcomes)
		return nil
	})
	if err == nil && reported != len(changes) {
		err = fmt.Errorf("%d outcomes were reported", reported)
	}
	return err
}

// Who takes over goes on with the very plan: what has a mark is not sent again.
func TestPlanIsTakenOver(t *testing.T) {
	t.Parallel()
	f := newTown(t)
	dying := &sender{stop: "https://www.example.com/4"}
	sending := make(chan struct{})
	a := f.work("a", &scripted{sync: func(ctx context.Context, job worker.Job) worker.Outcome {
		path := filepath.Join(job.Dir, "plan")
		err := os.WriteFile(path, []byte("the plan"), 0o600)
		if err == nil {
			err = job.Planned(ctx, path, "run-1")
		}
		close(sending)
		return worker.Outcome{Err: errors.Join(err, send(ctx, job, dying)), Exit: 130}
	}}, time.Hour)
	f.now()
	<-sending
	f.until("a plan", func(s lease.State) bool { return s.Plan != nil && s.Plan.Run == "run-1" })
	a.keeper.Close() // it is as good as dead: its lease runs out
	rest := &sender{}
	read := ""
	f.work("b", &scripted{apply: func(ctx context.Context, job worker.Job, plan string) worker.Outcome {
		raw, _ := os.ReadFile(plan)
		read = string(raw)
		out := writes(job, "run-1")
		out.Err = send(ctx, job, rest)
		return out
	}}, 0)
	state := f.until("the result of the plan", done)
	if !state.Last.Resumed || state.Plan != nil || state.Last.Worker != "b" || read != "the plan" {
		t.Errorf("the state is %+v, last %+v, and the plan %q", state, state.Last, read)
	}
	dying.mu.Lock()
	defer dying.mu.Unlock()
	if got := append(slices.Clone(dying.sent), rest.sent...); len(got) != 6 || !slices.IsSorted(got) {
		t.Errorf("sent: %q, then %q", dying.sent, rest.sent)
	}
}

// What ends a run before its time leaves the site to the next worker, or to the next due time.
func TestRunsThatEndEarly(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		sync func(f *town, h **hand) func(context.Context, worker.Job) worker.Outcome
		want func(lease.State) bool
	}{
		"drained": {func(_ *town, h **hand) func(context.Context, worker.Job) worker.Outcome {
			return func(ctx context.Context, _ worker.Job) worker.Outcome { (*h).stop(); return interrupted(ctx) }
		}, func(s lease.State) bool { return s.Number == 1 && s.Holder == "" && s.Last == nil && s.Tries == 0 }},
		"cancelled": {func(f *town, _ **hand) func(context.Context, worker.Job) worker.Outcome {
			return func(ctx context.Context, _ worker.Job) worker.Outcome {
				if answer, err := f.bus.Conn.Request(bus.Cancel("home"), nil, 10*time.Second); err != nil || string(answer.Data) != "a" {
					f.t.Errorf("the answer to a cancel is %v (%v)", answer, err)
				}
				return interrupted(ctx)
			}
		}, func(s lease.State) bool {
			return done(s) && s.Last.Exit == 130 && !s.Done.IsZero() && !s.NotWell.IsZero()
		}},
		"this machine's fault": {func(*town, **hand) func(context.Context, worker.Job) worker.Outcome {
			return func(context.Context, worker.Job) worker.Outcome {
				return worker.Outcome{Err: errors.New("no room"), Exit: 1, MachineFault: true}
			}
		}, func(s lease.State) bool {
			return s.Holder == "" && s.Last == nil && s.Tries == 0 && strings.Contains(s.Trouble, "a: no room")
		}},
		"the site's fault": {func(*town, **hand) func(context.Context, worker.Job) worker.Outcome {
			return func(context.Context, worker.Job) worker.Outcome {
				return worker.Outcome{Err: errors.New("wrong key"), Exit: 2}
			}
		}, func(s lease.State) bool {
			return done(s) && s.Last.Exit == 2 && s.Last.Stopped == "wrong key" && s.Tries == 0
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newTown(t)
			var h *hand
			h = f.work("a", &scripted{sync: test.sync(f, &h)}, 0)
			f.now()
			f.until(name, test.want)
		})
	}
}

// A plan of which something is lost is given up: everything is in doubt, and the site is
// planned anew.
func TestLostPlanIsGivenUp(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"plan", "mark"} {
		f := newTown(t)
		keeper, err := lease.Watch(t.Context(), f.bus.States, lease.Options{Worker: "gone"})
		must(t, err)
		l, err := keeper.Take(t.Context(), "home")
		must(t, err)
		plan := lease.Plan{File: lease.File{Number: 1, Size: 5, Sum: strings.Repeat("0", 64)}, Run: "run-1", At: time.Now()}
		if lost == "mark" {
			path := filepath.Join(t.TempDir(), "plan")
			must(t, os.WriteFile(path, []byte("the plan"), 0o600))
			plan.File, err = snapshot.New(f.bus).Put(t.Context(), "plan", "home", l.Number(), path, nil)
			must(t, err)
			plan.Marks = []lease.Marks{{Number: l.Number(), Count: 1}}
		}
		must(t, l.Release(t.Context(), func(s *lease.State) { s.Plan = &plan }))
		keeper.Close()
		p := &scripted{sync: func(_ context.Context, job worker.Job) worker.Outcome { return writes(job, "anew") }}
		a := f.work("a", p, 0)
		f.now()
		state := f.until("a result", done)
		a.end()
		if state.Last.Run != "anew" || state.Plan != nil || len(p.doubts) != 1 || !strings.Contains(p.doubts[0], "run-1") {
			t.Errorf("%s: the state is %+v, last %+v; doubts %q", lost, state, state.Last, p.doubts)
		}
	}
}

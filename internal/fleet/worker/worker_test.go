package worker_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/monitor"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/worker"
	"sitesync/internal/testsite/deployed"
)

const leaseLength = time.Second

// town is a fleet of one site on a server of its own.
type town struct {
	t      *testing.T
	bus    *bus.Bus
	sites  *site.Sites
	groups []string // of the next worker
}

var must = deployed.Must

func newTown(t *testing.T) *town {
	t.Helper()
	b, _ := deployed.Bus(t)
	f := &town{t: t, bus: b, sites: site.New(b)}
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
		Name: name, Slots: 2, Groups: f.groups, Length: leaseLength, Drain: drain, Dir: dir, Pipeline: p,
		Monitor: monitor.New(0, "", nil), Log: slog.New(slog.DiscardHandler),
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
	sync   func(ctx context.Context, job worker.Job) worker.Outcome
	doubts []string // what was to be doubted, and why
}

func (s *scripted) Run(ctx context.Context, job worker.Job) worker.Outcome { return s.sync(ctx, job) }

func (s *scripted) Doubt(job worker.Job, plan, reason string) error {
	raw, _ := os.ReadFile(plan)
	s.doubts = append(s.doubts, string(raw)+": "+reason)
	return writes(job, "in doubt").Err
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

// Who takes over puts the plan in doubt, and commits that before it plans anew: where it dies too,
// nothing was sent that is not known.
func TestPlanIsTakenOver(t *testing.T) {
	t.Parallel()
	f := newTown(t)
	a := f.work("a", &scripted{sync: func(ctx context.Context, job worker.Job) worker.Outcome {
		path := filepath.Join(job.Dir, "plan")
		err := os.WriteFile(path, []byte("the plan"), 0o600)
		if err == nil {
			err = job.Planned(ctx, path, "run-1")
		}
		<-ctx.Done()
		return worker.Outcome{Err: err, Exit: 130}
	}}, time.Hour)
	f.now()
	f.until("a plan", func(s lease.State) bool { return s.Plan != nil && s.Plan.Run == "run-1" })
	a.keeper.Close() // it is as good as dead: its lease runs out
	p := &scripted{}
	p.sync = func(_ context.Context, job worker.Job) worker.Outcome {
		f.until("the doubt", func(s lease.State) bool { return s.Plan == nil && s.Ledger != nil })
		return writes(job, "anew")
	}
	h := f.work("b", p, 0)
	state := f.until("a result", done)
	h.end()
	if state.Last.Run != "anew" || !state.Last.Resumed || state.Last.Worker != "b" {
		t.Errorf("the state is %+v, last %+v", state, state.Last)
	}
	if len(p.doubts) == 0 || p.doubts[0] != "the plan: run run-1 did not end" {
		t.Errorf("in doubt: %q", p.doubts)
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
		"drained while it sends": {func(_ *town, h **hand) func(context.Context, worker.Job) worker.Outcome {
			return func(ctx context.Context, job worker.Job) worker.Outcome {
				err := job.Planned(ctx, job.Config, "run-1")
				(*h).stop()
				<-ctx.Done()
				out := writes(job, "some of it")
				out.Summary.Stopped, out.Err = "interrupted", errors.Join(err, out.Err)
				return out
			}
		}, func(s lease.State) bool {
			return s.Number == 1 && s.Holder == "" && s.Last == nil && s.Tries == 0 && s.Ledger != nil && s.Plan != nil && *s.Plan == (lease.Plan{Run: "some of it"})
		}},
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

// Of a plan that is lost nobody knows what it held: every document is in doubt.
func TestLostPlan(t *testing.T) {
	t.Parallel()
	f := newTown(t)
	keeper, err := lease.Watch(t.Context(), f.bus.States, lease.Options{Worker: "gone"})
	must(t, err)
	l, err := keeper.Take(t.Context(), "home")
	must(t, err)
	plan := lease.Plan{File: lease.File{Number: 1, Size: 5, Sum: strings.Repeat("0", 64)}, Run: "run-1"}
	must(t, l.Release(t.Context(), func(s *lease.State) { s.Plan = &plan }))
	keeper.Close()
	p := &scripted{sync: func(_ context.Context, job worker.Job) worker.Outcome { return writes(job, "anew") }}
	a := f.work("a", p, 0)
	f.now()
	state := f.until("a result", done)
	a.end()
	if state.Last.Run != "anew" || state.Plan != nil || !slices.Equal(p.doubts, []string{": run run-1 did not end"}) {
		t.Errorf("the state is %+v, last %+v; doubts %q", state, state.Last, p.doubts)
	}
}

// An entry that this worker does not believe is run by it never, and the fleet is told why.
func TestEntryIsRefused(t *testing.T) {
	t.Parallel()
	f := newTown(t)
	entry, err := f.sites.Get(t.Context(), "home")
	must(t, err)
	f.now()
	operator, err := nkeys.CreateUser()
	must(t, err)
	public, err := operator.PublicKey()
	must(t, err)
	f.bus.Seal, err = bus.NewSeal(bus.Options{Worker: "a"}, []string{public})
	must(t, err)
	f.work("a", &scripted{sync: func(context.Context, worker.Job) worker.Outcome {
		t.Error("it was run")
		return worker.Outcome{}
	}}, 0)
	f.until("word of it", func(s lease.State) bool {
		return s.Refused == entry.Revision && s.Holder == "" && s.Tries == 0 && strings.Contains(s.Trouble, "no operator has signed it")
	})
}

// slow is a server's queue whose clock is three days behind the workers'.
type slow struct{ jetstream.Stream }

// noted is a server whose schedule is noted.
type noted struct {
	jetstream.JetStream
	due chan site.Due
}

const behind = 72 * time.Hour

func (s slow) Info(ctx context.Context, opts ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	info, err := s.Stream.Info(ctx, opts...)
	if err == nil {
		info.TimeStamp = info.TimeStamp.Add(-behind)
	}
	return info, err
}

func (s noted) PublishMsg(ctx context.Context, m *nats.Msg, opts ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	if m.Subject != bus.At("home") {
		return s.JetStream.PublishMsg(ctx, m, opts...)
	}
	due, err := site.ReadDue(m.Data)
	s.due <- due
	return &jetstream.PubAck{}, err
}

// Due times go by the server's clock: a worker whose own is three days ahead skips no night.
func TestClockAhead(t *testing.T) {
	t.Parallel()
	f := newTown(t)
	server := noted{f.bus.JS, make(chan site.Due, 9)}
	f.bus.Queue, f.bus.JS = slow{f.bus.Queue}, server
	f.now()
	f.work("a", &scripted{sync: func(_ context.Context, job worker.Job) worker.Outcome { return writes(job, "one") }}, 0)
	f.until("a result", done)
	if due := <-server.due; time.Until(due.At) > 25*time.Hour-behind {
		t.Errorf("the site is due at %s, in %s", due.At, time.Until(due.At)+behind)
	}
}

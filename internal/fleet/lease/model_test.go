package lease_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/nats-io/nats.go/jetstream"
	"pgregory.net/rapid"

	"sitesync/internal/fleet/lease"
)

// machine is a worker's machine: its clocks, its connection, the lease that it believes in.
type machine struct {
	mu   sync.Mutex
	now  time.Time     // with a monotonic reading
	step time.Duration // of the wall clock, against the monotonic one

	keeper *lease.Keeper
	wire   *wire
	lease  *lease.Lease
	base   uint64 // the number of the ledger that it began with
}

// Now is a moment with the machine's monotonic reading, and with its wall clock, which was
// set: no function of package time takes the two apart.
func (m *machine) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now.Add(m.step)
	parts := (*[2]int64)(unsafe.Pointer(&now)) //nolint:gosec // wall and ext of time.Time
	parts[1] -= int64(m.step)
	return now
}

// add lets time pass; a machine that sleeps has a monotonic clock that stands still.
func (m *machine) add(d time.Duration, asleep bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if asleep {
		m.step += d
		return
	}
	m.now = m.now.Add(d)
}

// wire is a bucket whose answers get lost, and which may be read from a replica that is behind.
type wire struct {
	jetstream.KeyValue
	mu     sync.Mutex
	came   sync.Cond               // on mu: an entry was seen
	seen   uint64                  // the revision of the last one
	fault  string                  // of the next write: "lost" before the server, or its "answer"
	behind bool                    // the next read shows the entry before
	past   jetstream.KeyValueEntry // that it shows then
}

func newWire(kv jetstream.KeyValue) *wire {
	w := &wire{KeyValue: kv}
	w.came.L = &w.mu
	return w
}

// watcher tells the wire what its keeper has seen.
type watcher struct {
	jetstream.KeyWatcher
	updates chan jetstream.KeyValueEntry
}

func (w watcher) Updates() <-chan jetstream.KeyValueEntry { return w.updates }

// WatchAll shows each entry twice: who takes the second one has noted the first.
func (w *wire) WatchAll(ctx context.Context, o ...jetstream.WatchOpt) (jetstream.KeyWatcher, error) {
	inner, err := w.KeyValue.WatchAll(ctx, o...)
	if err != nil {
		return nil, err
	}
	updates := make(chan jetstream.KeyValueEntry)
	go func() {
		defer close(updates)
		for entry := range inner.Updates() {
			for range 2 {
				select {
				case updates <- entry:
				case <-ctx.Done():
					return
				}
				if entry == nil {
					break
				}
			}
			w.mu.Lock()
			if entry != nil {
				w.seen = entry.Revision()
			}
			w.came.Broadcast()
			w.mu.Unlock()
		}
	}()
	return watcher{inner, updates}, nil
}

// await waits until the keeper has noted a revision.
func (w *wire) await(revision uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.seen < revision {
		w.came.Wait()
	}
}

func (w *wire) write(do func() (uint64, error)) (uint64, error) {
	w.mu.Lock()
	fault := w.fault
	w.fault = ""
	w.mu.Unlock()
	if fault == "lost" {
		return 0, context.DeadlineExceeded
	}
	revision, err := do()
	if fault == "answer" {
		return 0, context.DeadlineExceeded
	}
	return revision, err
}

func (w *wire) Create(ctx context.Context, key string, value []byte, o ...jetstream.KVCreateOpt) (uint64, error) {
	return w.write(func() (uint64, error) { return w.KeyValue.Create(ctx, key, value, o...) })
}

func (w *wire) Update(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	return w.write(func() (uint64, error) { return w.KeyValue.Update(ctx, key, value, revision) })
}

func (w *wire) Get(ctx context.Context, key string) (jetstream.KeyValueEntry, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.behind && w.past != nil && w.past.Key() == key {
		w.behind = false
		return w.past, nil
	}
	return w.KeyValue.Get(ctx, key)
}

// fleet is one site and the machines that want it.
type fleet struct {
	rt       *rapid.T
	kv       jetstream.KeyValue
	site     string
	machines []*machine
	numbers  map[uint64]int  // of leases: whose
	commits  map[uint64]bool // numbers of ledgers that were committed
	last     uint64          // the number of the newest ledger
	past     []jetstream.KeyValueEntry
}

const (
	machines = 3
	length   = time.Hour // no renewal comes by itself while the test runs
)

// take has a machine take the site, and nobody else may believe in a lease then.
func (f *fleet) take(i int) {
	m := f.machines[i]
	l, err := m.keeper.Take(f.rt.Context(), f.site)
	f.rt.Logf("%d takes: %v", i, err)
	if err != nil {
		return
	}
	s := l.State()
	m.lease, m.base = l, ledgerOf(&s)
	if whose, given := f.numbers[l.State().Number]; given {
		f.rt.Fatalf("the number %d was given to %d, and to %d again", l.State().Number, whose, i)
	}
	f.numbers[l.State().Number] = i
	for j, other := range f.machines {
		if j != i && other.lease != nil && other.lease.Left() > 0 {
			f.rt.Fatalf("%d has the lease %d, and %d believes in %d for another %s", i, l.State().Number, j, other.lease.State().Number, other.lease.Left())
		}
	}
}

func ledgerOf(s *lease.State) uint64 {
	if s.Ledger == nil {
		return 0
	}
	return s.Ledger.Number
}

// change renews a lease, or ends it with a ledger.
func (f *fleet) change(i int, commit bool) {
	m := f.machines[i]
	if m.lease == nil {
		return
	}
	number, left := m.lease.State().Number, m.lease.Left()
	var err error
	if commit {
		err = m.lease.Release(f.rt.Context(), func(s *lease.State) { s.Ledger = &lease.File{Number: number} })
	} else {
		err = m.lease.Change(f.rt.Context(), func(*lease.State) {})
	}
	f.rt.Logf("%d changes %d (commit %v) with %s left: %v", i, number, commit, left, err)
	if err == nil && left <= 0 {
		f.rt.Fatalf("%d changed the entry after its lease %d", i, number)
	}
	if commit || errors.Is(err, lease.ErrLost) {
		m.lease = nil
	}
}

// look compares what the server holds with what it held.
func (f *fleet) look() {
	entry, err := f.kv.Get(f.rt.Context(), f.site)
	if err != nil {
		return
	}
	if n := len(f.past); n == 0 || f.past[n-1].Revision() != entry.Revision() {
		f.past = append(f.past, entry)
	}
	for _, m := range f.machines {
		m.wire.await(entry.Revision())
	}
	s := stateOf(f.rt, entry)
	now := ledgerOf(&s)
	switch {
	case now == f.last:
		return
	case now < f.last:
		f.rt.Fatalf("the ledger %d stands where %d stood", now, f.last)
	case f.commits[now]:
		f.rt.Fatalf("two commits have the number %d", now)
	}
	if base := f.machines[f.numbers[now]].base; base != f.last {
		f.rt.Fatalf("the ledger %d was made from %d, and %d was there", now, base, f.last)
	}
	f.commits[now], f.last = true, now
}

// One site, machines that pause, sleep, have their clocks set, lose answers and read from
// replicas that are behind: never are there two commits with one number, never does an older
// ledger stand over a newer one, and nobody believes in a lease that another one took over.
func TestAnyInterleaving(t *testing.T) {
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		must(t, f.Value.Set("60"))
	}
	kv := states(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		f := &fleet{rt: rt, kv: kv, site: fmt.Sprintf("site-%d", n), numbers: map[uint64]int{}, commits: map[uint64]bool{}}
		for i := range machines {
			m := &machine{now: time.Now(), wire: newWire(kv)}
			k, err := lease.Watch(rt.Context(), m.wire, lease.Options{Worker: fmt.Sprint(i), Length: length, Now: m.Now})
			if err != nil {
				rt.Fatal(err)
			}
			rt.Cleanup(k.Close)
			m.keeper = k
			f.machines = append(f.machines, m)
		}
		sleeps := rapid.Bool().Draw(rt, "machines sleep, and nobody sets their clocks")
		i := func() int { return rapid.IntRange(0, machines-1).Draw(rt, "machine") }
		some := func() time.Duration {
			return rapid.SampledFrom([]time.Duration{length * 2 / 3, length + time.Minute, length - time.Minute, length / 6, length, 2 * length}).Draw(rt, "time")
		}
		rt.Repeat(map[string]func(*rapid.T){
			"":       func(*rapid.T) { f.look() },
			"take":   func(*rapid.T) { f.take(i()) },
			"renew":  func(*rapid.T) { f.change(i(), false) },
			"commit": func(*rapid.T) { f.change(i(), true) },
			"passes": func(*rapid.T) {
				f.pass(some(), -1)
				f.take(i())
			},
			"sleeps": func(*rapid.T) {
				if sleeps {
					f.pass(some(), i())
					f.take(i())
				}
			},
			"clock is set": func(*rapid.T) {
				if m := f.machines[i()]; !sleeps {
					m.mu.Lock()
					m.step += some() * time.Duration(rapid.SampledFrom([]int{-5, -1, 1, 5}).Draw(rt, "times"))
					m.mu.Unlock()
				}
			},
			"loses": func(*rapid.T) {
				f.machines[i()].wire.set(rapid.SampledFrom([]string{"lost", "answer"}).Draw(rt, "fault"), nil)
			},
			"is behind": func(*rapid.T) {
				if back := rapid.IntRange(1, 3).Draw(rt, "back"); back <= len(f.past) {
					f.machines[i()].wire.set("", f.past[len(f.past)-back])
				}
			},
		})
		f.endsWell()
	})
}

func (w *wire) set(fault string, past jetstream.KeyValueEntry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if past != nil {
		w.behind, w.past = true, past
		return
	}
	w.fault = fault
}

// pass lets time pass everywhere; one machine may sleep meanwhile.
func (f *fleet) pass(d time.Duration, sleeper int) {
	f.rt.Logf("%s pass, %d sleeps", d, sleeper)
	for i, m := range f.machines {
		m.add(d, i == sleeper)
	}
}

// endsWell sees that the site is not stuck: in the end a machine takes and commits it.
func (f *fleet) endsWell() {
	for _, m := range f.machines {
		m.wire.set("", nil)
		m.wire.mu.Lock()
		m.wire.behind = false
		m.wire.mu.Unlock()
		m.lease = nil // it crashed
	}
	f.look()
	f.pass(length+time.Minute, -1)
	f.take(0)
	if f.machines[0].lease == nil {
		f.rt.Fatal("nobody can take the site any more")
	}
	f.change(0, true)
	f.look()
}

func stateOf(rt *rapid.T, entry jetstream.KeyValueEntry) (s lease.State) {
	if err := json.Unmarshal(entry.Value(), &s); err != nil {
		rt.Fatal(err)
	}
	return s
}

// A worker that has a site, is offered it again and reads its entry from a replica that is
// behind gets no second lease: the refused write is not to be taken for one whose answer was
// lost.
func TestTakenOnceByOne(t *testing.T) {
	kv := states(t)
	w := newWire(kv)
	k, err := lease.Watch(t.Context(), w, lease.Options{Worker: "a", Length: length})
	must(t, err)
	t.Cleanup(k.Close)
	before := takes(t, k, "site", nil)
	must(t, before.Release(t.Context(), func(*lease.State) {}))
	for _, renewed := range []bool{false, true} {
		past, err := kv.Get(t.Context(), "site")
		must(t, err)
		first := takes(t, k, "site", nil)
		if renewed {
			must(t, first.Change(t.Context(), func(*lease.State) {}))
		}
		w.set("", past)
		if second, err := k.Take(t.Context(), "site"); !errors.Is(err, lease.ErrHeld) {
			t.Errorf("renewed %v: the lease %d is given again: %+v, %v", renewed, first.State().Number, second, err)
		}
		must(t, first.Release(t.Context(), func(*lease.State) {}))
	}
}

//go:build linux

package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	fleetsite "sitesync/internal/fleet/site"
)

var (
	sitesFlag   = flag.Int("fleet.sites", 6, "sites of TestFleet")
	pagesFlag   = flag.Int("fleet.pages", 8, "pages of each site")
	nodesFlag   = flag.Int("fleet.nodes", 1, "NATS servers")
	workersFlag = flag.Int("fleet.workers", 2, "workers")
	nightsFlag  = flag.Int("fleet.nights", 2, "nights with trouble")
	everyFlag   = flag.Duration("fleet.every", 0, "trouble of all kinds each `TIME`; 0: a kill and a pause each night, at a call of the service")
	seedFlag    = flag.Uint64("fleet.seed", 1, "of the trouble")
)

// proof is a fleet that is shaken.
type proof struct {
	t        testing.TB
	dir      string
	length   time.Duration // of a lease
	cluster  *cluster
	acks     acks  // that the nodes have given
	wire     *wire // of the test's own connection
	recorder *recorder
	bus      *bus.Bus
	book     *fleetsite.Sites
	sites    []*site
	random   *rand.Rand

	mu      sync.Mutex
	states  map[string]lease.State
	workers []*crew
	hired   int
	group   sync.WaitGroup // of what mends what was broken
	did     map[string]int // trouble, by kind
	closing bool
	calm    time.Time // since when no node was killed
}

// crew is a worker as a process.
type crew struct {
	name string
	dir  string
	wire *wire
	cmd  *exec.Cmd
	log  *os.File
	idle bool          // it is paused, cut off or full
	over chan struct{} // closed when its process has ended
}

// newProof starts servers, sites and workers, and puts the sites into the fleet.
func newProof(t testing.TB, sites, pages int, cluster *cluster, workers int) *proof {
	t.Helper()
	p := &proof{
		t: t, dir: fastDir(t), length: 2 * time.Second, states: map[string]lease.State{}, did: map[string]int{},
		random: rand.New(rand.NewPCG(*seedFlag, 18)), //nolint:gosec // it is to be the same each time
	}
	p.recorder = newRecorder(t, p.dir)
	byName := map[string]*site{}
	for i := range sites {
		s := newSite(t, i, pages)
		p.sites = append(p.sites, s)
		byName[s.name] = s
	}
	p.recorder.lives = func(name, id string) bool { return byName[name].lives(id) }
	p.cluster, p.acks.last = cluster, map[string]uint64{}
	p.wire = newWire(t, cluster.addresses(), &p.acks)
	conn := connect(t, p.wire.url())
	t.Cleanup(conn.Close)
	eventually(t, time.Minute, "the fleet is set up", func() (err error) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := bus.Setup(ctx, conn); err != nil {
			return err
		}
		p.bus, err = bus.Open(ctx, conn)
		return err
	})
	p.hurry()
	p.book = fleetsite.New(p.bus)
	p.follow()
	for _, s := range p.sites {
		p.add(s)
	}
	t.Cleanup(p.close)
	for range workers {
		p.hire("")
	}
	return p
}

// hurry has the queue offer a site again soon after its worker died.
func (p *proof) hurry() {
	for _, priority := range bus.Priorities() {
		consumer, err := p.bus.Queue.Consumer(p.t.Context(), string(priority))
		must(p.t, err)
		config := consumer.CachedInfo().Config
		config.AckWait = p.length
		_, err = p.bus.Queue.UpdateConsumer(p.t.Context(), config)
		must(p.t, err)
	}
}

func (p *proof) add(s *site) {
	raw, err := os.ReadFile(s.configure(p.t, p.dir, p.recorder.server.URL, "[fleet]\nschedule = \"0 3 1 1 *\"\n"))
	must(p.t, err)
	entry, err := fleetsite.Read(s.name, s.name+".toml", raw)
	must(p.t, err)
	must(p.t, p.book.Put(p.t.Context(), &entry, "add", "proof"))
}

// follow keeps what is known of the sites' states.
func (p *proof) follow() {
	watcher, err := p.bus.States.WatchAll(p.t.Context())
	must(p.t, err)
	go func() {
		for entry := range watcher.Updates() {
			if entry == nil {
				continue
			}
			var s lease.State
			if json.Unmarshal(entry.Value(), &s) == nil {
				p.mu.Lock()
				p.states[entry.Key()] = s
				p.mu.Unlock()
			}
		}
	}()
}

func (p *proof) state(site string) lease.State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.states[site]
}

// hire starts a new worker, with a folder of its own unless one is given.
func (p *proof) hire(dir string) *crew {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return nil
	}
	p.hired++
	w := &crew{name: fmt.Sprintf("w%d", p.hired), dir: dir, wire: newWire(p.t, p.cluster.addresses(), &p.acks)}
	if dir == "" {
		w.dir = filepath.Join(p.dir, w.name)
	}
	var err error
	w.log, err = os.Create(filepath.Join(p.dir, w.name+".log"))
	must(p.t, err)
	w.cmd = child(p.t, roleProgram, []string{"SITESYNC_API_KEY=" + keyOf(w.name), "SITESYNC_NATS=" + w.wire.url()},
		"fleet", "worker", "--name", w.name, "--dir", w.dir, "--lease", p.length.String(), "--slots", "2", "--drain", "1s")
	w.cmd.Stdout, w.cmd.Stderr = w.log, w.log
	w.over = make(chan struct{})
	must(p.t, w.cmd.Start())
	go func() {
		_ = w.cmd.Wait()
		close(w.over)
	}()
	p.workers = append(p.workers, w)
	return w
}

// dismiss ends a worker, as a crash does, and forgets it.
func (p *proof) dismiss(w *crew) {
	_ = w.cmd.Process.Kill()
	<-w.over
	w.wire.close()
	_ = w.log.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, other := range p.workers {
		if other == w {
			p.workers = append(p.workers[:i], p.workers[i+1:]...)
			break
		}
	}
}

// replace hires a worker for each that ended by itself, as systemd does.
func (p *proof) replace() {
	p.mu.Lock()
	var gone []*crew
	for _, w := range p.workers {
		select {
		case <-w.over:
			if !w.idle {
				gone = append(gone, w)
			}
		default:
		}
	}
	p.mu.Unlock()
	for _, w := range gone {
		p.note("ended by itself", w.name)
		p.dismiss(w)
		p.hire("")
	}
}

func (p *proof) close() {
	p.mu.Lock()
	p.closing = true
	all := append([]*crew(nil), p.workers...)
	p.mu.Unlock()
	p.group.Wait()
	for _, w := range all {
		p.dismiss(w)
	}
	if !p.t.Failed() {
		return
	}
	logs, _ := filepath.Glob(filepath.Join(p.dir, "w*.log"))
	for _, file := range logs {
		raw, _ := os.ReadFile(file)
		p.t.Logf("%s:\n%s", filepath.Base(file), bytes.TrimSpace(raw[max(0, len(raw)-6000):]))
	}
}

// due makes all sites due, and returns when that was on the servers' clock.
func (p *proof) due() time.Time {
	var info *jetstream.StreamInfo
	eventually(p.t, 30*time.Second, "the servers tell the time", func() (err error) {
		info, err = p.bus.Queue.Info(p.t.Context())
		return err
	})
	for _, s := range p.sites {
		eventually(p.t, 30*time.Second, s.name+" is due", func() error {
			ctx, cancel := context.WithTimeout(p.t.Context(), 5*time.Second)
			defer cancel()
			return p.book.Now(ctx, s.name)
		})
	}
	return info.TimeStamp
}

// patience is how long a night may take at most: a site whose workers died four times waits
// for minutes.
const patience = 6 * time.Minute

// ended waits until each site was run to its end since a time. Once that is so of nine in
// ten, it calls nearly.
func (p *proof) ended(since time.Time, nearly func()) {
	p.t.Helper()
	began, said := time.Now(), time.Duration(0)
	eventually(p.t, patience, "all sites come to an end", func() error {
		var open []string
		p.replace()
		for _, s := range p.sites {
			if now := p.state(s.name); now.Done.Before(since) || now.Holder != "" || now.Plan != nil {
				open = append(open, fmt.Sprintf("%s (number %d, holder %q, tries %d, plan %v, done %v, %s)", s.name, now.Number, now.Holder, now.Tries, now.Plan != nil, !now.Done.Before(since), now.Trouble))
			}
		}
		if len(open) <= len(p.sites)/10 {
			nearly()
		}
		if since := time.Since(began); since > said+10*time.Second {
			said = since
			p.t.Logf("after %s, %d are open: %s", said.Round(time.Second), len(open), strings.Join(open[:min(len(open), 3)], "; "))
		}
		if len(open) > 0 {
			return fmt.Errorf("%d are not: %s", len(open), strings.Join(open[:min(len(open), 5)], "; "))
		}
		return nil
	})
}

// night runs all sites once, with some trouble, and compares each index with its truth.
func (p *proof) night(name string, quiet bool, trouble func(ctx context.Context)) {
	p.t.Helper()
	began, calls := time.Now(), p.recorder.calls
	for _, s := range p.sites {
		last := p.state(s.name).Last
		s.doubted = last != nil && last.Doubt > 0 && !quiet
	}
	since := p.due()
	ctx, cancel := context.WithCancel(p.t.Context())
	var shaking sync.WaitGroup
	if trouble != nil {
		shaking.Go(func() { trouble(ctx) })
	}
	p.ended(since, cancel)
	cancel()
	shaking.Wait()
	p.group.Wait()
	for _, wrong := range p.recorder.endNight() {
		p.t.Errorf("%s: %s", name, wrong)
	}
	for _, s := range p.sites {
		if s.rough && !quiet {
			continue
		}
		for _, fault := range s.differs(p.recorder.index(p.t, s.name)) {
			p.t.Errorf("%s: %s; its last result: %+v", name, fault, *p.state(s.name).Last)
		}
	}
	p.t.Logf("%s: %d calls in %s; %d documents were put again so far; trouble so far: %v", name, p.recorder.calls-calls, time.Since(began).Round(time.Millisecond), p.recorder.repeated, p.did)
}

// holds returns the worker of a name.
func (p *proof) worker(name string) *crew {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.workers {
		if w.name == name {
			return w
		}
	}
	return nil
}

func (p *proof) note(kind, worker string) {
	p.recorder.shake(worker)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.did[kind]++
}

// atCall does something to the worker that makes the nth call of a site (empty: of any) from now
// on, before the service hears it.
func (p *proof) atCall(n int, of string, strike func(w *crew, site string)) {
	p.recorder.mu.Lock()
	defer p.recorder.mu.Unlock()
	calls := map[string]int{}
	p.recorder.onCall = func(worker, site string) {
		calls[site]++
		if w := p.worker(worker); calls[site] == n && w != nil && (of == "" || of == site) {
			p.recorder.onCall = nil
			strike(w, site)
		}
	}
}

// killed ends a worker in the midst of a call; another one is hired.
func (p *proof) killed(w *crew, _ string) {
	p.recorder.shaken[w.name] = true // the caller has the recorder's lock
	p.did["kill at a call"]++
	w.idle = true
	_ = w.cmd.Process.Kill()
	p.group.Go(func() {
		p.dismiss(w)
		p.hire("")
	})
}

// paused stops a worker in the midst of a call, and wakes it once its site has another holder. On a
// busy machine the call may come so late that the other one is through.
func (p *proof) paused(w *crew, name string) {
	p.recorder.shaken[w.name] = true
	p.did["pause at a call"]++
	number := p.state(name).Number
	must(p.t, w.cmd.Process.Signal(syscall.SIGSTOP))
	p.group.Go(func() {
		err := p.wait(patience, func() bool { return p.state(name).Number > number || p.state(name).Holder == "" })
		if err != nil {
			p.t.Errorf("nobody took %s over from a worker that was stopped", name)
		}
		_ = w.cmd.Process.Signal(syscall.SIGCONT)
	})
}

var errNever = errors.New("it never came")

// wait waits until something is so.
func (p *proof) wait(within time.Duration, is func() bool) error {
	end := time.After(within)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-end:
			return errNever
		}
	}
	return nil
}

// Sites change, workers are killed and paused while they send, and each index ends as its
// site's truth: no delete is wrong, no change is lost, and no site is run twice at once.
func TestFleet(t *testing.T) {
	t.Parallel()
	p := newProof(t, *sitesFlag, *pagesFlag, newCluster(t, *nodesFlag, false), *workersFlag)
	if *everyFlag > 0 {
		p.recorder.slow = 100 * time.Millisecond
	}
	p.night("first night", false, nil)
	for night := range *nightsFlag {
		for i, s := range p.sites {
			s.change(i)
		}
		name := fmt.Sprintf("night %d", night+1)
		if *everyFlag > 0 {
			p.night(name, false, p.shake)
			continue
		}
		if night%2 == 0 { // while it puts a page that has another address tomorrow
			p.atCall(1, p.sites[min(2, len(p.sites)-1)].name, p.killed)
		} else {
			p.atCall(2, "", p.paused)
		}
		p.night(name, false, nil)
	}
	for _, s := range p.sites {
		s.calm()
	}
	p.night("a quiet night", true, nil)
	if len(p.did) == 0 {
		t.Error("nothing befell the fleet")
	}
}

// A document that only a dead worker put, and whose page is gone before the next run, leaves the
// index: the ledger that was committed last is told of the plan.
func TestOnlyTheDeadPut(t *testing.T) {
	t.Parallel()
	p := newProof(t, 1, 8, newCluster(t, 1, false), 1)
	p.night("first night", false, nil)
	s := p.sites[0]
	s.change(0)
	dead := make(chan *crew, 1)
	p.atCall(1, s.name, func(w *crew, _ string) {
		w.idle, p.recorder.shaken[w.name] = true, true
		_ = w.cmd.Process.Kill()
		dead <- w
	})
	p.night("night 1", false, func(context.Context) {
		w := <-dead
		p.dismiss(w)
		page := s.origin + "/news/1.html"
		eventually(t, 10*time.Second, "the call arrives", func() error {
			if p.recorder.index(t, s.name)[page] == "" {
				return errNever
			}
			return nil
		})
		p.recorder.mu.Lock()
		delete(s.pages, "/news/1.html")
		s.web.Remove("/news/1.html")
		s.home()
		p.recorder.mu.Unlock()
		p.hire("")
	})
}

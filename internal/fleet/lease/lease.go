package lease

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/document"
)

// ErrLost says that another worker has the site, or may take it.
var ErrLost = errors.New("the lease is lost: another worker may run the site")

// Lease is the right to run a site. It renews itself until it is released or lost.
type Lease struct {
	keeper *Keeper
	site   string
	until  atomic.Pointer[time.Time]

	mu       sync.Mutex // guards the fields below; held while the entry is written
	state    State
	revision uint64
	beat     uint64 // number of the last attempted write; unique to each write

	over context.Context //nolint:containedctx // ended when it is lost, released or dropped
	end  context.CancelFunc
}

// Site returns the name of the site.
func (l *Lease) Site() string { return l.site }

// Number returns the fencing number, which no other lease of the site has.
func (l *Lease) Number() uint64 { return l.State().Number }

// State returns the entry as this holder last wrote it.
func (l *Lease) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// Left returns how long nobody else can take the site; 0 or less when somebody may. It takes the lesser
// time of two clocks: the monotonic one stands still while a machine sleeps, and the wall clock can be
// set back.
func (l *Lease) Left() time.Duration {
	if l.over.Err() != nil {
		return 0
	}
	until, now := *l.until.Load(), l.keeper.o.Now()
	return min(until.Sub(now), until.Round(0).Sub(now.Round(0)))
}

// Over returns a context that ends when the lease is lost, released or dropped.
func (l *Lease) Over() context.Context { return l.over }

// Drop stops renewing a lease that could not be released. Others may take it when it has run out.
func (l *Lease) Drop() { l.end() }

// Change alters the entry. It errs with ErrLost where the lease is no longer this holder's.
func (l *Lease) Change(ctx context.Context, change func(*State)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	began := l.keeper.o.Now()
	if l.Left() <= 0 {
		l.end()
		return ErrLost
	}
	s := l.state
	change(&s)
	return l.write(ctx, s, began)
}

// Release gives the lease up; change may alter the entry in the same step.
func (l *Lease) Release(ctx context.Context, change func(*State)) error {
	err := l.Change(ctx, func(s *State) {
		change(s)
		s.Holder, s.Length = "", 0
	})
	if err == nil {
		l.end()
	}
	return err
}

// write writes the entry if it still has the revision that this holder knows. The lease lasts from began
// on. If the answer of an earlier write was lost, that write may have succeeded: nobody else writes
// under this number and holder, so an entry with both is ours.
func (l *Lease) write(ctx context.Context, s State, began time.Time) error {
	l.beat++
	s.Beat = l.beat
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write the state of %s: %w", l.site, err)
	}
	for {
		var revision uint64
		if l.revision == 0 { // also where an entry was deleted
			revision, err = l.keeper.states.Create(ctx, l.site, raw)
		} else {
			revision, err = l.keeper.states.Update(ctx, l.site, raw, l.revision)
		}
		switch {
		case err == nil:
			l.stands(s, revision, began)
			return nil
		case !errors.Is(err, jetstream.ErrKeyExists) && !errors.Is(err, jetstream.ErrKeyRevisionMismatch): // which a replicated bucket says
			return fmt.Errorf("write the state of %s: %w", l.site, err)
		}
		now, revision, err := l.keeper.Look(ctx, l.site)
		switch {
		case err != nil:
			return err
		case now.Number == s.Number && now.Beat == s.Beat && now.Holder == s.Holder: // only the answer was lost
			l.stands(s, revision, began)
			return nil
		case l.until.Load() != nil && revision > l.revision && now.Number == s.Number && now.Holder == l.keeper.o.Worker: // an earlier write of ours
			l.revision = revision
		default:
			l.end()
			return ErrLost
		}
	}
}

func (l *Lease) stands(s State, revision uint64, began time.Time) {
	until := began.Add(l.keeper.o.Length)
	l.until.Store(&until)
	l.state, l.revision = s, revision
}

func (l *Lease) renew(ctx context.Context) {
	pause := l.keeper.o.Length / renewals
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done(): // the entry stays until others see that it is over
			l.end()
			return
		case <-l.over.Done():
			return
		case <-ticker.C:
		}
		try, cancel := context.WithTimeout(ctx, pause)
		err := l.Change(try, func(*State) {})
		cancel()
		if err != nil && ctx.Err() == nil && l.Left() <= 0 {
			l.end()
			l.keeper.o.Log.Warn("the lease of a site is lost", "site", l.site, "why", err)
			return
		}
	}
}

// State is the entry of a site: who runs it, where its ledger is, its last result.
type State struct {
	Number  uint64    `json:"number"`            // grows with each lease
	Holder  string    `json:"holder,omitempty"`  // the worker that has the lease; empty: nobody
	Length  int64     `json:"length,omitempty"`  // of that lease, in milliseconds
	Beat    uint64    `json:"beat,omitempty"`    // grows with each renewal
	Since   time.Time `json:"since,omitzero"`    // when the lease was taken, on the holder's clock
	Done    time.Time `json:"done,omitzero"`     // the latest due time whose run has finished
	Tries   int       `json:"tries,omitempty"`   // leases in a row without a result, including the current lease
	Ledger  *File     `json:"ledger,omitempty"`  // nil: the site has none yet
	Plan    *Plan     `json:"plan,omitempty"`    // the plan that is being sent; nil: none
	Last    *Result   `json:"last,omitempty"`    // nil: it never ran
	NotWell time.Time `json:"notwell,omitzero"`  // since when its results have exit codes other than 0; zero: none
	Trouble string    `json:"trouble,omitempty"` // why there is no newer result, such as a worker's fault; one line
	Refused uint64    `json:"refused,omitempty"` // revision of the entry that a worker refuses; Trouble says why
	Kept    *Kept     `json:"kept,omitempty"`    // a ledger that a worker has and the fleet has lost; nil: none
	Told    bool      `json:"told,omitempty"`    // an operator replaced or reset the ledger: ignore those of workers
}

// Kept is a ledger that a worker has of a site, and that the fleet has lost.
type Kept struct {
	Worker string `json:"worker"`
	Path   string `json:"path"`   // path on the worker's machine
	Number uint64 `json:"number"` // number of the lease that committed the ledger; the greatest is the newest
}

// Text says so of a site, and where it stands what to do.
func (k *Kept) Text(site string) string {
	return fmt.Sprintf("the servers lost the ledger, %s still has one: sitesync fleet set --ledger gives it back; see sitesync fleet status %s", k.Worker, site)
}

// File is what is stored of a file under the lease with a number.
type File struct {
	Number uint64 `json:"number"`
	Size   int64  `json:"size"`           // in bytes
	Sum    string `json:"sum"`            // SHA-256 of the list of its parts, in hex
	Line   string `json:"line,omitempty"` // ID that later ledgers inherit; begins with Index and a space
}

// Plan is a plan that is being sent. What it holds is in doubt where its lease comes to no end. One
// without a File was stopped, and the ledger knows what was sent: only its last call may be late.
type Plan struct {
	File
	Run string `json:"run"`
}

// Result is how a run ended.
type Result struct {
	Run       string          `json:"run,omitempty"` // empty: it ended before it had a name
	Worker    string          `json:"worker"`
	Due       time.Time       `json:"due,omitzero"`
	Start     time.Time       `json:"start"`
	Took      int64           `json:"duration_ms"`
	Exit      int             `json:"exit"`              // exit code of sync
	Stopped   string          `json:"stopped,omitempty"` // why the run ended early
	Counts    document.Counts `json:"counts"`
	Kinds     document.Kinds  `json:"kinds,omitzero"`
	Doubt     int             `json:"doubt"`             // records in doubt
	Documents int             `json:"documents"`         // documents in the index, according to the ledger
	Resumed   bool            `json:"resumed,omitempty"` // the run before was sending, and never finished
}

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

// ErrLost means that a lease (the right to run a site) is over: another worker process may run the site.
var ErrLost = errors.New("the lease is lost: another worker may run the site")

// Lease is the right to run a site, or to use a place at a host. A host that n sites may use at a time has n
// places. A Lease renews itself until it is released, dropped or lost.
type Lease struct {
	keeper *Keeper
	site   string
	until  atomic.Pointer[time.Time]

	mu       sync.Mutex // guards state, revision and beat; held during each write to the server
	state    State
	revision uint64
	beat     uint64

	over context.Context //nolint:containedctx // ends when the lease is lost, released or dropped
	end  context.CancelFunc
}

// Site returns the name of the site, or the key of the place.
func (l *Lease) Site() string { return l.site }

// State returns the entry on the server as this holder last wrote it. Its Number is the fencing token.
func (l *Lease) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// Left returns for how long nobody else can take the lease. At 0 or less, somebody may have taken it. Left
// asks two clocks and returns the shorter time. The monotonic clock stands still while a machine sleeps, and
// the wall clock can be set back.
func (l *Lease) Left() time.Duration {
	if l.over.Err() != nil {
		return 0
	}
	until, now := *l.until.Load(), l.keeper.o.Now()
	return min(until.Sub(now), until.Round(0).Sub(now.Round(0)))
}

// Over returns a context that ends when the lease is lost, released or dropped.
func (l *Lease) Over() context.Context { return l.over }

// Drop stops renewing a lease that could not be released. Others may take it when its length has passed.
func (l *Lease) Drop() { l.end() }

// Change passes the state to edit, writes the edited state to the server, and renews the lease. It errs with
// ErrLost if the lease is over.
func (l *Lease) Change(ctx context.Context, edit func(*State)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	began := l.keeper.o.Now()
	if l.Left() <= 0 {
		l.end()
		return ErrLost
	}
	s := l.state
	edit(&s)
	return l.writeState(ctx, s, began)
}

// Release does the same as Change, and gives the lease up in the same write.
func (l *Lease) Release(ctx context.Context, edit func(*State)) error {
	err := l.Change(ctx, func(s *State) {
		edit(s)
		s.Holder, s.Length = "", 0
	})
	if err == nil {
		l.end()
	}
	return err
}

// writeState replaces the entry on the server if it still has the revision l.revision. The length of the
// lease counts from began. A newer entry may be an earlier write of this lease, whose answer was lost.
// writeState then replaces it. Any other newer entry ends the lease, and writeState errs with ErrLost.
func (l *Lease) writeState(ctx context.Context, s State, began time.Time) error {
	l.beat++
	s.Beat = l.beat
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write the state of %s: %w", l.site, err)
	}
	for {
		var revision uint64
		if l.revision == 0 { // Create also replaces a deleted entry
			revision, err = l.keeper.states.Create(ctx, l.site, raw)
		} else {
			revision, err = l.keeper.states.Update(ctx, l.site, raw, l.revision)
		}
		switch {
		case err == nil:
			l.stands(s, revision, began)
			return nil
		case !errors.Is(err, jetstream.ErrKeyExists) && !errors.Is(err, jetstream.ErrKeyRevisionMismatch):
			return fmt.Errorf("write the state of %s: %w", l.site, err)
		}
		now, revision, err := l.keeper.Look(ctx, l.site)
		switch {
		case err != nil:
			return err
		case now.Number == s.Number && now.Beat == s.Beat && now.Holder == s.Holder:
			l.stands(s, revision, began) // this write succeeded, and its answer was lost
			return nil
		case l.until.Load() != nil && revision > l.revision &&
			now.Number == s.Number && now.Holder == l.keeper.o.Worker:
			l.revision = revision // an earlier write succeeded, and its answer was lost
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
	pause := l.keeper.o.Length / 6
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
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

// State is the entry of a site on the server. The entry of a place has only the facts about its lease.
type State struct {
	Number  uint64    `json:"number"`            // fencing token: grows with each lease
	Holder  string    `json:"holder,omitempty"`  // worker that has the lease; empty: nobody
	Length  int64     `json:"length,omitempty"`  // length of the lease in milliseconds
	Beat    uint64    `json:"beat,omitempty"`    // grows with each renewal
	Since   time.Time `json:"since,omitzero"`    // when the lease was taken, on the holder's clock
	Done    time.Time `json:"done,omitzero"`     // latest due time for which a run has finished
	Tries   int       `json:"tries,omitempty"`   // leases in a row without a result, including the current lease
	Ledger  *File     `json:"ledger,omitempty"`  // ledger (what the index holds); nil: the site has none yet
	Plan    *Plan     `json:"plan,omitempty"`    // plan (changes to send) of an unfinished run; nil: none
	Last    *Result   `json:"last,omitempty"`    // result of the last run; nil: the site never ran
	NotWell time.Time `json:"notwell,omitzero"`  // since when no run had exit code 0; zero: the last run had 0
	Trouble string    `json:"trouble,omitempty"` // why there is no newer result, in one line
	Refused uint64    `json:"refused,omitempty"` // revision of a configuration that a worker refuses; see Trouble
	Kept    *Kept     `json:"kept,omitempty"`    // a ledger that a worker has and the servers have lost; nil: none
	Reset   bool      `json:"reset,omitempty"`   // an operator chose Ledger: workers' own ledgers are ignored
}

// Kept describes a ledger (record of a site's index) that the NATS servers lost and a worker still has.
type Kept struct {
	Worker string `json:"worker"`
	Path   string `json:"path"`   // path on the worker's machine
	Number uint64 `json:"number"` // number of the lease that committed the ledger; the greatest is the newest
}

// Text returns a sentence for people. It says that the servers lost the site's ledger, and how to restore it.
func (k *Kept) Text(site string) string {
	return fmt.Sprintf("the servers lost the ledger, %s still has one: "+
		"sitesync fleet set --ledger gives it back; see sitesync fleet status %s", k.Worker, site)
}

// File describes a stored file of a site, in the stream bus.Files.
type File struct {
	Number uint64 `json:"number"`         // number of the lease that stored the file
	Size   int64  `json:"size"`           // in bytes
	Sum    string `json:"sum"`            // SHA-256 of the list of its parts, in hex
	Line   string `json:"line,omitempty"` // site.Site.Index and a random ID; the same in all later versions
}

// Plan is the file of the changes that a run sends. If the run dies, nobody knows which changes took effect.
// An empty File means that the run was stopped. The ledger then has all results, except perhaps the newest.
type Plan struct {
	File
	Run string `json:"run"`
}

// Result describes how a run of a site ended.
type Result struct {
	Run       string          `json:"run,omitempty"` // ID of the run; empty: the run ended before it had an ID
	Worker    string          `json:"worker"`
	Due       time.Time       `json:"due,omitzero"`
	Start     time.Time       `json:"start"`
	Took      int64           `json:"duration_ms"`
	Exit      int             `json:"exit"`              // exit code of the command "sitesync sync"
	Stopped   string          `json:"stopped,omitempty"` // why the run ended early
	Counts    document.Counts `json:"counts"`
	Kinds     document.Kinds  `json:"kinds,omitzero"`
	Doubt     int             `json:"doubt"`             // documents whose last change has an unknown outcome
	Documents int             `json:"documents"`         // documents in the index, according to the ledger
	Resumed   bool            `json:"resumed,omitempty"` // an earlier run began to send, and never ended
}

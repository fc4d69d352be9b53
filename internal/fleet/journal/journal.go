package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/apply"
	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/spool"
)

const kind = "mark"

var (
	// ErrOther is returned where marks speak of another plan.
	ErrOther = errors.New("the plan is another one than was being sent")

	// ErrAbandoned is how the sending of an abandoned plan stops.
	ErrAbandoned = errors.New("the plan is not resumed: what it may have touched is in doubt, and the next run sends that again")
)

// Journal is the progress of one plan, sent under one lease or several in turn.
type Journal struct {
	bus    *bus.Bus
	site   string
	plan   lease.Plan
	number uint64

	// Closed tells which marks of earlier leases count. It belongs into the state of the site, as
	// State.Plan.Marks, before anything is sent.
	Closed []lease.Marks

	past  []mark // that earlier leases left and that was not reported yet
	doubt bool   // the next change that is sent may have been sent before
	next  int    // the mark of this lease
}

// Open reads how far earlier leases came with a plan that is sent under the lease with this
// number from now on. Where a mark is missing or damaged it errs with bus.ErrMissing or
// snapshot.ErrDamaged.
//
// Of the leases that are not closed yet one alone can have left marks: a lease sends only
// after the state, under its number, says which marks of earlier ones count. That is the lease
// that stored the plan or, if any was closed, the one after the last of those.
func Open(ctx context.Context, b *bus.Bus, site string, plan lease.Plan, number uint64) (*Journal, error) {
	j := &Journal{bus: b, site: site, plan: plan, number: number, Closed: plan.Marks}
	if number == plan.Number {
		return j, nil
	}
	j.doubt = true
	writer := plan.Number
	if n := len(plan.Marks); n > 0 {
		writer = plan.Marks[n-1].Number + 1
	}
	if writer < number {
		there, err := b.ListFiles(ctx, kind, site)
		if err != nil {
			return nil, fmt.Errorf("list how far the plan of %s was sent: %w", site, err)
		}
		count := 0
		for slices.Contains(there[writer], strconv.Itoa(count)) {
			count++
		}
		j.close(writer, count)
		j.close(number-1, 0) // those between never sent
	}
	if err := j.read(ctx); err != nil {
		return nil, err
	}
	return j, nil
}

// close notes how many marks of a lease, and none of the leases before that are not named,
// count.
func (j *Journal) close(number uint64, count int) {
	if n := len(j.Closed); n > 0 && j.Closed[n-1].Number == number {
		return
	}
	some := slices.DeleteFunc(slices.Clone(j.Closed), func(m lease.Marks) bool { return m.Count == 0 })
	j.Closed = append(some, lease.Marks{Number: number, Count: count})
}

func (j *Journal) read(ctx context.Context) error {
	for _, m := range j.Closed {
		for k := range m.Count {
			var one mark
			raw, err := j.bus.GetFile(ctx, bus.File(kind, j.site, m.Number, strconv.Itoa(k)))
			if err == nil {
				one, err = readMark(raw)
			}
			if err != nil {
				return fmt.Errorf("read how far the plan of %s was sent, mark %d of lease %d: %w", j.site, k, m.Number, err)
			}
			j.past = append(j.past, one)
		}
	}
	return nil
}

// Through returns a Sender that reports what was recorded without sending it, sends the rest
// through inner, and records each batch's outcomes before it reports them. The ctx of what it
// sends has to end with the lease: a batch that this cut short is not recorded, so that
// whoever takes over sends it again.
func (j *Journal) Through(inner apply.Sender) apply.Sender { return &sender{j, inner} }

// Abandon returns a Sender for a plan that is not resumed. It reports what was recorded and
// sends nothing: it then errs with ErrAbandoned at the first change of which nothing is
// recorded, which leaves in doubt what was noted as under way. The ledger is to be committed
// then, and the site planned anew.
func (j *Journal) Abandon() apply.Sender { return &sender{j, nil} }

type sender struct {
	*Journal
	inner apply.Sender
}

// Apply makes the journal a Sender.
func (s *sender) Apply(ctx context.Context, op document.Op, changes []document.Change, report func([]document.Outcome) error) error {
	for len(s.past) > 0 && len(changes) > 0 {
		outcomes, ok := s.past[0].outcomes(s.plan.Sum, op, changes)
		if !ok {
			return fmt.Errorf("resume the plan of %s: %w", s.site, ErrOther)
		}
		err := report(outcomes)
		if err != nil {
			return err
		}
		s.past, changes = s.past[1:], changes[len(outcomes):]
	}
	switch {
	case len(changes) == 0:
		return nil
	case s.inner == nil:
		return ErrAbandoned
	}
	first := s.doubt
	if first { // a delete that then finds nothing is no sign of a wrong crawler ID
		changes = slices.Clone(changes)
		changes[0].Doubt, s.doubt = true, false
	}
	return s.inner.Apply(ctx, op, changes, func(outcomes []document.Outcome) error {
		cut := ctx.Err() != nil && slices.ContainsFunc(outcomes, func(o document.Outcome) bool { return o.State == document.InDoubt })
		if first { // the call of an earlier holder may still arrive, after newer documents of a later run
			outcomes, first = slices.Clone(outcomes), false
			for i := range outcomes {
				if o := &outcomes[i]; o.State == document.Acknowledged {
					o.State, o.Reason = document.InDoubt, lateReason
				}
			}
		}
		if !cut && len(outcomes) > 0 {
			err := s.record(ctx, newMark(s.plan.Sum, op, outcomes))
			if err != nil {
				return err
			}
		}
		return report(outcomes)
	})
}

const lateReason = "the worker before was sending it, and its call may arrive late"

// record stores the next mark. One that stands already is ours, if its bytes are: the answer
// to an earlier try was lost. No mark is ever replaced.
func (j *Journal) record(ctx context.Context, m mark) error {
	subject, raw := bus.File(kind, j.site, j.number, strconv.Itoa(j.next)), spool.Encode(m)
	err := j.bus.PutFile(ctx, subject, raw, jetstream.WithExpectLastSequencePerSubject(0))
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
		stands, read := j.bus.GetFile(ctx, subject)
		if read == nil && bytes.Equal(stands, raw) {
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("record how far the plan of %s was sent: %w", j.site, err)
	}
	j.next++
	return nil
}

const (
	maxBatch  = 1000 // changes of one call of Apply
	maxReason = 400  // bytes of a reason
)

// mark is what came of one batch: how many changes in a row had which outcome.
type mark struct {
	_    struct{} `cbor:",toarray"`
	Sum  []byte   // of the operation and the IDs
	Rows []row
}

type row struct {
	_      struct{} `cbor:",toarray"`
	N      int
	State  document.State
	By     string
	Reason string
}

func newMark(plan string, op document.Op, outcomes []document.Outcome) (m mark) {
	ids := make([]string, len(outcomes))
	for i, o := range outcomes {
		ids[i] = o.ID
		if len(o.Reason) > maxReason {
			o.Reason = strings.ToValidUTF8(o.Reason[:maxReason], "")
		}
		last := len(m.Rows) - 1
		if last < 0 || m.Rows[last].State != o.State || m.Rows[last].By != o.By || m.Rows[last].Reason != o.Reason {
			m.Rows, last = append(m.Rows, row{State: o.State, By: o.By, Reason: o.Reason}), last+1
		}
		m.Rows[last].N++
	}
	m.Sum = sumOf(plan, op, ids)
	return m
}

func sumOf(plan string, op document.Op, ids []string) []byte {
	sum := sha256.Sum256(spool.Encode([]any{plan, op, ids}))
	return sum[:8]
}

// readMark reads a mark. It errs where raw is none that newMark makes.
func readMark(raw []byte) (m mark, err error) {
	err = spool.Decode(raw, &m)
	if err != nil {
		return m, fmt.Errorf("%w: %w", snapshot.ErrDamaged, err)
	}
	n, fits := 0, true
	for _, r := range m.Rows {
		fits = fits && r.N > 0 && r.N <= maxBatch && len(r.Reason) <= maxReason && slices.Contains([]string{"", "row", "status"}, r.By) &&
			slices.Contains([]document.State{document.Acknowledged, document.Refused, document.InDoubt}, r.State)
		n += r.N
	}
	if !fits || n < 1 || n > maxBatch {
		return m, fmt.Errorf("%w: it is no mark", snapshot.ErrDamaged)
	}
	return m, nil
}

// outcomes returns what m says of the changes that come next; false where it says so of others.
func (m mark) outcomes(plan string, op document.Op, changes []document.Change) (outcomes []document.Outcome, ok bool) {
	var ids []string
	for _, r := range m.Rows {
		if len(ids)+r.N > len(changes) {
			return nil, false
		}
		for range r.N {
			id := changes[len(ids)].ID
			ids, outcomes = append(ids, id), append(outcomes, document.Outcome{ID: id, State: r.State, By: r.By, Reason: r.Reason})
		}
	}
	return outcomes, bytes.Equal(m.Sum, sumOf(plan, op, ids))
}

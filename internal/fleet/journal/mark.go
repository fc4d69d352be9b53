package journal

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/spool"
)

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

// sumOf returns a checksum of what a batch holds.
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

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

// mark is what came of one batch: the outcome of its first change, which most have, and those
// that differ.
type mark struct {
	_     struct{} `cbor:",toarray"`
	Sum   []byte   // of the operation and the IDs
	N     int      // changes
	Most  verdict
	Other []other
}

type verdict struct {
	_      struct{} `cbor:",toarray"`
	State  document.State
	By     string
	Reason string
}

type other struct {
	_  struct{} `cbor:",toarray"`
	At int
	verdict
}

// newMark returns the mark of outcomes, one at least.
func newMark(plan string, op document.Op, outcomes []document.Outcome) mark {
	m := mark{N: len(outcomes)}
	ids := make([]string, len(outcomes))
	for i, o := range outcomes {
		ids[i] = o.ID
		v := verdict{State: o.State, By: o.By, Reason: o.Reason}
		if len(v.Reason) > maxReason {
			v.Reason = strings.ToValidUTF8(v.Reason[:maxReason], "")
		}
		if i == 0 {
			m.Most = v
		}
		if v != m.Most {
			m.Other = append(m.Other, other{At: i, verdict: v})
		}
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
	fits := m.N > 0 && m.N <= maxBatch && len(m.Other) < m.N && m.Most.fits()
	last := 0
	for _, o := range m.Other {
		fits = fits && o.At > last && o.At < m.N && o.fits()
		last = o.At
	}
	if !fits {
		return m, fmt.Errorf("%w: it is no mark", snapshot.ErrDamaged)
	}
	return m, nil
}

func (v verdict) fits() bool {
	return slices.Contains([]document.State{document.Acknowledged, document.Refused, document.InDoubt}, v.State) &&
		slices.Contains([]string{"", "row", "status"}, v.By) && len(v.Reason) <= maxReason
}

// outcomes returns what m says of the changes that come next; false where it says so of others.
func (m mark) outcomes(plan string, op document.Op, changes []document.Change) ([]document.Outcome, bool) {
	if m.N > len(changes) {
		return nil, false
	}
	outcomes, ids := make([]document.Outcome, m.N), make([]string, m.N)
	for i := range outcomes {
		ids[i] = changes[i].ID
		outcomes[i] = document.Outcome{ID: ids[i], State: m.Most.State, By: m.Most.By, Reason: m.Most.Reason}
	}
	for _, o := range m.Other {
		outcomes[o.At] = document.Outcome{ID: ids[o.At], State: o.State, By: o.By, Reason: o.Reason}
	}
	return outcomes, bytes.Equal(m.Sum, sumOf(plan, op, ids))
}

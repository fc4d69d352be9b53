package push

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"sitesync/internal/wire"
)

// given reports whether the specification gives an operation on a kind (section 4.2).
func given(op string, kind wire.Kind) bool {
	switch op {
	case opCreate:
		return kind != wire.KindQuicklink
	case opGet:
		return kind != wire.KindSynonyms
	case opReplace:
		return kind == wire.KindRanking || kind == wire.KindQuicklink
	case opDelete:
		return kind != wire.KindRanking
	}
	return false
}

// settle returns the failure of a call, nil where there is none, with what an answer
// that something is missing means for this operation.
func (t *Tools) settle(ctx context.Context, failure *Error, kind wire.Kind, id int64, got answer) error {
	if failure == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ctx.Err(), failure)
	}
	op, _, _ := strings.Cut(failure.Op, " ")
	words := textOf(readObject(got.body).Message)
	absent := failure.Kind == KindUnknown && (got.status == http.StatusNotFound || got.status == http.StatusGone)
	noMethod := failure.Kind == KindUnknown && got.status == http.StatusMethodNotAllowed ||
		failure.Kind == KindServer && got.status == http.StatusNotImplemented
	switch {
	case given(op, kind):
		if id > 0 && (absent && words != "" || failure.Kind == KindInvalid && op != opReplace && sayAbsent(words)) {
			failure.Kind = KindNotFound
		}
	case noMethod, absent && id == 0:
		failure.Kind = KindNotOffered
	case absent:
		failure.Kind = t.missing(ctx, op, kind, id)
	}
	return failure
}

// missing tells, by a read, which of two things a 404 to an operation beyond the
// specification says: that the ID is not there, or that the operation is not.
// A ranking or a banner is looked for with the read that the specification gives, a
// synonym group with one that it does not give either; whether that is offered is seen
// from a list that has the same address but for its last segment. Words are no proof:
// a service may have some for any path.
func (t *Tools) missing(ctx context.Context, op string, kind wire.Kind, id int64) Kind {
	answered, err := KindNotOffered, error(nil)
	if op == opGet {
		answered = KindNotFound
		_, err = t.ListSynonyms(ctx, "en")
	} else {
		_, err = t.Get(ctx, kind, id)
	}
	var failure *Error
	switch {
	case err == nil:
		return answered
	case errors.As(err, &failure) && (failure.NotFound() || failure.NotOffered()):
		return failure.Kind
	}
	return KindUnknown
}

// sayAbsent reads words at a status that does not tell: the specification does not show
// the status of a tool that is not there.
func sayAbsent(words string) bool {
	words = strings.ToLower(words)
	for _, phrase := range []string{"not found", "not exist", "n't exist", "no such"} {
		if strings.Contains(words, phrase) {
			return true
		}
	}
	return false
}

package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"sitesync/internal/wire"
)

// List returns the tools of Options.Engine, as the service answers them, without those of
// another engine. Lists are beyond the specification: the error is KindNotOffered where
// there is none, and for synonym groups, which have no engine.
func (t *Tools) List(ctx context.Context, kind wire.Kind) ([][]byte, error) {
	r := t.request(opList, kind, http.MethodGet, "/site"+slashed(t.o.Engine))
	switch kind {
	case wire.KindQuicklink:
		r.url = t.base + "/api/engine" + slashed(t.o.Engine) + "/quicklinks"
	case wire.KindSynonyms:
		return nil, t.fail(r, answer{}, KindNotOffered, "synonym groups are listed by language alone")
	}
	tools, err := t.list(ctx, kind, r)
	if failure, ok := errors.AsType[*Error](err); kind == wire.KindRanking && ok && failure.NotOffered() {
		return t.list(ctx, kind, t.request(opList, kind, http.MethodGet, ""))
	}
	return tools, err
}

func (t *Tools) list(ctx context.Context, kind wire.Kind, r request) ([][]byte, error) {
	got, failure := t.call(ctx, r)
	var rows []json.RawMessage
	if failure == nil && (json.Unmarshal(got.body, &rows) != nil || rows == nil) {
		failure = t.fail(r, got, KindUnknown, "the answer is no list")
	}
	tools := make([][]byte, 0, len(rows))
	for _, row := range rows {
		tool, _ := wire.ParseObject(row)
		if kind.ID(row) > 0 && (kind == wire.KindSynonyms || !t.ofOther(tool)) {
			tools = append(tools, row)
		}
	}
	return tools, t.settle(ctx, failure, kind, 0, got)
}

// given reports whether the specification gives an operation on a kind (section 4.2).
func given(op string, kind wire.Kind) bool {
	return slices.Contains(map[wire.Kind][]string{
		wire.KindRanking:   {opCreate, opGet, opReplace},
		wire.KindQuicklink: {opGet, opReplace, opDelete},
		wire.KindBanner:    {opCreate, opGet, opDelete},
		wire.KindSynonyms:  {opCreate, opDelete},
	}[kind], op)
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
	words := textOf(got.said.Message)
	absent := failure.Kind == KindUnknown && (got.status == http.StatusNotFound || got.status == http.StatusGone)
	noMethod := failure.Kind == KindUnknown && got.status == http.StatusMethodNotAllowed ||
		failure.Kind == KindServer && got.status == http.StatusNotImplemented
	switch {
	case given(op, kind):
		if id > 0 && (absent && words != "" || failure.Kind == KindInvalid && op != opReplace && sayAbsent.MatchString(words)) {
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
// from a list that has the same address except for its last segment. Words are no proof:
// a service may have some for any path.
func (t *Tools) missing(ctx context.Context, op string, kind wire.Kind, id int64) Kind {
	answered, err := KindNotOffered, error(nil)
	if op == opGet {
		answered = KindNotFound
		_, err = t.list(ctx, kind, t.request(opList, kind, http.MethodGet, "/en"))
	} else {
		_, err = t.Get(ctx, kind, id)
	}
	if err == nil {
		return answered
	}
	if failure, ok := errors.AsType[*Error](err); ok && (failure.NotFound() || failure.NotOffered()) {
		return failure.Kind
	}
	return KindUnknown
}

// sayAbsent are words at a status that does not tell: the specification does not show the
// status of a tool that is not there.
var sayAbsent = regexp.MustCompile("(?i)not found|no such|(not|n't) exist")

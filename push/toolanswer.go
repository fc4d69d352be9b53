package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"sitesync/internal/wire"
)

// List returns the tools of Options.Engine, as the service answers them, without those of
// another engine. Lists are beyond the specification: the error is KindNotOffered where
// there is none, and for synonym groups, which have no engine.
func (t *Tools) List(ctx context.Context, kind wire.Kind) ([][]byte, error) {
	c, engine := t.begin(opList, kind, 0), strconv.FormatInt(t.o.Engine, 10)
	switch kind {
	case wire.KindQuicklink:
		c.url = t.base + "/api/engine/" + engine + "/quicklinks"
	case wire.KindSynonyms:
		return nil, t.fail(c.request, answer{}, KindNotOffered, "synonym groups are listed by language alone")
	default:
		c.url += "/site/" + engine
	}
	tools, err := t.list(ctx, c)
	if failure, ok := errors.AsType[*Error](err); kind == wire.KindRanking && ok && failure.NotOffered() {
		return t.list(ctx, t.begin(opList, kind, 0))
	}
	return tools, err
}

func (t *Tools) list(ctx context.Context, c *toolCall) ([][]byte, error) {
	got, failure := t.call(ctx, c.request)
	var rows []json.RawMessage
	if failure == nil && (json.Unmarshal(got.body, &rows) != nil || rows == nil) {
		failure = t.fail(c.request, got, KindUnknown, "the answer is no list")
	}
	tools := make([][]byte, 0, len(rows))
	for _, row := range rows {
		tool, _ := wire.ParseObject(row)
		if c.kind.ID(row) > 0 && !t.ofOther(tool) {
			tools = append(tools, row)
		}
	}
	return tools, t.settle(ctx, c, got, failure)
}

// given reports whether the specification gives the operation on the kind (section 4.2).
func (c *toolCall) given() bool {
	return slices.Contains(map[wire.Kind][]string{
		wire.KindRanking:   {opCreate, opGet, opReplace},
		wire.KindQuicklink: {opGet, opReplace, opDelete},
		wire.KindBanner:    {opCreate, opGet, opDelete},
		wire.KindSynonyms:  {opCreate, opDelete},
	}[c.kind], c.operation)
}

// settle returns the failure of a call, or nil. It decides whether an answer such as 404 means
// that the tool is missing, or that the service lacks the operation.
func (t *Tools) settle(ctx context.Context, c *toolCall, got answer, failure *Error) error {
	if failure == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ctx.Err(), failure)
	}
	words := textOf(got.said.Message)
	absent := failure.Kind == KindUnknown && (got.status == http.StatusNotFound || got.status == http.StatusGone)
	noMethod := failure.Kind == KindUnknown && got.status == http.StatusMethodNotAllowed ||
		failure.Kind == KindServer && got.status == http.StatusNotImplemented
	switch {
	case c.given():
		saysSo := failure.Kind == KindInvalid && c.operation != opReplace && sayAbsent.MatchString(words)
		if c.id > 0 && (absent && words != "" || saysSo) {
			failure.Kind = KindNotFound
		}
	case noMethod, absent && c.id == 0:
		failure.Kind = KindNotOffered
	case absent:
		failure.Kind = t.missing(ctx, c)
	}
	return failure
}

// missing tells, by a read, which of two things a 404 to an operation beyond the
// specification says: that the ID is not there, or that the operation is not.
// A ranking or a banner is looked for with the read that the specification gives, a
// synonym group with one that it does not give either; whether that is offered is seen
// from a list that has the same address except for its last segment. Words are no proof:
// a service may have some for any path.
func (t *Tools) missing(ctx context.Context, c *toolCall) Kind {
	answered, err := KindNotOffered, error(nil)
	if c.operation == opGet {
		answered = KindNotFound
		english := t.begin(opList, c.kind, 0)
		english.url += "/en"
		_, err = t.list(ctx, english)
	} else {
		_, err = t.Get(ctx, c.kind, c.id)
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

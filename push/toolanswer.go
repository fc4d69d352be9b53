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

// List returns the tools of Options.Engine. The specification defines no lists: the error is KindNotOffered
// if the service has none, and always for synonym groups, which belong to no engine.
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

// given reports whether the specification defines the operation for the kind (section 4.2).
func (c *toolCall) given() bool {
	return slices.Contains(map[wire.Kind][]string{
		wire.KindRanking:   {opCreate, opGet, opReplace},
		wire.KindQuicklink: {opGet, opReplace, opDelete},
		wire.KindBanner:    {opCreate, opGet, opDelete},
		wire.KindSynonyms:  {opCreate, opDelete},
	}[c.kind], c.operation)
}

// settle returns the failure of a call, or nil. It decides whether the tool or the operation is missing.
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

// missing decides what a 404 to an operation outside the specification means: the tool or the operation is
// missing. It asks for the tool by Get. If Get itself had the 404, as for synonym groups, missing asks for
// a list whose URL differs in the last segment only. The answer's text is no proof: a service may have a
// text for any path.
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

// sayAbsent matches messages that mean a missing tool, for which the specification gives no status.
var sayAbsent = regexp.MustCompile("(?i)not found|no such|(not|n't) exist")

package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"

	"sitesync/internal/wire"
)

func (c *toolCall) given() bool {
	return slices.Contains(map[wire.Kind][]string{
		wire.KindRanking:   {opCreate, opGet, opReplace},
		wire.KindQuicklink: {opGet, opReplace, opDelete},
		wire.KindBanner:    {opCreate, opGet, opDelete},
		wire.KindSynonyms:  {opCreate, opDelete},
	}[c.kind], c.operation)
}

// settle returns the failure of a call, or nil. For a 404, it says what is missing: search tool or operation.
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
		failure.Kind = t.explain404(ctx, c)
	}
	return failure
}

// explain404 returns the meaning of a 404 to an operation that the specification does not define. Either the
// tool is missing, or the service lacks the operation. To find out, explain404 calls Get. If the operation
// was Get itself, it lists the synonym groups of one language instead. The text of a 404 proves nothing,
// because a service may send a text for any path.
func (t *Tools) explain404(ctx context.Context, c *toolCall) Kind {
	answered, err := KindNotOffered, error(nil)
	if c.operation == opGet {
		answered = KindNotFound
		english := t.begin(opList, c.kind, 0)
		english.url += "/en"
		err = t.list(ctx, english)
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

func (t *Tools) list(ctx context.Context, c *toolCall) error {
	got, failure := t.call(ctx, c.request)
	var rows []json.RawMessage
	if failure == nil && (json.Unmarshal(got.body, &rows) != nil || rows == nil) {
		failure = t.fail(c.request, got, KindUnknown, "the answer is no list")
	}
	return t.settle(ctx, c, got, failure)
}

// sayAbsent matches messages that mean a missing tool, because the specification gives no status for it.
var sayAbsent = regexp.MustCompile("(?i)not found|no such|(not|n't) exist")

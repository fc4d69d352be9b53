package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sitesync/internal/wire"
)

// idKey returns the key of a kind's ID.
func idKey(kind wire.Kind) string {
	if kind == wire.KindSynonyms {
		return "groupId"
	}
	return "id"
}

// idOf returns the ID in a tool of an answer, 0 when there is none.
func idOf(kind wire.Kind, tool []byte) int64 {
	o, _ := wire.ParseObject(tool)
	value, _ := o.Get(idKey(kind))
	number, _ := get[json.Number](value)
	id, err := number.Int64()
	if err != nil {
		return 0
	}
	return id
}

// pick returns the tool with an ID from an answer, its only element or one of an
// array; nil when it is not there.
func pick(kind wire.Kind, id int64, body []byte) []byte {
	var rows []json.RawMessage
	_ = json.Unmarshal(body, &rows)
	for _, tool := range append(rows, body) {
		if idOf(kind, tool) == id {
			return tool
		}
	}
	return nil
}

// deleteFailure returns the reason of the shape {failed, reason} (section 7), empty
// when an answer has another.
func deleteFailure(got answer) string {
	o := readObject(got.body)
	if failed, _ := get[int](o.Failed); failed > 0 {
		return textOf(o.Reason)
	}
	return ""
}

// List returns the tools of Options.Engine, as the service answers them. Lists are
// beyond the specification: the error is KindNotOffered where there is none, and
// always for synonym groups, which have no engine (see ListSynonyms).
func (t *Tools) List(ctx context.Context, kind wire.Kind) ([][]byte, error) {
	engine := strconv.FormatInt(t.o.Engine, 10)
	path := kind.Path() + "/site/" + engine
	if kind == wire.KindQuicklink {
		path = "/api/engine/" + engine + "/quicklinks"
	}
	r := t.request(opList, kind, http.MethodGet, path)
	switch {
	case kind == wire.KindSynonyms:
		return nil, t.dress(&Error{Kind: KindNotOffered, Message: "synonym groups are listed by language alone"}, r)
	case t.o.Engine <= 0:
		return nil, t.dress(&Error{Kind: KindInvalid, Message: "there is no engine to list for", next: "set push.engine_id"}, r)
	}
	tools, err := t.list(ctx, kind, r)
	var failure *Error
	if kind == wire.KindRanking && errors.As(err, &failure) && failure.NotOffered() {
		return t.list(ctx, kind, t.request(opList, kind, http.MethodGet, kind.Path()))
	}
	return tools, err
}

// ListSynonyms returns the synonym groups of a language, two letters, beyond the
// specification as List is.
func (t *Tools) ListSynonyms(ctx context.Context, language string) ([][]byte, error) {
	path := wire.KindSynonyms.Path() + "/" + url.PathEscape(language)
	return t.list(ctx, wire.KindSynonyms, t.request(opList, wire.KindSynonyms, http.MethodGet, path))
}

// list returns the tools of an array that have an ID and are not of another engine.
func (t *Tools) list(ctx context.Context, kind wire.Kind, r request) ([][]byte, error) {
	got, failure := t.call(ctx, r)
	var rows []json.RawMessage
	if failure == nil && (json.Unmarshal(got.body, &rows) != nil || rows == nil) {
		failure = t.unknown(r, got, "the answer is no list")
	}
	tools := make([][]byte, 0, len(rows))
	for _, row := range rows {
		tool, _ := wire.ParseObject(row)
		if idOf(kind, row) > 0 && (kind == wire.KindSynonyms || engineFault(tool, t.o.Engine) == "") {
			tools = append(tools, row)
		}
	}
	return tools, t.settle(ctx, failure, kind, 0, got)
}

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

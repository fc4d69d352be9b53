package push

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"sitesync/internal/wire"
)

// The operations on search tools, as errors name them.
const (
	opCreate  = "create"
	opGet     = "get"
	opReplace = "replace"
	opDelete  = "delete"
	opList    = "list"
)

// Tools calls the search-tools endpoints (specification section 4.2) as one customer.
// Bodies and answers are JSON objects whose bytes are kept: what only answers hold is
// taken out of what is sent, and nothing else is touched.
//
// The specification does not give every operation on every kind. The others are tried
// where services are known to have them, and err with KindNotOffered where this one
// has not. A 404 to such a call may mean the ID or the operation: a read settles it
// (see missing), and where none can, the operation counts as not offered.
//
// Every error of a call is a *Error, or wraps one and ctx's error where ctx ended
// during the call. Tools may be used by several goroutines.
type Tools struct{ *conn }

// NewTools returns a client of the search tools of Options.Engine. It makes no call.
func NewTools(o Options) *Tools { return &Tools{newConn(o)} }

// Create creates a tool and returns the service's answer, which holds its ID. It is
// not repeated after a try that may have been carried out: the error's MayHaveRun then
// says so. Quicklinks are created beyond the specification.
func (t *Tools) Create(ctx context.Context, kind wire.Kind, body []byte) ([]byte, error) {
	r := t.request(opCreate, kind, http.MethodPost, "")
	r.once = true
	sent, err := t.prepare(r, kind, body)
	if err != nil {
		return nil, err
	}
	r.body = sent.Bytes()
	tool, got, failure := t.tool(ctx, r, kind, 0)
	if failure == nil && tool == nil {
		failure = t.fail(r, got, KindUnknown, "the answer gives no ID of what was created")
	}
	if failure != nil && failure.MayHaveRun() {
		failure.next = fmt.Sprintf("unknown: it may have been created: look in the management console, and take it over with "+
			"\"sitesync tools import %s ID\" rather than create it again", kind)
	}
	return tool, t.settle(ctx, failure, kind, 0, got)
}

// Get returns a tool as the service answers it. Synonym groups are read beyond the
// specification; a service may answer with an array that holds the group.
func (t *Tools) Get(ctx context.Context, kind wire.Kind, id int64) ([]byte, error) {
	r := t.request(opGet, kind, http.MethodGet, slashed(id))
	tool, got, failure := t.tool(ctx, r, kind, id)
	if failure == nil && tool == nil {
		what := KindUnknown
		if kind == wire.KindSynonyms { // it took the ID for a language
			what = KindNotOffered
		}
		failure = t.fail(r, got, what, fmt.Sprintf("the answer holds no %s with the ID %d", kind, id))
	}
	return tool, t.settle(ctx, failure, kind, id, got)
}

// Replace replaces a tool, lists and all, and returns what stands afterwards; a body's
// own ID does not count. Banners and synonym groups are replaced beyond the
// specification.
func (t *Tools) Replace(ctx context.Context, kind wire.Kind, id int64, body []byte) ([]byte, error) {
	r := t.request(opReplace, kind, http.MethodPut, slashed(id))
	sent, err := t.prepare(r, kind, body)
	if err != nil {
		return nil, err
	}
	if kind == wire.KindSynonyms {
		r.url = t.base + kind.Path()
		sent.Set(kind.ResponseOnly()[0], strconv.AppendInt(nil, id, 10))
	}
	r.body = sent.Bytes()
	tool, got, failure := t.tool(ctx, r, kind, id)
	if failure != nil || tool != nil {
		return tool, t.settle(ctx, failure, kind, id, got)
	}
	if tool, err = t.Get(ctx, kind, id); err != nil {
		return nil, t.fail(r, got, KindUnknown, "it was accepted, and no answer shows the result")
	}
	return tool, nil
}

// Delete deletes a tool; any answer of success will do. What is gone after a try that
// may have been carried out was deleted by it. Rankings are deleted beyond the
// specification.
func (t *Tools) Delete(ctx context.Context, kind wire.Kind, id int64) error {
	r := t.request(opDelete, kind, http.MethodDelete, slashed(id))
	if kind == wire.KindSynonyms { // one ID a call is the same in every form of a list
		r.url = t.base + kind.Path() + "?groupIds=" + strconv.FormatInt(id, 10)
	}
	reason := "" // of the shape {failed, reason} (section 7)
	r.final = func(got answer) bool {
		reason = ""
		if failed, _ := get[int](got.said.Failed); failed > 0 {
			reason = textOf(got.said.Reason)
		}
		return reason != ""
	}
	got, failure := t.call(ctx, r)
	if failure == nil && reason != "" {
		failure = t.fail(r, got, KindFailed, reason)
	}
	err := t.settle(ctx, failure, kind, id, got)
	if got.mayHaveRun && failure != nil && failure.NotFound() {
		return nil
	}
	return err
}

// tool makes a call whose answer is to be a tool, which it returns, with a given ID where
// that is not 0; nil where it is not.
func (t *Tools) tool(ctx context.Context, r request, kind wire.Kind, id int64) (tool []byte, got answer, failure *Error) {
	r.final = func(got answer) bool {
		tool = nil
		if isSuccess(got.status) {
			tool = pick(kind, id, got.body)
		}
		return tool != nil
	}
	got, failure = t.call(ctx, r)
	return tool, got, failure
}

// pick returns the tool with an ID from an answer, its only element or one of an
// array; nil when it is not there.
func pick(kind wire.Kind, id int64, body []byte) []byte {
	var rows []json.RawMessage
	_ = json.Unmarshal(body, &rows)
	for _, tool := range append(rows, body) {
		if found := kind.ID(tool); found > 0 && (id == 0 || found == id) {
			return tool
		}
	}
	return nil
}

// request returns the call of an operation at a path below that of the kind.
func (t *Tools) request(op string, kind wire.Kind, method, below string) request {
	return request{op: op + " " + string(kind), method: method, url: t.base + kind.Path() + below}
}

// slashed is the path of one tool below that of its kind.
func slashed(id int64) string { return "/" + strconv.FormatInt(id, 10) }

// prepare returns what is sent of a body: all but the keys that only answers hold.
func (t *Tools) prepare(r request, kind wire.Kind, body []byte) (wire.Object, error) {
	sent, err := wire.ParseObject(body)
	if err != nil {
		return sent, t.fail(r, answer{}, KindInvalid, "check what is to be sent: "+err.Error())
	}
	for _, key := range kind.ResponseOnly() {
		sent.Drop(key)
	}
	return sent, nil
}

// ofOther reports whether a tool names another engine than Options.Engine (sections 2.4 to 2.6).
func (t *Tools) ofOther(tool wire.Object) bool {
	value, given := tool.Get("WebsiteId")
	number, _ := get[json.Number](value)
	named, err := number.Int64()
	return given && string(value) != "null" && (err != nil || named != t.o.Engine)
}

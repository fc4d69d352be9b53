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

// toolCall is one operation on the tools of a kind.
type toolCall struct {
	request
	operation string // one of those above
	kind      wire.Kind
	id        int64 // of the tool; 0: of none
}

// begin returns a call of an operation, as most services take it.
func (t *Tools) begin(operation string, kind wire.Kind, id int64) *toolCall {
	method := map[string]string{
		opCreate: http.MethodPost, opGet: http.MethodGet, opReplace: http.MethodPut, opDelete: http.MethodDelete, opList: http.MethodGet,
	}[operation]
	c := &toolCall{operation: operation, kind: kind, id: id}
	c.request = request{op: operation + " " + string(kind), method: method, url: t.base + kind.Path()}
	if id != 0 {
		c.url += "/" + strconv.FormatInt(id, 10)
	}
	return c
}

// Create creates a tool and returns the service's answer, which holds its ID. It is
// not repeated after a try that may have been carried out: the error's MayHaveRun then
// says so. Quicklinks are created beyond the specification.
func (t *Tools) Create(ctx context.Context, kind wire.Kind, body []byte) ([]byte, error) {
	c := t.begin(opCreate, kind, 0)
	c.once, c.body = true, prepare(kind, body).Bytes()
	tool, got, failure := t.tool(ctx, c)
	if failure == nil && tool == nil {
		failure = t.fail(c.request, got, KindUnknown, "the answer gives no ID of what was created")
	}
	if failure != nil && failure.MayHaveRun() {
		failure.next = fmt.Sprintf("unknown: it may have been created: look in the management console, and take it over with "+
			"\"sitesync tools import %s ID\" rather than create it again", kind)
	}
	return tool, t.settle(ctx, c, got, failure)
}

// Get returns a tool as the service answers it. Synonym groups are read beyond the
// specification; a service may answer with an array that holds the group.
func (t *Tools) Get(ctx context.Context, kind wire.Kind, id int64) ([]byte, error) {
	c := t.begin(opGet, kind, id)
	tool, got, failure := t.tool(ctx, c)
	if failure == nil && tool == nil {
		what := KindUnknown
		if kind == wire.KindSynonyms { // it took the ID for a language
			what = KindNotOffered
		}
		failure = t.fail(c.request, got, what, fmt.Sprintf("the answer holds no %s with the ID %d", kind, id))
	}
	return tool, t.settle(ctx, c, got, failure)
}

// Replace replaces a tool, lists and all, and returns what stands afterwards; a body's
// own ID does not count. Banners and synonym groups are replaced beyond the
// specification.
func (t *Tools) Replace(ctx context.Context, kind wire.Kind, id int64, body []byte) ([]byte, error) {
	c, sent := t.begin(opReplace, kind, id), prepare(kind, body)
	if kind == wire.KindSynonyms {
		c.url = t.base + kind.Path()
		sent.Set(kind.ResponseOnly()[0], strconv.AppendInt(nil, id, 10))
	}
	c.body = sent.Bytes()
	tool, got, failure := t.tool(ctx, c)
	if failure != nil || tool != nil {
		return tool, t.settle(ctx, c, got, failure)
	}
	tool, err := t.Get(ctx, kind, id)
	if err != nil {
		return nil, t.fail(c.request, got, KindUnknown, "it was accepted, and no answer shows the result")
	}
	return tool, nil
}

// Delete deletes a tool; any answer of success will do. What is gone after a try that
// may have been carried out was deleted by it. Rankings are deleted beyond the
// specification.
func (t *Tools) Delete(ctx context.Context, kind wire.Kind, id int64) error {
	c := t.begin(opDelete, kind, id)
	if kind == wire.KindSynonyms { // one ID a call is the same in every form of a list
		c.url = t.base + kind.Path() + "?groupIds=" + strconv.FormatInt(id, 10)
	}
	reason := "" // of the shape {failed, reason} (section 7)
	c.final = func(got answer) bool {
		reason = ""
		if failed, _ := get[int](got.said.Failed); failed > 0 {
			reason = textOf(got.said.Reason)
		}
		return reason != ""
	}
	got, failure := t.call(ctx, c.request)
	if failure == nil && reason != "" {
		failure = t.fail(c.request, got, KindFailed, reason)
	}
	err := t.settle(ctx, c, got, failure)
	if got.mayHaveRun && failure != nil && failure.NotFound() {
		return nil
	}
	return err
}

// tool makes a call whose answer is to be a tool, which it returns, with the ID of the call
// if that has one; nil if it is not.
func (t *Tools) tool(ctx context.Context, c *toolCall) (tool []byte, got answer, failure *Error) {
	c.final = func(got answer) bool {
		tool = nil
		if isSuccess(got.status) {
			tool = pick(c.kind, c.id, got.body)
		}
		return tool != nil
	}
	got, failure = t.call(ctx, c.request)
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

// prepare returns what is sent of a tool: all but the keys that only answers hold.
func prepare(kind wire.Kind, body []byte) wire.Object {
	sent, _ := wire.ParseObject(body) // package tools makes objects alone
	for _, key := range kind.ResponseOnly() {
		sent.Drop(key)
	}
	return sent
}

// ofOther reports whether a tool names another engine than Options.Engine (sections 2.4 to 2.6).
func (t *Tools) ofOther(tool wire.Object) bool {
	value, given := tool.Get("WebsiteId")
	number, _ := get[json.Number](value)
	named, err := number.Int64()
	return given && string(value) != "null" && (err != nil || named != t.o.Engine)
}

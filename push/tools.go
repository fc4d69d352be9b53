package push

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"sitesync/internal/wire"
)

// The operations on search tools, as they appear in errors.
const (
	opCreate  = "create"
	opGet     = "get"
	opReplace = "replace"
	opDelete  = "delete"
	opList    = "list"
)

// Tools calls the endpoints of search tools (specification section 4.2), such as banners. It passes JSON
// objects on byte for byte. Only keys that answers alone may have are removed from requests.
//
// The specification does not define every operation for every kind of tool. Tools tries an undefined
// operation all the same. If the service lacks the operation, the error has KindNotOffered. A 404 may mean
// that the tool or the operation is missing. Tools then reads the tool or a list of tools to find out. If
// this read fails, the error has KindUnknown. Every error of a call is an *Error. If ctx ended, the error
// wraps an *Error and ctx's error. Tools is safe for concurrent use.
type Tools struct{ *conn }

// NewTools returns a client of the search tools of Options.Engine. It makes no call.
func NewTools(o Options) *Tools { return &Tools{newConn(o)} }

type toolCall struct {
	request
	operation string
	kind      wire.Kind
	id        int64 // ID of the tool; 0 if the operation has none
}

func (t *Tools) begin(operation string, kind wire.Kind, id int64) *toolCall {
	method := map[string]string{
		opCreate: http.MethodPost, opGet: http.MethodGet, opReplace: http.MethodPut, opDelete: http.MethodDelete,
		opList: http.MethodGet,
	}[operation]
	c := &toolCall{operation: operation, kind: kind, id: id}
	c.request = request{op: operation + " " + string(kind), method: method, url: t.base + kind.Path()}
	if id != 0 {
		c.url += "/" + strconv.FormatInt(id, 10)
	}
	return c
}

// Create creates a tool and returns the service's answer, which holds the tool's ID. A call that may have
// been carried out (MayHaveRun) is not retried. The specification defines no Create for quicklinks.
func (t *Tools) Create(ctx context.Context, kind wire.Kind, body []byte) ([]byte, error) {
	c := t.begin(opCreate, kind, 0)
	c.once, c.body = true, prepare(kind, body).Bytes()
	tool, got, failure := t.tool(ctx, c)
	if failure == nil && tool == nil {
		failure = t.fail(c.request, got, KindUnknown, "the answer gives no ID of what was created")
	}
	if failure != nil && failure.MayHaveRun() {
		failure.next = fmt.Sprintf("unknown: it may have been created: look in the management console, "+
			"and take it over with \"sitesync tools import %s ID\" rather than create it again", kind)
	}
	return tool, t.settle(ctx, c, got, failure)
}

// Get returns a tool as the service's JSON. The specification defines no Get for synonym groups. A service
// may answer such a Get with an array that holds the group.
func (t *Tools) Get(ctx context.Context, kind wire.Kind, id int64) ([]byte, error) {
	c := t.begin(opGet, kind, id)
	tool, got, failure := t.tool(ctx, c)
	if failure == nil && tool == nil {
		what := KindUnknown
		if kind == wire.KindSynonyms { // the service takes the ID for a language
			what = KindNotOffered
		}
		failure = t.fail(c.request, got, what, fmt.Sprintf("the answer holds no %s with the ID %d", kind, id))
	}
	return tool, t.settle(ctx, c, got, failure)
}

// Replace replaces a tool, including its lists, and returns the tool as stored. An ID in the body is ignored.
// The specification defines no Replace for banners and synonym groups.
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

// Delete deletes a tool. A 2xx answer is a success unless it reports a failure. If a retry finds the tool
// missing, Delete succeeds, because an earlier try may have deleted it. The specification defines no Delete
// for rankings.
func (t *Tools) Delete(ctx context.Context, kind wire.Kind, id int64) error {
	c := t.begin(opDelete, kind, id)
	if kind == wire.KindSynonyms { // the ID is a parameter here; the form for several IDs is not specified
		c.url = t.base + kind.Path() + "?groupIds=" + strconv.FormatInt(id, 10)
	}
	reason := ""
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

// pick finds the tool with the given ID (0: any tool) in an answer, which is one tool or an array of tools.
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

func prepare(kind wire.Kind, body []byte) wire.Object {
	sent, _ := wire.ParseObject(body) // callers pass valid objects only
	for _, key := range kind.ResponseOnly() {
		sent.Drop(key)
	}
	return sent
}

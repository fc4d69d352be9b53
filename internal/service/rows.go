package service

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sitesync/internal/wire"
)

// maxID is how long a document's ID may be, in bytes.
const maxID = 512

// The types of specification section 2.2. In answers the type is an integer
// whose values the specification does not give; these are ours.
const (
	pageContent = "PageContent" // 0
	fileContent = "FileContent" // 1
)

// row is one document of a batch: as sent, later as stored, with what its answer
// will say.
type row struct {
	doc    wire.Document
	bad    bool
	lose   bool // refused after its old document was deleted
	reason string
}

func (r *row) fail(format string, args ...any) { r.bad, r.reason = true, fmt.Sprintf(format, args...) }

// decodeArray returns the elements of a request's JSON array, as many as the
// limit allows; null is no element. what names the array in errors.
func decodeArray[T any](c *call, what string) ([]T, error) {
	var elements []*T
	if err := json.Unmarshal(c.body, &elements); err != nil || elements == nil || slices.Contains(elements, nil) {
		return nil, badRequest("the body must be %s", what)
	}
	if limit := c.switches.maxDocuments(); len(elements) > limit {
		return nil, tooLarge("the array holds more than %d elements", limit)
	}
	values := make([]T, len(elements))
	for i, element := range elements {
		values[i] = *element
	}
	return values, nil
}

// decodeRows returns one row for each element of a request's array, checked but
// not looked up in the store.
func decodeRows(c *call) ([]row, error) {
	elements, err := decodeArray[json.RawMessage](c, "an array of documents")
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(elements))
	for i, element := range elements {
		rows[i] = decodeRow(element)
		isNull := func(value json.RawMessage) bool { return string(value) == "null" }
		if c.endpoint == EndpointPatch && slices.ContainsFunc(slices.Collect(maps.Values(rows[i].doc.Fields)), isNull) {
			return nil, badRequest("element %d: null is no value; PATCH can't remove a field", i+1)
		}
		rows[i].check(c.endpoint, c.switches)
	}
	markDuplicates(rows, c.switches.DuplicatesFail)
	return rows, nil
}

// decodeRow reads one element; what can't be a document is a failed row.
func decodeRow(element json.RawMessage) (r row) {
	err := json.Unmarshal(element, &r.doc)
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mismatch):
		r.fail("%s can't be a JSON %s", cmp.Or(mismatch.Field, "a document"), mismatch.Value)
	case err != nil:
		r.fail("the document can't be read")
	}
	return r
}

// check fails the row where section 2.2 or a switch says so.
func (r *row) check(endpoint Endpoint, switches Switches) {
	if r.bad {
		return
	}
	if reason := flaw(r.doc, switches, endpoint == EndpointPut && switches.RequireFields); reason != "" {
		r.fail("%s", reason)
		return
	}
	if refusal, refused := switches.refusal(endpoint, r.doc.ID); refused {
		r.fail("%s", refusal.reason())
		r.lose = refusal.Lose && endpoint == EndpointPut
	}
}

// flaw returns why a document is not one by section 2.2; "" when it is.
func flaw(doc wire.Document, switches Switches, whole bool) string {
	_, inside := doc.Fields["type"]
	switch {
	case doc.ID == "":
		return "id is required"
	case len(doc.ID) > maxID:
		return fmt.Sprintf("id is longer than %d bytes", maxID)
	case doc.Fields == nil:
		return "fields is required"
	case inside:
		return "type belongs beside fields, not inside"
	case doc.Type != nil && *doc.Type != pageContent && *doc.Type != fileContent:
		return fmt.Sprintf("type must be %s or %s", pageContent, fileContent)
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Fields)) {
		if name == "" {
			return "a field has no name"
		}
		if !isValue(doc.Fields[name], switches.AcceptArrays) {
			return fmt.Sprintf("fields.%s must be a string", name)
		}
	}
	for _, name := range []string{"Title", "Description", "Url"} {
		if _, ok := doc.Fields[name]; whole && !ok {
			return fmt.Sprintf("fields.%s is required", name)
		}
	}
	return ""
}

func isValue(raw json.RawMessage, arrays bool) bool {
	var list []*string
	return raw[0] == '"' || arrays && json.Unmarshal(raw, &list) == nil && list != nil && !slices.Contains(list, nil)
}

// markDuplicates tells of each row whose ID comes again later in the batch.
func markDuplicates(rows []row, fail bool) {
	later := map[string]bool{}
	for i := range slices.Backward(rows) {
		r := &rows[i]
		if r.bad {
			continue
		}
		if later[r.doc.ID] {
			r.bad, r.reason = fail, "duplicate: the same id comes again later in this request"
		}
		later[r.doc.ID] = true
	}
}

// results returns the answer's rows, section 2.2.
func results(rows []row) []wire.ResultEntry {
	entries := make([]wire.ResultEntry, len(rows))
	for i, r := range rows {
		kind := "0"
		if r.doc.Type != nil && *r.doc.Type == fileContent {
			kind = "1"
		}
		if r.doc.Fields == nil {
			r.doc.Fields = map[string]json.RawMessage{}
		}
		document := wire.ResultDocument{ID: r.doc.ID, Type: json.RawMessage(kind), Fields: r.doc.Fields}
		entries[i] = wire.ResultEntry{Document: document, Reason: r.reason, Success: !r.bad}
	}
	return entries
}

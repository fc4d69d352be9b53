package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"sitesync/internal/wire"
)

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

// decodeRow reads one element; what can't be a document is a failed row.
func decodeRow(element json.RawMessage) row {
	var r row
	err := json.Unmarshal(element, &r.doc)
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mismatch) && mismatch.Field == "":
		r.fail("a document must be an object")
	case errors.As(err, &mismatch):
		r.fail("%s can't be a JSON %s", mismatch.Field, mismatch.Value)
	case err != nil:
		r.fail("the document can't be read")
	}
	return r
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
		if c.endpoint == EndpointPatch && hasNull(rows[i].doc) {
			return nil, badRequest("element %d: null is no value; PATCH can't remove a field", i+1)
		}
		rows[i].check(c.endpoint, c.rules)
	}
	markDuplicates(rows, c.rules.DuplicatesFail)
	c.ids = idsOf(rows)
	return rows, nil
}

func hasNull(doc wire.Document) bool {
	for _, value := range doc.Fields {
		if bytes.Equal(value, []byte("null")) {
			return true
		}
	}
	return false
}

// markDuplicates tells of each row whose ID comes again later in the batch.
func markDuplicates(rows []row, fail bool) {
	later := map[string]bool{}
	for i := len(rows) - 1; i >= 0; i-- {
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

func idsOf(rows []row) []string {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].doc.ID
	}
	return ids
}

// results returns the answer's rows, section 2.2.
func results(rows []row) []wire.ResultEntry {
	entries := make([]wire.ResultEntry, len(rows))
	for i, r := range rows {
		entries[i] = wire.ResultEntry{
			Document: wire.ResultDocument{ID: r.doc.ID, Type: typeNumber(r.doc.Type), Fields: r.doc.Fields},
			Reason:   r.reason,
			Success:  !r.bad,
		}
		if r.doc.Fields == nil {
			entries[i].Document.Fields = map[string]json.RawMessage{}
		}
	}
	return entries
}

func typeNumber(name *string) json.RawMessage {
	if name != nil && *name == fileContent {
		return json.RawMessage("1")
	}
	return json.RawMessage("0")
}

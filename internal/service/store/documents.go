package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"unicode/utf8"

	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

const (
	maxIDBytes  = 512
	maxURLBytes = 8192
	maxElements = 1000
	maxFields   = 1000

	tooManyFields = "the document has more than 1000 fields"
)

// The document types of specification section 2.2. Responses give the type as an integer. The specification
// does not define the integers; TypeNumber does.
const (
	pageContent = "PageContent"
	fileContent = "FileContent"
)

// TypeNumber returns the integer for a document's type in responses.
func TypeNumber(doc wire.Document) int {
	if doc.Type != nil && *doc.Type == fileContent {
		return 1
	}
	return 0
}

// Change is a document to store whole, a document with fields to change (Patch), or one to delete (Delete).
type Change struct {
	wire.Document
	Patch, Delete bool
}

// row is one document of a batch with its result. After a call of apply, it holds the document as stored.
type row struct {
	Change
	bad    bool
	reason string
}

func (r *row) fail(format string, args ...any) { r.bad, r.reason = true, fmt.Sprintf(format, args...) }

// writeDocuments serves PUT and PATCH documents (specification section 4.1). PUT creates or replaces
// documents. PATCH changes only the fields, and the type, that the request names. One transaction writes all
// valid documents of a request.
func (s *Store) writeDocuments(c *web.Call) (web.Reply, error) {
	rows, err := decodeRows(c)
	if err != nil {
		return web.Reply{}, err
	}
	err = s.update(c.Customer, c.Crawler, func(x *crawler) error {
		texts := make([]func() *text, len(rows))
		for i := range rows {
			texts[i] = sync.OnceValue(func() *text { return x.textOf(rows[i].Document) })
		}
		for i := range rows {
			// Compute the next row's index tokens ahead, unless it is a patch, which must first be merged.
			if next := i + 1; next < len(rows) && !rows[next].bad && !rows[next].Patch {
				go ahead(texts[next])
			}
			if rows[i].bad {
				continue
			}
			reason, err := x.apply(&rows[i].Change, texts[i])
			if err != nil {
				return err
			}
			if reason != "" {
				rows[i].fail("%s", reason)
			}
		}
		return nil
	})
	return web.OK(results(rows), err)
}

// ahead runs in a goroutine of its own, and calls read while the previous document is written. A panic there
// would end the process, so ahead recovers from it. The panic is not lost: it happens again when apply calls
// read, and the response is 500.
func ahead(read func() *text) {
	defer func() { _ = recover() }()
	read()
}

// Write applies changes to the documents of a crawler (content source) in one transaction, without
// validation. If the document of a patch is missing, Write stores the patch as a new document.
func (s *Store) Write(customer int64, id string, changes []Change) error {
	return s.update(customer, id, func(x *crawler) error {
		for _, c := range changes {
			read := func() *text { return x.textOf(c.Document) }
			reason, err := x.apply(&c, read)
			if err == nil && reason != "" {
				err = x.put(&c.Document, read())
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// apply makes a change. If the change is impossible, apply returns the reason and writes nothing. read
// returns the index tokens of the document to store.
func (x *crawler) apply(c *Change, read func() *text) (reason string, err error) {
	switch {
	case c.Delete:
		_, err = x.remove(c.ID)
		return "", err
	case c.Patch:
		have, number, err := x.get(c.ID)
		if err != nil || number == 0 {
			return "not found", err
		}
		fields := map[string]json.RawMessage{}
		maps.Copy(fields, have.Fields)
		maps.Copy(fields, c.Fields)
		c.Type, c.Fields = cmp.Or(c.Type, have.Type), fields
		if len(fields) > maxFields {
			return tooManyFields, nil
		}
	}
	return "", x.put(&c.Document, read())
}

func (s *Store) deleteDocument(c *web.Call) (web.Reply, error) {
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	ids := query["documentId"]
	if err != nil || len(ids) != 1 || ids[0] == "" || !utf8.ValidString(ids[0]) {
		return web.Reply{}, web.BadRequest("documentId is required, once")
	}
	id := ids[0]
	deleted := 0
	err = s.update(c.Customer, c.Crawler, func(x *crawler) error {
		number, err := x.remove(id)
		deleted = int(min(1, number))
		return err
	})
	return web.OK(map[string]int{"deleted": deleted}, err)
}

// decodeArray returns the elements of the JSON array in a request body. It refuses null elements, and arrays
// of more than maxElements.
func decodeArray[T any](c *web.Call, expected string) (elements []*T, err error) {
	if err := json.Unmarshal(c.Body, &elements); err != nil || elements == nil || slices.Contains(elements, nil) {
		return nil, web.BadRequest("the body must be %s", expected)
	}
	if len(elements) > maxElements {
		return nil, web.Refused(http.StatusRequestEntityTooLarge, "the array holds more than %d elements", maxElements)
	}
	return elements, nil
}

func decodeRows(c *web.Call) ([]row, error) {
	elements, err := decodeArray[json.RawMessage](c, "an array of documents")
	if err != nil {
		return nil, err
	}
	rows, later := make([]row, len(elements)), map[string]bool{}
	for i, element := range slices.Backward(elements) {
		r := &rows[i]
		*r = decodeRow(*element)
		r.Patch = c.Request.Method == http.MethodPatch
		for _, value := range r.Fields {
			if r.Patch && string(value) == "null" {
				return nil, web.BadRequest("element %d: null is no value; PATCH can't remove a field", i+1)
			}
		}
		switch {
		case r.bad:
		case later[r.ID]:
			r.reason = "duplicate: the same id comes again later in this request"
		default:
			later[r.ID] = true
		}
	}
	return rows, nil
}

// decodeRow decodes and validates one element. An element that breaks section 2.2 becomes a failed row.
func decodeRow(element json.RawMessage) (r row) {
	var sent struct {
		wire.Document
		Type json.RawMessage `json:"type"` // raw, to distinguish null from a missing type
	}
	var mismatch *json.UnmarshalTypeError
	err := json.Unmarshal(element, &sent)
	r.Document = sent.Document
	_, inside := r.Fields["type"]
	switch {
	case errors.As(err, &mismatch):
		r.fail("%s can't be a JSON %s", cmp.Or(mismatch.Field, "a document"), mismatch.Value)
	case err != nil:
		r.fail("the document can't be read")
	case r.ID == "":
		r.fail("id is required")
	case len(r.ID) > maxIDBytes:
		r.fail("id is longer than %d bytes", maxIDBytes)
	case r.Fields == nil:
		r.fail("fields is required")
	case len(r.Fields) > maxFields:
		r.fail(tooManyFields)
	case inside:
		r.fail("type belongs beside fields, not inside")
	case len(sent.Type) > 0 && (json.Unmarshal(sent.Type, &r.Type) != nil || !isType(r.Type)):
		r.fail("type must be %s or %s", pageContent, fileContent)
	default:
		for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
			if name == "" || r.Fields[name][0] != '"' {
				r.fail("fields.%s must have a name, and a string as its value", name)
				break
			}
		}
	}
	return r
}

func isType(kind *string) bool { return kind != nil && (*kind == pageContent || *kind == fileContent) }

func results(rows []row) []map[string]any {
	entries := make([]map[string]any, len(rows))
	for i, r := range rows {
		if r.Fields == nil {
			r.Fields = map[string]json.RawMessage{}
		}
		document := map[string]any{"id": r.ID, "type": TypeNumber(r.Document), "fields": r.Fields}
		entries[i] = map[string]any{"document": document, "reason": r.reason, "success": !r.bad}
	}
	return entries
}

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
	maxID       = 512  // bytes of a document's ID
	maxURL      = 8192 // bytes of a queued URL
	maxElements = 1000 // elements of the array in a request
	maxFields   = 1000 // fields of a document

	tooManyFields = "the document has more than %d fields"
)

// The types of specification section 2.2. Responses give the type as an integer, which the specification
// does not define; the integers below are an extension.
const (
	pageContent = "PageContent" // 0 in responses
	fileContent = "FileContent" // 1 in responses
)

// TypeNumber returns the integer for a document's type in responses.
func TypeNumber(doc wire.Document) int {
	if doc.Type != nil && *doc.Type == fileContent {
		return 1
	}
	return 0
}

// row is one document of a batch with its result. doc is the document as sent, and after storing as stored.
type row struct {
	doc    wire.Document
	bad    bool
	reason string
}

func (r *row) fail(format string, args ...any) { r.bad, r.reason = true, fmt.Sprintf(format, args...) }

// writeDocuments serves PUT and PATCH documents, specification section 4.1. PUT creates or replaces each
// document. PATCH changes only the fields sent, and keeps the type unless sent. All valid rows of a batch
// are one transaction.
func (s *Store) writeDocuments(c *web.Call) (web.Reply, error) {
	rows, err := decodeRows(c)
	if err != nil {
		return web.Reply{}, err
	}
	patch := c.Request.Method == http.MethodPatch
	err = s.update(c.Customer, c.Crawler, func(x *crawler) error {
		texts := make([]func() *text, len(rows))
		for i := range rows {
			texts[i] = sync.OnceValue(func() *text { return x.read(rows[i].doc) })
		}
		for i := range rows {
			if next := i + 1; !patch && next < len(rows) && !rows[next].bad { // a patch is merged with its document first
				go ahead(texts[next])
			}
			if err := rows[i].store(x, patch, texts[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return web.OK(results(rows), err)
}

// ahead reads a document while the one before it is written. A panic would end the process here: store
// meets the same panic, where the request is answered with 500.
func ahead(read func() *text) {
	defer func() { _ = recover() }()
	read()
}

func (r *row) store(x *crawler, patch bool, read func() *text) error {
	if patch && !r.bad {
		there, err := x.layOver(&r.doc)
		switch {
		case err != nil:
			return err
		case !there:
			r.fail("not found")
		case len(r.doc.Fields) > maxFields:
			r.fail(tooManyFields, maxFields)
		}
	}
	if r.bad {
		return nil
	}
	return x.put(&r.doc, read())
}

// layOver completes a patch with the stored document's fields and type. It returns false if there is none.
func (x *crawler) layOver(patch *wire.Document) (there bool, err error) {
	have, number, err := x.get(patch.ID)
	fields := map[string]json.RawMessage{}
	maps.Copy(fields, have.Fields)
	maps.Copy(fields, patch.Fields)
	patch.Type, patch.Fields = cmp.Or(patch.Type, have.Type), fields
	return number != 0, err
}

// Change is a put of a document. If Patch is set, only the given fields change; if Delete is set, the
// document is deleted.
type Change struct {
	wire.Document
	Patch, Delete bool
}

// Write applies changes to a crawler's documents in one transaction. It validates nothing.
func (s *Store) Write(customer int64, id string, changes []Change) error {
	return s.update(customer, id, func(x *crawler) error {
		for _, c := range changes {
			var err error
			switch {
			case c.Delete:
				_, err = x.remove(c.ID)
			case c.Patch:
				_, err = x.layOver(&c.Document)
			}
			if err == nil && !c.Delete {
				err = x.put(&c.Document, x.read(c.Document))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// deleteDocument serves DELETE documents, specification section 4.1.
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

// decodeArray returns the elements of the JSON array in a request body. null elements and more than
// maxElements are refused. what describes the array in error messages.
func decodeArray[T any](c *web.Call, what string) (elements []*T, err error) {
	if err := json.Unmarshal(c.Body, &elements); err != nil || elements == nil || slices.Contains(elements, nil) {
		return nil, web.BadRequest("the body must be %s", what)
	}
	if len(elements) > maxElements {
		return nil, web.Refused(http.StatusRequestEntityTooLarge, "the array holds more than %d elements", maxElements)
	}
	return elements, nil
}

// decodeRows returns one validated row for each element of the array in a request body.
func decodeRows(c *web.Call) ([]row, error) {
	elements, err := decodeArray[json.RawMessage](c, "an array of documents")
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(elements))
	for i, element := range elements {
		rows[i] = decodeRow(*element)
		isNull := func(value json.RawMessage) bool { return string(value) == "null" }
		if c.Request.Method == http.MethodPatch && slices.ContainsFunc(slices.Collect(maps.Values(rows[i].doc.Fields)), isNull) {
			return nil, web.BadRequest("element %d: null is no value; PATCH can't remove a field", i+1)
		}
	}
	markDuplicates(rows)
	return rows, nil
}

// decodeRow decodes and validates one element. An element that breaks section 2.2 becomes a failed row.
func decodeRow(element json.RawMessage) (r row) {
	var sent struct {
		wire.Document
		Type json.RawMessage `json:"type"` // raw, so that null can be told from a missing type
	}
	var mismatch *json.UnmarshalTypeError
	err := json.Unmarshal(element, &sent)
	r.doc = sent.Document
	_, inside := r.doc.Fields["type"]
	switch {
	case errors.As(err, &mismatch):
		r.fail("%s can't be a JSON %s", cmp.Or(mismatch.Field, "a document"), mismatch.Value)
	case err != nil:
		r.fail("the document can't be read")
	case r.doc.ID == "":
		r.fail("id is required")
	case len(r.doc.ID) > maxID:
		r.fail("id is longer than %d bytes", maxID)
	case r.doc.Fields == nil:
		r.fail("fields is required")
	case len(r.doc.Fields) > maxFields:
		r.fail(tooManyFields, maxFields)
	case inside:
		r.fail("type belongs beside fields, not inside")
	case len(sent.Type) > 0 && (json.Unmarshal(sent.Type, &r.doc.Type) != nil || !isType(r.doc.Type)):
		r.fail("type must be %s or %s", pageContent, fileContent)
	default:
		for _, name := range slices.Sorted(maps.Keys(r.doc.Fields)) {
			if name == "" || r.doc.Fields[name][0] != '"' {
				r.fail("fields.%s must have a name, and a string as its value", name)
				break
			}
		}
	}
	return r
}

func isType(kind *string) bool { return kind != nil && (*kind == pageContent || *kind == fileContent) }

func markDuplicates(rows []row) {
	later := map[string]bool{}
	for i := range slices.Backward(rows) {
		switch r := &rows[i]; {
		case r.bad:
		case later[r.doc.ID]:
			r.reason = "duplicate: the same id comes again later in this request"
		default:
			later[r.doc.ID] = true
		}
	}
}

// results returns the rows of the response, section 2.2.
func results(rows []row) []map[string]any {
	entries := make([]map[string]any, len(rows))
	for i, r := range rows {
		if r.doc.Fields == nil {
			r.doc.Fields = map[string]json.RawMessage{}
		}
		document := map[string]any{"id": r.doc.ID, "type": TypeNumber(r.doc), "fields": r.doc.Fields}
		entries[i] = map[string]any{"document": document, "reason": r.reason, "success": !r.bad}
	}
	return entries
}

package service

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"sitesync/internal/wire"
)

// maxID is how long a document's ID may be, in bytes.
const maxID = 512

// check fails the row where section 2.2 or a switch says so.
func (r *row) check(endpoint Endpoint, rules *rules) {
	if r.bad {
		return
	}
	if reason := flaw(r.doc, rules); reason != "" {
		r.fail("%s", reason)
		return
	}
	if rules.RequireFields && endpoint == EndpointPut {
		r.requireFields()
	}
	if refusal, ok := rules.refusal(endpoint, r.doc.ID); ok {
		r.fail("%s", refusal.reason())
		r.lose = refusal.Lose && endpoint == EndpointPut
	}
}

// flaw returns why a document is not one by section 2.2; "" when it is.
func flaw(doc wire.Document, rules *rules) string {
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
		if !isValue(doc.Fields[name], rules.AcceptArrays) {
			return fmt.Sprintf("fields.%s must be a string", name)
		}
	}
	return ""
}

func isValue(raw json.RawMessage, arrays bool) bool {
	if len(raw) > 0 && raw[0] == '"' {
		return true
	}
	var list []*string
	return arrays && json.Unmarshal(raw, &list) == nil && list != nil && !slices.Contains(list, nil)
}

func (r *row) requireFields() {
	for _, name := range []string{"Title", "Description", "Url"} {
		if _, ok := r.doc.Fields[name]; !ok {
			r.fail("fields.%s is required", name)
			return
		}
	}
}

func (r Refusal) reason() string {
	if r.Reason == "" {
		return "refused"
	}
	return r.Reason
}

package push

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// object is a JSON object of an answer, or a row of one: the keys of sections 2.2,
// 4.1 and 7 in any case, as the service writes some now with a capital, now without.
type object struct {
	Document                                                                 struct{ ID, Fields json.RawMessage }
	URL, Status                                                              json.RawMessage
	Message, Messages, Code, Reason, Success, Deleted, Failed, Error, Errors json.RawMessage
}

// readObject returns the zero object when body is no whole JSON object.
func readObject(body []byte) (o object) {
	if bytes.HasPrefix(body, []byte("{")) { // rows repeat the documents: they are read only as what they are
		_ = json.Unmarshal(body, &o)
	}
	return o
}

// readRows returns the elements of an answer that is an array. One that is no
// object is empty, so that the others keep their places.
func readRows(body []byte) (rows []object) {
	_ = json.Unmarshal(body, &rows)
	return rows
}

// key returns what a row is about: the ID of its document, or its URL.
func (o object) key() string { return cmp.Or(textOf(o.Document.ID), textOf(o.URL)) }

// pair returns for each key that was sent the row that answers it, nil where none
// does: the only row with that key, else, when there are as many rows as keys, the
// row in its place unless that row names another key. Two rows with one key prove
// nothing.
func pair(sent []string, rows []object) []*object {
	byKey, count := map[string]*object{}, map[string]int{}
	for i, row := range rows {
		byKey[row.key()] = &rows[i]
		count[row.key()]++
	}
	paired := make([]*object, len(sent))
	for i, k := range sent {
		switch {
		case count[k] == 1:
			paired[i] = byKey[k]
		case count[k] == 0 && len(rows) == len(sent) && !slices.Contains(sent, rows[i].key()):
			paired[i] = &rows[i]
		}
	}
	return paired
}

// says reports whether a value says anything.
func says(value json.RawMessage) bool {
	return !slices.Contains([]string{"", "null", "false", `""`, "[]", "{}"}, string(value))
}

// get returns a value of kind T; false when it is absent, null or of another kind.
func get[T any](value json.RawMessage) (v T, ok bool) {
	ok = string(value) != "null" && json.Unmarshal(value, &v) == nil
	return v, ok
}

// textOf returns the string that a value is, empty for any other.
func textOf(value json.RawMessage) string {
	s, _ := get[string](value)
	return s
}

// trimJSON removes what surrounds a JSON text, a byte order mark included
// (RFC 8259, section 8.1, lets a reader ignore it).
func trimJSON(body []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
}

// isCut reports whether body holds something that is not one whole JSON text.
func isCut(body []byte) bool { return len(body) > 0 && !json.Valid(body) }

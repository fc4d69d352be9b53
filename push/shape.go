package push

import (
	"bytes"
	"encoding/json"
	"strings"
)

// shape is the JSON object of an answer, its keys in lower case: the service
// writes some of them now with a capital, now without.
type shape map[string]json.RawMessage

// readShape returns nil when body is no whole JSON object.
func readShape(body []byte) shape {
	body = trimJSON(body)
	var raw map[string]json.RawMessage
	if len(body) == 0 || body[0] != '{' || json.Unmarshal(body, &raw) != nil {
		return nil
	}
	s := make(shape, len(raw))
	for key, value := range raw {
		s[strings.ToLower(key)] = value
	}
	return s
}

// trimJSON removes what surrounds a JSON text, a byte order mark included
// (RFC 8259, section 8.1, lets a reader ignore it).
func trimJSON(body []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
}

// isCut reports whether body holds something that is not one whole JSON text.
func isCut(body []byte) bool {
	body = trimJSON(body)
	return len(body) > 0 && !json.Valid(body)
}

// has reports whether the value of key says anything.
func (s shape) has(key string) bool {
	switch string(s[key]) {
	case "", "null", "false", `""`, "[]", "{}":
		return false
	}
	return true
}

// get decodes the value of key; false when it is absent, null or of another kind.
func get[T any](s shape, key string) (T, bool) {
	var value *T
	if json.Unmarshal(s[key], &value) != nil || value == nil {
		var none T
		return none, false
	}
	return *value, true
}

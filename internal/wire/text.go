package wire

import (
	"bytes"
	"encoding/json"
)

// Text returns a JSON value as text: the content of a string, or compact JSON for any other value. single
// is true if the value is a string, a number or a boolean.
func Text(value json.RawMessage) (text string, single bool) {
	if json.Unmarshal(value, &text) == nil && string(value) != "null" {
		return text, true
	}
	var plain bytes.Buffer
	_ = json.Compact(&plain, value) // invalid JSON leaves the text empty
	text = plain.String()
	return text, text != "" && text != "null" && text[0] != '[' && text[0] != '{'
}

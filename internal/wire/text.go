package wire

import (
	"bytes"
	"encoding/json"
)

// Text returns a JSON value as a text: a string as what it says, any other as it is written,
// without spaces. single reports whether it is a string, a number, true or false.
func Text(value json.RawMessage) (text string, single bool) {
	if json.Unmarshal(value, &text) == nil && string(value) != "null" {
		return text, true
	}
	var plain bytes.Buffer
	_ = json.Compact(&plain, value) // what is no JSON stays out
	text = plain.String()
	return text, text != "" && text != "null" && text[0] != '[' && text[0] != '{'
}

package push

import (
	"encoding/json"

	"sitesync/internal/wire"
)

// idKey returns the key of a kind's ID.
func idKey(kind wire.Kind) string {
	if kind == wire.KindSynonyms {
		return "groupId"
	}
	return "id"
}

// idOf returns the ID in a tool of an answer, 0 when there is none.
func idOf(kind wire.Kind, tool []byte) int64 {
	o, _ := wire.ParseObject(tool)
	value, _ := o.Get(idKey(kind))
	number, _ := get[json.Number](value)
	id, err := number.Int64()
	if err != nil {
		return 0
	}
	return id
}

// pick returns the tool with an ID from an answer, its only element or one of an
// array; nil when it is not there.
func pick(kind wire.Kind, id int64, body []byte) []byte {
	var rows []json.RawMessage
	_ = json.Unmarshal(body, &rows)
	for _, tool := range append(rows, body) {
		if idOf(kind, tool) == id {
			return tool
		}
	}
	return nil
}

// deleteFailure returns the reason of the shape {failed, reason} (section 7), empty
// when an answer has another.
func deleteFailure(got answer) string {
	o := readObject(got.body)
	if failed, _ := get[int](o.Failed); failed > 0 {
		return textOf(o.Reason)
	}
	return ""
}

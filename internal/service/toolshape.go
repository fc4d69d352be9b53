package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/wire"
)

// maxEntries bounds each list of a search tool, and the unknown keys of each object.
const maxEntries = 1000

// listOf returns the rule for an array whose entries keep to another.
func listOf(entry rule) rule {
	return func(path string, sent json.RawMessage, faults wire.FieldErrors) json.RawMessage {
		var entries []json.RawMessage
		if json.Unmarshal(sent, &entries) != nil || len(entries) > maxEntries {
			return wrong(faults, path, "must be an array of at most %d entries", maxEntries)
		}
		stored := make([][]byte, len(entries))
		for i, one := range entries {
			stored[i] = entry(fmt.Sprintf("%s[%d]", path, i), one, faults)
		}
		return slices.Concat([]byte("["), bytes.Join(stored, []byte(",")), []byte("]"))
	}
}

// member is one key of an object.
type member struct {
	name string
	rule rule
}

// objectOf returns the rule for an object: its members in their order, under their very
// names, then what else was sent, byte for byte.
func objectOf(members ...member) rule {
	return func(path string, sent json.RawMessage, faults wire.FieldErrors) json.RawMessage {
		var values map[string]json.RawMessage
		if json.Unmarshal(sent, &values) != nil || values == nil {
			return wrong(faults, path, "must be an object")
		}
		var stored [][]byte
		keep := func(name string, value json.RawMessage) {
			key, _ := json.Marshal(name) // a string always encodes
			stored = append(stored, slices.Concat(key, []byte(":"), value))
		}
		for _, m := range members {
			if value := m.rule(strings.TrimPrefix(path+"."+m.name, "."), take(values, m.name), faults); value != nil {
				keep(m.name, value)
			}
		}
		if len(values) > maxEntries {
			return wrong(faults, path, "must have at most %d keys that are not known", maxEntries)
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			keep(name, values[name])
		}
		return slices.Concat([]byte("{"), bytes.Join(stored, []byte(",")), []byte("}"))
	}
}

// take removes what is under a name in any case and returns the value, null for none;
// the very name wins, then the last in byte order.
func take(values map[string]json.RawMessage, name string) json.RawMessage {
	value, exact := values[name]
	last := ""
	for key := range values {
		if !strings.EqualFold(key, name) {
			continue
		}
		if !exact && key > last {
			value, last = values[key], key
		}
		delete(values, key)
	}
	if value == nil {
		return json.RawMessage("null")
	}
	return value
}

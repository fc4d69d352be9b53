package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxEntries bounds each list of a search tool, and the unknown keys of each object.
const maxEntries = 1000

// listOf returns the rule for an array whose entries keep to another.
func listOf(entry rule) rule {
	return func(v sent) json.RawMessage {
		var entries []json.RawMessage
		if !v.is(&entries) || len(entries) > maxEntries {
			return v.wrong("must be an array of at most %d entries", maxEntries)
		}
		stored := make([][]byte, len(entries))
		for i, one := range entries {
			stored[i] = entry(sent{one, fmt.Sprintf("%s[%d]", v.path, i), v.faults})
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
// names, then what else came, byte for byte.
func objectOf(members ...member) rule {
	return func(v sent) json.RawMessage {
		var values map[string]json.RawMessage
		if !v.is(&values) || values == nil {
			return v.wrong("must be an object")
		}
		var stored [][]byte
		keep := func(name string, value json.RawMessage) {
			key, _ := json.Marshal(name) // a string always encodes
			stored = append(stored, slices.Concat(key, []byte(":"), value))
		}
		for _, m := range members {
			path := strings.TrimPrefix(v.path+"."+m.name, ".")
			if value := m.rule(sent{take(values, m.name), path, v.faults}); value != nil {
				keep(m.name, value)
			}
		}
		if len(values) > maxEntries {
			return v.wrong("must have at most %d keys that are not known", maxEntries)
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

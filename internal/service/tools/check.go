package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sitesync/internal/wire"
)

// A rule checks one value of a search tool and returns it as it is stored: nil leaves
// it out.
type rule func(sent) json.RawMessage

// sent is a value as it came, null where none did. What is wrong with it is told under
// its path, section 7.
type sent struct {
	json   json.RawMessage
	path   string // "" for the whole body
	faults wire.FieldErrors
}

func (v sent) isNull() bool     { return string(v.json) == "null" }
func (v sent) is(what any) bool { return json.Unmarshal(v.json, what) == nil }

func (v sent) wrong(format string, args ...any) json.RawMessage {
	v.faults[v.path] = append(v.faults[v.path], fmt.Sprintf(format, args...))
	return nil
}

func (v sent) missing() json.RawMessage { return v.wrong("this field is required") }

// optional returns the rule that a value, where there is one, is a T.
func optional[T any](what string) rule {
	return func(v sent) json.RawMessage {
		switch {
		case v.isNull():
			return nil
		case !v.is(new(T)):
			return v.wrong("must be %s", what)
		}
		return v.json
	}
}

// needed returns the rule that there is a value, which keeps to another.
func needed(r rule) rule {
	return func(v sent) json.RawMessage {
		if v.isNull() {
			return v.missing()
		}
		return r(v)
	}
}

// orElse returns the rule that a value, taken for another where there is none, keeps to.
func orElse(other string, r rule) rule {
	return func(v sent) json.RawMessage {
		if v.isNull() {
			v.json = json.RawMessage(other)
		}
		return r(v)
	}
}

// filledText is the rule for a string that must not be blank.
func filledText(v sent) json.RawMessage {
	var text string
	if v.is(&text) && strings.TrimSpace(text) == "" { // null as well
		return v.missing()
	}
	return optional[string]("a string")(v)
}

// atLeast returns the rule for an integer, where there is one.
func atLeast(least int64) rule {
	return func(v sent) json.RawMessage {
		n := least // which null leaves
		if !v.is(&n) || n < least {
			return v.wrong("must be an integer, %d or more", least)
		}
		return optional[int64]("an integer")(v)
	}
}

// instant is the rule for a date-time, where there is one; it is stored in UTC.
func instant(v sent) json.RawMessage {
	var at time.Time
	isTime := v.is(&at)
	utc, err := json.Marshal(at.UTC()) // which may lie in a year that has no form
	switch {
	case v.isNull():
		return nil
	case !isTime || err != nil:
		return v.wrong("must be a date-time of RFC 3339")
	}
	return utc
}

// opaque is the rule for an array or null, kept byte for byte.
func opaque(v sent) json.RawMessage {
	if !v.is(new([]json.RawMessage)) {
		return v.wrong("must be an array or null")
	}
	return v.json
}

// ofAnswers is the rule for what only answers hold.
func ofAnswers(sent) json.RawMessage { return nil }

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

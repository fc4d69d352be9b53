package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Object is a JSON object whose members keep their order and whose keys and values
// keep their bytes, so that what is read, changed in one place and written again is
// the same everywhere else: opaque audiences, unknown keys, numbers, escapes. Only
// what stands between members is lost. The zero Object has no members.
type Object struct{ members []member }

type member struct {
	name  string // decoded
	key   []byte // as written, with its quotes
	value json.RawMessage
}

// ParseObject reads one JSON object (RFC 8259). It errs when raw is anything else, or
// is not valid UTF-8.
func ParseObject(raw []byte) (o Object, err error) {
	if !utf8.Valid(raw) || !json.Valid(raw) || !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return Object{}, errors.New("it is no JSON object in UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(raw)) // errs on nothing that is valid
	_, _ = dec.Token()
	for dec.More() {
		start := dec.InputOffset()
		token, _ := dec.Token()
		name, _ := token.(string)
		between := raw[start:dec.InputOffset()]
		m := member{name: name, key: slices.Clone(between[bytes.IndexByte(between, '"'):])}
		_ = dec.Decode(&m.value)
		o.members = append(o.members, m)
	}
	return o, nil
}

// All yields the decoded keys with their values, in order.
func (o Object) All() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for _, m := range o.members {
			if !yield(m.name, m.value) {
				return
			}
		}
	}
}

// Get returns the value of a key: of the one written exactly so, else of one that
// differs in case alone (services write some keys now with a capital, now without),
// of several the last. The bytes are the object's own.
func (o Object) Get(key string) (json.RawMessage, bool) {
	found, exact := json.RawMessage(nil), false
	for _, m := range o.members {
		if m.name == key || !exact && strings.EqualFold(m.name, key) {
			found, exact = m.value, m.name == key
		}
	}
	return found, found != nil
}

// Set gives a key a value, which must be JSON: in place of the first member with that
// key in any case, further ones are dropped; at the end where there is none.
func (o *Object) Set(key string, value json.RawMessage) {
	quoted, _ := json.Marshal(key) // a string always encodes
	i := slices.IndexFunc(o.members, func(m member) bool { return strings.EqualFold(m.name, key) })
	if i < 0 {
		i = len(o.members)
	}
	o.Drop(key)
	o.members = slices.Insert(o.members, i, member{name: key, key: quoted, value: value})
}

// Drop takes out every member with that key, in any case.
func (o *Object) Drop(key string) {
	o.members = slices.DeleteFunc(slices.Clone(o.members), func(m member) bool { return strings.EqualFold(m.name, key) })
}

// Bytes returns the object as JSON, without spaces between its members.
func (o Object) Bytes() []byte {
	parts := make([][]byte, len(o.members))
	for i, m := range o.members {
		parts[i] = slices.Concat(m.key, []byte(":"), m.value)
	}
	return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
}

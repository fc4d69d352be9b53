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

// Object is a JSON object whose members can be changed one by one. All other members keep their order and
// their bytes, for example escapes and long numbers. Only white space between members is lost. The zero
// Object has no members.
type Object struct{ members []member }

type member struct {
	decodedKey string
	quotedKey  []byte
	value      json.RawMessage
}

// ParseObject reads one JSON object (RFC 8259). It errs if raw is not a JSON object or not UTF-8.
func ParseObject(raw []byte) (o Object, err error) {
	if !utf8.Valid(raw) || !json.Valid(raw) || !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return Object{}, errors.New("it is no JSON object in UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(raw)) // raw is valid, so the decoder never returns an error
	_, _ = dec.Token()
	for dec.More() {
		start := dec.InputOffset()
		token, _ := dec.Token()
		name, _ := token.(string)
		between := raw[start:dec.InputOffset()]
		m := member{decodedKey: name, quotedKey: slices.Clone(between[bytes.IndexByte(between, '"'):])}
		_ = dec.Decode(&m.value)
		o.members = append(o.members, m)
	}
	return o, nil
}

// All yields the decoded keys with their values, in order.
func (o Object) All() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for _, m := range o.members {
			if !yield(m.decodedKey, m.value) {
				return
			}
		}
	}
}

// Get returns the value of the last member with this key. If no key is equal, it ignores case, because services
// vary the case of some keys. The value shares its bytes with o.
func (o Object) Get(key string) (json.RawMessage, bool) {
	found, exact := json.RawMessage(nil), false
	for _, m := range o.members {
		if m.decodedKey == key || !exact && strings.EqualFold(m.decodedKey, key) {
			found, exact = m.value, m.decodedKey == key
		}
	}
	return found, found != nil
}

// Set gives a key a value, which must be JSON. The new member replaces all members with this key in any case,
// at the place of the first. If no member has the key, Set appends the new member.
func (o *Object) Set(key string, value json.RawMessage) {
	quoted, _ := json.Marshal(key)
	i := slices.IndexFunc(o.members, func(m member) bool { return strings.EqualFold(m.decodedKey, key) })
	if i < 0 {
		i = len(o.members)
	}
	o.Drop(key)
	o.members = slices.Insert(o.members, i, member{decodedKey: key, quotedKey: quoted, value: value})
}

// Drop removes every member with this key, in any case.
func (o *Object) Drop(key string) {
	named := func(m member) bool { return strings.EqualFold(m.decodedKey, key) }
	o.members = slices.DeleteFunc(slices.Clone(o.members), named)
}

// Bytes returns the object as JSON, without spaces between its members.
func (o Object) Bytes() []byte {
	parts := make([][]byte, len(o.members))
	for i, m := range o.members {
		parts[i] = slices.Concat(m.quotedKey, []byte(":"), m.value)
	}
	return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
}

package push

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Event is the body of one call of specification sections 4.3 and 4.4: a flat object,
// all of whose values are strings (sections 2.8 to 2.11).
type Event map[string]string

// ParseEvent reads an event from a JSON object. Numbers and booleans become strings, in
// plain decimal. It errs for anything else than one object, a key that comes twice, and
// values that are null, arrays or objects.
func ParseEvent(raw []byte) (Event, error) {
	if !utf8.Valid(raw) {
		return nil, errors.New("it is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New("it is no JSON object")
	}
	event := Event{}
	for dec.More() {
		if err := event.readPair(dec); err != nil {
			return nil, err
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, errors.New("it is cut off")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something follows the object: write one event a line")
	}
	return event, nil
}

// readPair reads one key and its value.
func (e Event) readPair(dec *json.Decoder) error {
	token, err := dec.Token()
	if err != nil {
		return fmt.Errorf("read a key: %w", err)
	}
	key := token.(string) // the decoder takes nothing else for a key
	if _, twice := e[key]; twice {
		return fmt.Errorf("%s comes twice", printable(key))
	}
	if token, err = dec.Token(); err != nil {
		return fmt.Errorf("read %s: %w", printable(key), err)
	}
	text, ok := asText(token)
	if !ok {
		return fmt.Errorf("%s is no text, number or boolean", printable(key))
	}
	e[key] = text
	return nil
}

// asText returns the text of a string, a boolean, or a number without an exponent.
func asText(token json.Token) (string, bool) {
	switch v := token.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		if !strings.ContainsAny(v.String(), "eE") {
			return v.String(), true
		}
		number, err := v.Float64()
		return strconv.FormatFloat(number, 'f', -1, 64), err == nil
	}
	return "", false
}

// DropPersonal removes a visitor's address, browser and referring page, whatever the
// case of their keys, and returns the keys that went, sorted.
func (e Event) DropPersonal() []string {
	var dropped []string
	for _, key := range slices.Sorted(maps.Keys(e)) {
		if slices.Contains([]string{"ip", "ua", "useragent", "refurl"}, strings.ToLower(key)) {
			delete(e, key)
			dropped = append(dropped, key)
		}
	}
	return dropped
}

package service

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitesync/internal/wire"
)

// dateKey is the field that a bulk delete addresses a date by, section 2.3. A
// document that does not have it is taken to have the day of its dateField.
const (
	dateKey   = "Date_date"
	dateField = "Date"
	dayLayout = "2006/01/02"
)

// test is one key of a filter: what a document must have there. It holds when
// accept holds of one of the document's values.
type test struct {
	key    string
	accept func(value string) bool
	always bool // Exists with no values: every document
}

// parseFilter reads a bulk-delete filter, section 2.3, and errs rather than
// guess: a filter that says less than was meant deletes more than was meant.
func parseFilter(body []byte, allowExists bool) ([]test, error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return nil, badRequest("the body must be an object of conditions keyed by field")
	}
	var tests []test
	for dec.More() {
		t, err := parseTest(dec, allowExists)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(tests, func(have test) bool { return have.key == t.key }) {
			return nil, badRequest("the field %q comes twice", t.key)
		}
		tests = append(tests, t)
	}
	if err := endOf(dec, json.Delim('}')); err != nil {
		return nil, err
	}
	if len(tests) == 0 {
		return nil, badRequest("an empty filter is refused")
	}
	return tests, nil
}

func parseTest(dec *json.Decoder, allowExists bool) (test, error) {
	token, err := dec.Token()
	key, _ := token.(string)
	if err != nil || strings.TrimSpace(key) == "" {
		return test{}, badRequest("a condition needs a field's name")
	}
	dec.DisallowUnknownFields()
	var condition wire.Condition
	if err := dec.Decode(&condition); err != nil {
		return test{}, badRequest("the condition of %q must be {operator: string, values: array of strings}", key)
	}
	return newTest(key, condition, allowExists)
}

// newTest checks one condition. Eq takes any of its values, a range exactly one.
func newTest(key string, c wire.Condition, allowExists bool) (test, error) {
	if c.Operator == "Exists" && allowExists && len(c.Values) == 0 {
		return test{key: key, always: true}, nil
	}
	wants := map[string]func(int) bool{
		"Eq":  func(order int) bool { return order == 0 },
		"Gte": func(order int) bool { return order >= 0 },
		"Lt":  func(order int) bool { return order < 0 },
	}
	want, known := wants[c.Operator]
	switch {
	case !known:
		return test{}, badRequest("the operator %q is none of Eq, Gte, Lt", c.Operator)
	case len(c.Values) == 0:
		return test{}, badRequest("the condition of %q has no values", key)
	case c.Operator != "Eq" && len(c.Values) != 1:
		return test{}, badRequest("%s takes exactly one value", c.Operator)
	}
	return compareTest(key, c.Values, want)
}

func compareTest(key string, values []string, want func(int) bool) (test, error) {
	compare := comparer(key)
	for _, value := range values {
		if _, ok := compare(value, value); !ok || strings.HasSuffix(key, "_date") && !isDay(value) {
			return test{}, badRequest("%q is no value for %q (dates are YYYY/MM/DD)", value, key)
		}
	}
	return test{key: key, accept: func(stored string) bool {
		return slices.ContainsFunc(values, func(value string) bool {
			order, ok := compare(stored, value)
			return ok && want(order)
		})
	}}, nil
}

// comparer returns how the values of a field are ordered: the suffix of its name
// types it. Values that are not of the type have no order.
func comparer(key string) func(a, b string) (int, bool) {
	switch {
	case strings.HasSuffix(key, "_date"):
		return compareDays
	case strings.HasSuffix(key, "_number"):
		return compareNumbers
	default:
		return func(a, b string) (int, bool) { return strings.Compare(a, b), true }
	}
}

func compareDays(a, b string) (int, bool) {
	dayA, okA := day(a)
	dayB, okB := day(b)
	return strings.Compare(dayA, dayB), okA && okB
}

func compareNumbers(a, b string) (int, bool) {
	numberA, errA := strconv.ParseFloat(a, 64)
	numberB, errB := strconv.ParseFloat(b, 64)
	return cmp.Compare(numberA, numberB), errA == nil && errB == nil && numberA == numberA && numberB == numberB
}

// day returns the calendar day of a date, in UTC where it has a time.
func day(value string) (string, bool) {
	for _, layout := range []string{dayLayout, time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, value); err == nil {
			return t.UTC().Format(dayLayout), true
		}
	}
	return "", false
}

func isDay(value string) bool {
	_, err := time.Parse(dayLayout, value)
	return err == nil
}

// matches reports whether a document passes all tests.
func matches(doc wire.Document, tests []test) bool {
	for _, t := range tests {
		if !t.always && !slices.ContainsFunc(valuesOf(doc, t.key), t.accept) {
			return false
		}
	}
	return true
}

// valuesOf returns a field's values; none for a field that the document lacks.
func valuesOf(doc wire.Document, key string) []string {
	raw, ok := doc.Fields[key]
	if !ok && key == dateKey {
		raw = doc.Fields[dateField]
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var many []string
	_ = json.Unmarshal(raw, &many) // only strings and arrays of strings are stored
	return many
}

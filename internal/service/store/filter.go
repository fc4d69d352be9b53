package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// dateKey is the field that a bulk delete addresses a date by, section 2.3. A
// document that does not have it is taken to have the day of its dateField.
const (
	dateKey   = "Date_date"
	dateField = "Date"
)

// bulkDelete is POST bulk-delete, specification section 4.1: every document of
// the crawler that passes all of the filter's keys goes, in one transaction.
func (s *Store) bulkDelete(c *web.Call) (web.Reply, error) {
	tests, err := parseFilter(c.Body)
	if err != nil {
		return web.Reply{}, err
	}
	var ids []string // no row must go from under a statement
	err = s.update(c.Customer, c.Crawler, func(x *crawler) error {
		err := x.each("> ?", "", func(doc wire.Document, _ int64) {
			if matches(doc, tests) {
				ids = append(ids, doc.ID)
			}
		})
		if err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := x.remove(id); err != nil {
				return err
			}
		}
		return nil
	})
	return web.OK(wire.BulkDeleteResult{Success: true, Deleted: len(ids)}, err)
}

// test is one key of a filter: what a document must have there.
type test struct {
	key string
	wire.Condition
}

// parseFilter reads a bulk-delete filter, section 2.3, and errs rather than
// guess: a filter that says less than was meant deletes more than was meant.
func parseFilter(body []byte) ([]test, error) {
	wrong := web.BadRequest("the body must be an object of conditions {operator: string, values: array of strings}, keyed by field")
	conditions, err := wire.ParseObject(body)
	if err != nil {
		return nil, wrong
	}
	var tests []test
	for key, condition := range conditions.All() {
		var sent struct {
			Operator string
			Values   []*string // null is no value
		}
		dec := json.NewDecoder(bytes.NewReader(condition))
		dec.DisallowUnknownFields()
		if dec.Decode(&sent) != nil || slices.Contains(sent.Values, nil) {
			return nil, wrong
		}
		t := test{key, wire.Condition{Operator: sent.Operator}}
		for _, value := range sent.Values {
			t.Values = append(t.Values, *value)
		}
		if slices.ContainsFunc(tests, func(have test) bool { return have.key == key }) {
			return nil, web.BadRequest("the field %q comes twice", key)
		}
		if err := t.check(); err != nil {
			return nil, err
		}
		tests = append(tests, t)
	}
	if len(tests) == 0 {
		return nil, web.BadRequest("an empty filter is refused")
	}
	return tests, nil
}

// check refuses a condition that is not well formed. Eq takes any of its values, a
// range exactly one.
func (t test) check() error {
	switch {
	case strings.TrimSpace(t.key) == "":
		return web.BadRequest("a condition needs a field's name")
	case t.Operator != "Eq" && t.Operator != "Gte" && t.Operator != "Lt":
		return web.BadRequest("the operator must be Eq, Gte or Lt, not %q", t.Operator)
	case len(t.Values) == 0:
		return web.BadRequest("the condition of %q has no values", t.key)
	case t.Operator != "Eq" && len(t.Values) != 1:
		return web.BadRequest("%s takes exactly one value", t.Operator)
	}
	for _, value := range t.Values {
		if _, ok := compare(t.key, value, value); !ok || strings.HasSuffix(t.key, "_date") && day(value) != value {
			return web.BadRequest("%q is no value for %q (dates are YYYY/MM/DD)", value, t.key)
		}
	}
	return nil
}

// matches reports whether a document passes all tests: each accepts the document's value.
func matches(doc wire.Document, tests []test) bool {
	for _, t := range tests {
		stored, there := Value(doc, t.key)
		accepted := slices.ContainsFunc(t.Values, func(value string) bool {
			order, ok := compare(t.key, stored, value)
			return ok && (t.Operator == "Eq" && order == 0 || t.Operator == "Gte" && order >= 0 || t.Operator == "Lt" && order < 0)
		})
		if !there || !accepted {
			return false
		}
	}
	return true
}

// compare orders two values of a field: the suffix of its name types it. Values
// that are not of the type have no order.
func compare(key, a, b string) (order int, ok bool) {
	switch {
	case strings.HasSuffix(key, "_date"):
		a, b = day(a), day(b)
		return strings.Compare(a, b), a != "" && b != ""
	case strings.HasSuffix(key, "_number"):
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		return cmp.Compare(x, y), errX == nil && errY == nil && !math.IsNaN(x) && !math.IsNaN(y)
	}
	return strings.Compare(a, b), true
}

// day returns the calendar day of a date as YYYY/MM/DD, in UTC where it has a
// time; "" for what is no date.
func day(value string) string {
	for _, layout := range []string{"2006/01/02", time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, value); err == nil {
			return at.UTC().Format("2006/01/02")
		}
	}
	return ""
}

// Value returns a field's value; false for a field that the document lacks.
func Value(doc wire.Document, key string) (value string, there bool) {
	raw, there := doc.Fields[key]
	if !there && key == dateKey {
		raw, there = doc.Fields[dateField]
	}
	_ = json.Unmarshal(raw, &value) // only strings are stored
	return value, there
}

// Text returns a field's value, "" for none.
func Text(doc wire.Document, key string) string {
	value, _ := Value(doc, key)
	return value
}

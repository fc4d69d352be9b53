package store

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// A bulk delete filters dates by the field dateKey (specification section 2.3), or by dateField in documents
// without dateKey.
const (
	dateKey   = "Date_date"
	dateField = "Date"
)

// bulkDelete serves POST bulk-delete, specification section 4.1. It deletes every document of the crawler
// (content source) that meets all conditions of the filter, in one transaction.
func (s *Store) bulkDelete(c *web.Call) (web.Reply, error) {
	filter, err := parseFilter(c.Body)
	if err != nil {
		return web.Reply{}, err
	}
	var ids []string
	err = s.update(c.Customer, c.Crawler, func(x *crawler) (err error) {
		ids, err = Column[string](x.tx, filter.text, append([]any{x.customer, x.id}, filter.args...)...)
		for _, id := range ids {
			if err == nil {
				_, err = x.remove(id)
			}
		}
		return err
	})
	return web.OK(wire.BulkDeleteResult{Success: true, Deleted: len(ids)}, err)
}

// filter is an SQL statement that returns the IDs of a crawler's documents that match a bulk-delete filter.
type filter struct {
	text string
	args []any // SQL arguments that follow the customer and the crawler
}

// parseFilter reads a bulk-delete filter, section 2.3. It refuses anything unclear, because a filter read
// too loosely would delete too much.
func parseFilter(body []byte) (filter, error) {
	wrong := web.BadRequest("the body must be an object of conditions {operator: string, values: array of strings}, " +
		"keyed by field, each once")
	conditions, err := wire.ParseObject(body)
	if err != nil {
		return filter{}, wrong
	}
	f, keys := filter{text: "SELECT name " + named + "> ''"}, map[string]bool{}
	for key, condition := range conditions.All() {
		var sent struct {
			Operator string
			Values   []*string // pointers, so that null can be detected and refused
		}
		dec := json.NewDecoder(bytes.NewReader(condition))
		dec.DisallowUnknownFields()
		if dec.Decode(&sent) != nil || slices.Contains(sent.Values, nil) || keys[key] || strings.TrimSpace(key) == "" {
			return filter{}, wrong
		}
		keys[key] = true
		if err := f.addCondition(key, sent.Operator, sent.Values); err != nil {
			return filter{}, err
		}
	}
	if len(keys) == 0 {
		return filter{}, web.BadRequest("an empty filter is refused")
	}
	return f, nil
}

// addCondition adds one condition. Eq accepts several values, Gte and Lt exactly one. Values are compared as dates
// or numbers if the field's name ends in _date or _number.
func (f *filter) addCondition(key, operator string, values []*string) error {
	compare := map[string]string{"Eq": "=", "Gte": ">=", "Lt": "<"}[operator]
	if compare == "" || len(values) == 0 || compare != "=" && len(values) > 1 {
		return web.BadRequest("the condition of %q must be Eq with values, or Gte or Lt with one", key)
	}
	typed, fallback := "", key
	switch {
	case strings.HasSuffix(key, "_date"):
		typed = "day"
	case strings.HasSuffix(key, "_number"):
		typed = "number"
	}
	if key == dateKey {
		fallback = dateField
	}
	for _, value := range values {
		_, isNumber := ParseNumber(*value)
		if typed == "day" && (*value == "" || day(*value) != *value) || typed == "number" && !isNumber {
			return web.BadRequest("%q is no value for %q (dates are YYYY/MM/DD)", *value, key)
		}
	}
	wanted, err := json.Marshal(values)
	// In a document with both date fields, the descending sort picks Date_date.
	const stored = "(SELECT value FROM json_each(body.json, '$.fields') WHERE key IN (?, ?) ORDER BY key DESC LIMIT 1)"
	f.text += " AND EXISTS(SELECT 1 FROM json_each(?) wanted WHERE " +
		typed + "(" + stored + ")" + compare + typed + "(wanted.value))"
	f.args = append(f.args, string(wanted), key, fallback)
	return err
}

// day returns the day of a date as YYYY/MM/DD, or "" for an invalid date. A time is converted to UTC.
func day(value string) string {
	for _, layout := range []string{"2006/01/02", time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, value); err == nil {
			return at.UTC().Format("2006/01/02")
		}
	}
	return ""
}

// Text returns the value of a field, or "" if the document does not have it.
func Text(doc wire.Document, key string) (value string) {
	_ = json.Unmarshal(doc.Fields[key], &value) // all stored values are strings
	return value
}

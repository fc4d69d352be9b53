package search

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/search/query"
)

// Range is what a field's values are in, both ends included. Values that are not of its
// kind are in none.
type Range struct {
	Field    string
	Date     bool // its ends are Unix seconds
	Min, Max float64
}

// fieldRanges is the field of the index in which ranges find values: NAME, 0, the kind, and
// the beginning of the eight bytes in whose order the values are.
const fieldRanges = "ranges"

// The kinds of values, and the bits that are cut off them: by values cut short, a range of
// many values takes few terms.
const kindNumber, kindDate = "n", "d"

func cuts() []int { return []int{0, 32, 40, 48} }

func rangeTerm(name, kind string, bits uint64, cut int) string {
	return name + "\x00" + kind + string(binary.BigEndian.AppendUint64([]byte{byte(cut)}, bits)[:9-cut/8])
}

// rangeTerms returns the terms by which ranges find a field's value.
func rangeTerms(name, value string) (terms []string) {
	add := func(kind string, number float64) {
		for _, cut := range cuts() {
			terms = append(terms, rangeTerm(name, kind, sortable(number), cut))
		}
	}
	if number, ok := ParseNumber(value); ok {
		add(kindNumber, number)
	}
	if from, _, ok := ParseDates(value); ok {
		add(kindDate, from)
	}
	return terms
}

// query returns the query for the documents that have a value in the range.
func (r Range) query() query.Query {
	kind, low, high := kindNumber, sortable(r.Min), sortable(r.Max)
	if r.Date {
		kind = kindDate
	}
	var any []query.Query
	add := func(from, to uint64, cut int) {
		terms := query.NewTermRangeInclusiveQuery(rangeTerm(r.Field, kind, from, cut), rangeTerm(r.Field, kind, to, cut), new(true), new(true))
		terms.SetField(fieldRanges)
		any = append(any, terms)
	}
	for i, cut := range cuts() {
		if i+1 == len(cuts()) || low > high || low>>cuts()[i+1] == high>>cuts()[i+1] {
			if low <= high {
				add(low, high, cut)
			}
			break
		}
		step := uint64(1)<<cuts()[i+1] - 1 // what is cut off next
		add(low, low|step, cut)
		add(high&^step, high, cut)
		low, high = low|step+1, high&^step-1
	}
	return anyOf(any)
}

// sortable returns bits in whose order numbers are.
func sortable(number float64) uint64 {
	bits := math.Float64bits(number + 0) // there is one zero
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

// ParseNumber returns a value that is a number, false for any other and for one that is
// not finite.
func ParseNumber(value string) (float64, bool) {
	if value == "" || !strings.Contains("+-.0123456789", value[:1]) {
		return 0, false
	}
	number, err := strconv.ParseFloat(value, 64)
	return number, err == nil && !math.IsInf(number, 0) && !math.IsNaN(number)
}

// ParseDates returns the first and the last moment, in Unix seconds, of what a date or a
// part of one in ISO 8601 says: a day has both ends of the day. Times without a zone are in UTC.
func ParseDates(value string) (from, to float64, ok bool) {
	if len(value) < 4 || len(value) > len(time.RFC3339Nano) || strings.Trim(value[:4], "0123456789") != "" {
		return 0, 0, false
	}
	for _, form := range []struct {
		layout              string
		years, months, days int
		rest                time.Duration
	}{
		{time.DateOnly, 0, 0, 1, 0}, {"2006/01/02", 0, 0, 1, 0}, {time.RFC3339, 0, 0, 0, 0}, {"2006-01-02T15:04:05", 0, 0, 0, time.Second}, {"2006-01-02T15:04", 0, 0, 0, time.Minute},
		{"20060102", 0, 0, 1, 0}, {"20060102T150405Z0700", 0, 0, 0, time.Second}, {"2006-01", 0, 1, 0, 0}, {"2006", 1, 0, 0, 0},
	} {
		if at, err := time.Parse(form.layout, value); err == nil {
			end := at.AddDate(form.years, form.months, form.days).Add(form.rest)
			from, to = seconds(at), seconds(end)
			if end.After(at) {
				to = math.Nextafter(to, from)
			}
			return from, to, true
		}
	}
	return 0, 0, false
}

func seconds(at time.Time) float64 { return float64(at.UnixMicro()) / 1e6 }

package search

import (
	"encoding/binary"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/search"
)

// Order sorts by a field's values: as dates where its name ends in _date, as numbers
// where it ends in _number. Documents without one come last.
type Order struct {
	Field string
	Desc  bool
}

// sorter is an Order as the engine asks for it, by the field of a shelf. Of several values
// the first in the order counts.
type sorter struct {
	search.SortField
	name string // of the document's field
	key  string
	has  bool
}

func (s *sorter) UpdateVisitor(field string, term []byte) {
	value, mine := strings.CutPrefix(string(term), valueTerm(s.name, ""))
	if field != s.Field || !mine {
		return
	}
	key, ok := sortKey(s.name, value)
	if ok && (!s.has || (key < s.key) != s.Desc) {
		s.key, s.has = key, true
	}
}

func (s *sorter) Value(*search.DocumentMatch) string {
	key := s.key
	if !s.has && !s.Desc {
		key = "\xff" // after all text
	}
	s.key, s.has = "", false
	return key
}

func (s *sorter) Copy() search.SearchSort { c := *s; return &c }

// sortKey returns a text in whose order values are sorted, between 0x01 and 0xfe.
func sortKey(field, value string) (string, bool) {
	switch {
	case strings.HasSuffix(field, "_number"):
		number, ok := ParseNumber(value)
		return "\x01" + string(binary.BigEndian.AppendUint64(nil, sortable(number))), ok
	case strings.HasSuffix(field, "_date"):
		at, ok := ParseDate(value)
		return at.UTC().Format(time.RFC3339Nano), ok
	}
	return "\x01" + value, true
}

// ParseDate returns the time of a date field's value, false for what is no date.
func ParseDate(value string) (time.Time, bool) {
	for _, layout := range []string{"2006/01/02", time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, value); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

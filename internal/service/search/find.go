package search

import (
	"context"
	"encoding/binary"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
)

// Result is what a search found.
type Result struct {
	Hits   []Key // from Query.From on
	Total  int
	Facets map[string][]Count // most frequent values first
	Marker *Marker            // of the words that were searched for
}

// Count is how many of the documents found have a value.
type Count struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Search returns what the query finds. It errs when the context ends.
func (x *Index) Search(ctx context.Context, q Query) (Result, error) {
	fields, err := x.bleve.Fields()
	if err != nil {
		return Result{}, fmt.Errorf("read the search index: %w", err)
	}
	x.asking.Lock()
	matching := q.match(x.asker, fields)
	x.asking.Unlock()
	found, err := x.bleve.SearchInContext(ctx, q.request(q.narrow(matching)))
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	result := Result{Total: int(found.Total), Facets: q.facets(found.Facets), Marker: &Marker{x, q, map[string]map[string]bool{}}}
	for _, hit := range found.Hits {
		result.Hits = append(result.Hits, parseID(hit.ID))
	}
	return result, nil
}

func (q Query) request(what query.Query) *bleve.SearchRequest {
	request := bleve.NewSearchRequestOptions(what, q.Size, q.From, false)
	if len(q.Sort) > 0 {
		request.Sort = search.SortOrder{}
		for _, order := range q.Sort {
			on := search.SortField{Field: shelf(order.Field), Desc: order.Desc}
			request.Sort = append(request.Sort, &sorter{SortField: on, name: order.Field})
		}
		request.Score = "none"
	}
	for name := range q.Facets {
		facet := bleve.NewFacetRequest(shelf(name), maxFacet)
		facet.SetPrefixFilter(valueTerm(name, ""))
		request.AddFacet(name, facet)
	}
	return request
}

// facets returns the counts that were asked for.
func (q Query) facets(found search.FacetResults) map[string][]Count {
	all := map[string][]Count{}
	for name, wanted := range q.Facets {
		all[name] = []Count{}
		for _, term := range found[name].Terms.Terms() {
			value := strings.TrimPrefix(term.Term, valueTerm(name, ""))
			if len(wanted) == 0 || slices.Contains(wanted, value) {
				all[name] = append(all[name], Count{value, term.Count})
			}
		}
	}
	return all
}

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
		number, err := strconv.ParseFloat(value, 64)
		bits := math.Float64bits(number)
		if bits>>63 == 1 {
			bits = ^bits
		} else {
			bits |= 1 << 63
		}
		return "\x01" + string(binary.BigEndian.AppendUint64(nil, bits)), err == nil && !math.IsNaN(number)
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

// Marker shows where a query's words stand in texts.
type Marker struct {
	index *Index
	query Query
	terms map[string]map[string]bool // by language, as texts in it come
}

const (
	maxFacet      = 1000    // values of a field that are counted out
	fragmentBytes = 160     // of one fragment
	maxFragments  = 3       // of one text
	markedBytes   = 200_000 // of a text that are looked at
)

// Mark returns the fragments of a text in which words of the query stand, as HTML:
// escaped, with those words in <b>. It is nil where none does.
func (m *Marker) Mark(language, text string) []string {
	m.index.asking.Lock()
	defer m.index.asking.Unlock()
	language = m.learn(language)
	if len(m.terms[language]) == 0 {
		return nil
	}
	if len(text) > markedBytes {
		text = strings.ToValidUTF8(text[:markedBytes], "")
	}
	text = normal(text)
	var fragments []string
	for _, part := range m.fragments(language, text) {
		fragments = append(fragments, part.html(text))
	}
	return fragments
}

// Count returns how many different words of the query stand in a text.
func (m *Marker) Count(language, text string) int {
	m.index.asking.Lock()
	defer m.index.asking.Unlock()
	language, text = m.learn(language), normal(text)
	there := map[string]bool{}
	words(text, func(start, end int) {
		for _, term := range m.index.asker.terms(language, strings.ToLower(text[start:end])) {
			if m.terms[language][term] {
				there[term] = true
			}
		}
	})
	return len(there)
}

// learn makes sure of the query's terms in the language of a tag, which it returns.
func (m *Marker) learn(tag string) (language string) {
	language = languageOf(tag)
	if m.terms[language] == nil {
		m.terms[language] = map[string]bool{}
		phrases := slices.Concat(m.query.slots(m.index.asker, language)...)
		for _, term := range slices.Concat(phrases...) {
			m.terms[language][term] = true
		}
	}
	return language
}

// A fragment is a part of a text and the words to mark in it, as offsets.
type fragment struct {
	start, end int
	marks      [][2]int
}

func (m *Marker) fragments(language, text string) []fragment {
	var all []fragment
	words(text, func(start, end int) {
		last := len(all) - 1
		within := last >= 0 && end <= all[last].end
		if !within && len(all) == maxFragments || !m.marks(language, text[start:end]) {
			return
		}
		if !within {
			all = append(all, around(text, start, end))
			last++
		}
		all[last].marks = append(all[last].marks, [2]int{start, end})
	})
	return all
}

func (m *Marker) marks(language, word string) bool {
	terms := m.index.asker.terms(language, strings.ToLower(word))
	return slices.ContainsFunc(terms, func(term string) bool { return m.terms[language][term] })
}

// around returns the fragment about a word, cut between words where there are spaces.
func around(text string, start, end int) fragment {
	from := max(0, start-fragmentBytes/3)
	to := min(len(text), max(end, from+fragmentBytes))
	if from > 0 {
		if space := strings.IndexByte(text[from:start], ' '); space >= 0 {
			from += space + 1
		}
	}
	if to < len(text) {
		if space := strings.LastIndexByte(text[end:to], ' '); space >= 0 {
			to = end + space
		}
	}
	for from < start && !utf8.RuneStart(text[from]) {
		from++
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return fragment{start: from, end: to}
}

func (f fragment) html(text string) (marked string) {
	at := f.start
	for _, mark := range f.marks {
		marked += html.EscapeString(text[at:mark[0]]) + "<b>" + html.EscapeString(text[mark[0]:mark[1]]) + "</b>"
		at = mark[1]
	}
	return marked + html.EscapeString(text[at:f.end])
}

package search

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"sitesync/internal/service/store"
)

type Result struct {
	Hits   []store.Key // from Query.From on, at most Query.Size
	Total  int
	Typed  bool             // a document matches the words as typed, without spelling corrections
	Fixed  string           // the text with corrected spelling; "" if it equals Text or finds nothing
	Facets map[string]Facet // keyed by field name
	Marker *Marker          // highlights the query's words in texts
	Notes  []string         // messages about parts of the text that were ignored
	Texts  []string         // the text with its last word completed, at most Query.Completions
	Count  int              // number of completions found, at most maxCount
}

// A scan is one search. After its first error it runs no further statement.
type scan struct {
	store     *store.Store
	tx        *store.Tx
	err       error
	customer  int64
	query     Query
	languages []string // the languages of the customer's documents
	clauses   []clause
	stops     bool     // in some language of the documents, the whole query consists of stop words
	without   []string // FTS5 expressions that documents must not match
}

// Search searches a customer's documents. It returns an error if ctx ends or the store can't be read.
func Search(ctx context.Context, in *store.Store, customer int64, q Query) (r Result, err error) {
	p := parse(q.Text)
	s := &scan{store: in, customer: customer, query: q, clauses: p.clauses(0)}
	err = in.View(ctx, func(tx *store.Tx) error {
		s.tx = tx
		r = s.search()
		return s.err
	})
	r.Notes = p.notes
	if err != nil {
		return r, fmt.Errorf("search: %w", err)
	}
	return r, nil
}

func (s *scan) search() (r Result) {
	s.languages = column[string](s, `WITH RECURSIVE spoken(l) AS (
		SELECT min(language) FROM word WHERE customer = ?1 UNION ALL
		SELECT (SELECT min(language) FROM word WHERE customer = ?1 AND language > l) FROM spoken WHERE l IS NOT NULL
	) SELECT l FROM spoken WHERE l IS NOT NULL`, s.customer)
	s.stops = slices.ContainsFunc(s.languages, func(language string) bool {
		_, telling := s.read(language, typed(s.clauses)...)
		return !telling
	})
	pins := s.pinned()
	ends := s.complete(&r)
	matched := s.match(&r)
	r.Marker = s.marker(matched.expression)
	r.Texts = []string{}
	for _, end := range ends {
		meant := typed(s.clauses)
		r.Texts = append(r.Texts, strings.Join(append(meant[:len(meant)-1], end), " "))
	}
	narrowing := append(Filters{Values: s.query.Facets}.all(), conditions(s.query.PostFilters.all(), s.query.PostAny))
	post := conditions(narrowing, false)
	narrowed, all, counted := matched.and(post), numbered(pins), condition{}
	passing := s.numbers(all.and(post), "d.rowid", "")
	pins = slices.DeleteFunc(pins, func(p pinned) bool { return !slices.Contains(passing, p.number) })
	if s.query.FilterFacets {
		counted = post
	}
	r.Facets, r.Total = map[string]Facet{}, -1
	for name := range s.query.Facets {
		r.Facets[name] = s.facet(name, matched.and(counted), all.and(counted))
		if counted.text == post.text {
			r.Total = r.Facets[name].AllCount
		}
	}
	if r.Total < 0 {
		r.Total = int(s.number(narrowed, "count(*)")) + len(pins)
	}
	r.Typed = r.Typed || len(pins) > 0
	r.Hits = s.hits(narrowed, pins)
	return r
}

// rows runs a statement. into returns pointers into one element, which receive the columns of a row.
func rows[T any](s *scan, into func(*T) []any, text string, args ...any) (all []T) {
	if s.err == nil {
		all, s.err = store.Rows(s.tx, into, text, args...)
	}
	return all
}

func column[T any](s *scan, text string, args ...any) []T {
	return rows(s, func(one *T) []any { return []any{one} }, text, args...)
}

// A source is the FROM and WHERE part of a statement that reads documents. In its SQL the table alias d is
// a document, and d.rowid its number.
type source struct {
	expression  string // the FTS5 expression to match; "" if from is not the index
	from, where string
	args        []any // arguments of where
}

// and returns the source with a further condition.
func (f source) and(c condition) source {
	if c.text != "" {
		f.where += " AND (" + c.text + ")"
		f.args = slices.Concat(f.args, c.args)
	}
	return f
}

func (f source) statement(columns, order string) string {
	return "SELECT " + columns + " FROM " + f.from + " WHERE " + f.where + order
}

func (s *scan) numbers(f source, expression, order string) []int64 {
	return column[int64](s, f.statement(expression, order), f.args...)
}

// number returns an SQL expression's value for the first row of a source, or 0 if there is no row.
func (s *scan) number(f source, expression string) int64 {
	return append(s.numbers(f, expression, " LIMIT 1"), 0)[0]
}

// matching returns a source of the documents that match an FTS5 expression, of all customers.
func matching(expression string) source {
	return source{expression: expression, from: "find d", where: "find MATCH ?", args: []any{expression}}
}

// documents returns a source of the documents that match an FTS5 expression and the query's filters. An
// empty expression matches all documents of the customer.
func (s *scan) documents(expression string) source {
	all := source{from: "document d", where: "d.customer = ?", args: []any{s.customer}}
	if expression != "" {
		all = matching(expression)
	}
	named := func(names []string) condition {
		list := encoded(names)
		return condition{`d.rowid IN (
			SELECT id FROM document WHERE customer = ? AND name IN (SELECT value FROM json_each(?)) UNION
			SELECT id FROM field WHERE name = 'Url' AND value IN (SELECT value FROM json_each(?))
		)`, []any{s.customer, list, list}}
	}
	if s.query.Only != nil {
		all = all.and(named(s.query.Only))
	}
	not := s.query.NotFilters.all()
	if s.query.Without != nil {
		not = append(not, named(s.query.Without))
	}
	for _, without := range s.without {
		not = append(not, condition{"d.rowid IN (SELECT rowid FROM find WHERE find MATCH ?)", []any{without}})
	}
	for _, c := range not {
		all = all.and(condition{"NOT " + c.text, c.args})
	}
	return all.and(conditions(s.query.Filters.all(), false))
}

func encoded(list any) string {
	text, _ := json.Marshal(list) // strings and numbers never fail to encode
	return string(text)
}

// A pinned document has a fixed rank in the results, counted from 1.
type pinned struct {
	store.Key
	number int64
	rank   int
}

// pinned returns the first document of each of the query's pins that passes the filters. It also excludes
// these documents from the other results, so that no page appears twice.
func (s *scan) pinned() (all []pinned) {
	for _, p := range s.query.Pins {
		only := *s
		only.query.Only = p.Names
		from := only.documents("")
		text := from.statement("d.crawler, d.name, d.rowid", " ORDER BY d.crawler, d.name LIMIT 1")
		into := func(one *pinned) []any { return []any{&one.Crawler, &one.ID, &one.number} }
		for _, found := range rows(s, into, text, from.args...) {
			found.rank = p.Rank
			all = append(all, found)
		}
		s.query.Without = slices.Concat(s.query.Without, p.Names)
	}
	return all
}

func numbered(pins []pinned) source {
	numbers := []int64{}
	for _, p := range pins {
		numbers = append(numbers, p.number)
	}
	return source{from: "document d", where: "d.rowid IN (SELECT value FROM json_each(?))", args: []any{encoded(numbers)}}
}

// hits returns the keys on the requested page of results. Pinned documents are inserted at their ranks, or
// at the end if there are fewer results.
func (s *scan) hits(from source, pins []pinned) []store.Key {
	order, args := "", slices.Clone(from.args)
	for _, o := range s.query.Sort {
		value := "(SELECT value FROM field WHERE name = ? AND id = d.rowid)"
		switch {
		case strings.HasSuffix(o.Field, "_date"):
			value = "moment(" + value + ")"
		case strings.HasSuffix(o.Field, "_number"):
			value = "number(" + value + ")"
		}
		order += value + map[bool]string{true: " DESC NULLS LAST, ", false: " NULLS LAST, "}[o.Desc]
		args = append(args, o.Field)
	}
	if from.expression != "" && order == "" {
		order = "score(find, ?, named.titles, named.words) * (1 - 0.5 * named.file) DESC, " // a file counts half
		args = append(args, sqlite3.Pointer(s.weights(from.expression)))
	}
	end := s.query.From + s.query.Size
	order = fmt.Sprintf(" ORDER BY %snamed.crawler, named.name LIMIT %d", order, end)
	from.from += " CROSS JOIN document named ON named.id = d.rowid"
	text := from.statement("named.crawler, named.name", order)
	best := rows(s, func(key *store.Key) []any { return []any{&key.Crawler, &key.ID} }, text, args...)
	next := 0
	for _, p := range pins {
		at := min(max(p.rank-1, next), len(best))
		best, next = slices.Insert(best, at, p.Key), at+1
	}
	return best[min(s.query.From, len(best)):min(end, len(best))]
}

// weights returns the weight of each phrase of an FTS5 expression. Rare terms weigh more. Phrases of
// several words weigh nothing, since their single words already count.
func (s *scan) weights(expression string) (all []float64) {
	// The largest ID estimates the number of documents, because the IDs of deleted documents are reused.
	documents := s.number(source{from: "document", where: "1"}, "max(id)")
	known := map[string]float64{}
	for _, token := range tokens(expression) {
		weight, done := known[token]
		if !done && !strings.Contains(token, " ") {
			weight = math.Log(1 + float64(documents)/float64(1+s.number(matching(`"`+token+`"`), "count(*)")))
		}
		known[token] = weight
		all = append(all, weight)
	}
	return all
}

// tokens returns the quoted parts of an FTS5 expression.
func tokens(expression string) (all []string) {
	for i, token := range strings.Split(expression, `"`) {
		if i%2 == 1 {
			all = append(all, token)
		}
	}
	return all
}

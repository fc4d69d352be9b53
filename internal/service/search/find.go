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

// maxFacet is how many values of a field are counted out.
const maxFacet = 1000

// Result is what a search found.
type Result struct {
	Hits   []store.Key // from Query.From on
	Total  int
	Typed  bool             // a document has a word as it was typed, or all of them where all must be there
	Fixed  string           // the text with words that no document has replaced by near ones; "" where that finds nothing
	Facets map[string]Facet // by field
	Marker *Marker          // of the words that were searched for
	Notes  []string         // what of the text makes no difference
	Texts  []string         // the text with its last word completed, most frequent first: Query.Completions at most
	Count  int              // of all completions
}

// A scan is one search.
type scan struct {
	store     *store.Store
	tx        *store.Tx
	customer  int64
	query     Query
	languages []string // of documents
	clauses   []clause
	stops     bool     // in one of the languages, all words are stop words
	without   []string // expressions that must not match
}

// Search returns what the query finds among a customer's documents. It errs when the context ends.
func Search(ctx context.Context, in *store.Store, customer int64, q Query) (r Result, err error) {
	s := &scan{store: in, customer: customer, query: q}
	r.Facets = map[string]Facet{}
	for _, name := range q.Facets {
		r.Facets[name] = Facet{FieldName: name, Items: []Count{}}
	}
	p := parse(q.Text)
	s.clauses, r.Notes = p.clauses(0), p.notes
	err = in.View(ctx, func(tx *store.Tx) error {
		s.tx = tx
		return s.search(&r)
	})
	if err != nil {
		return r, fmt.Errorf("search: %w", err)
	}
	return r, nil
}

// search fills the result.
func (s *scan) search(r *Result) (err error) {
	s.languages, err = s.spoken()
	if err != nil {
		return err
	}
	s.stops = slices.ContainsFunc(s.languages, func(language string) bool {
		_, telling := s.read(language, typed(s.clauses)...)
		return !telling
	})
	pins, err := s.pinned()
	if err != nil {
		return err
	}
	ends, count, err := s.complete()
	if err != nil {
		return err
	}
	matched, err := s.match(r)
	if err != nil {
		return err
	}
	r.Texts, r.Count = []string{}, count
	for _, end := range ends {
		meant := typed(s.clauses)
		r.Texts = append(r.Texts, strings.Join(append(meant[:len(meant)-1], end), " "))
	}
	post := conditions(s.query.PostFilters.all(), s.query.PostAny)
	r.Marker = s.marker(matched.expression)
	narrowed := matched.and(post)
	passing, err := s.numbers(s.numbered(pins).and(post), "d.rowid", "")
	if err != nil {
		return err
	}
	counted := s.numbered(pins)
	pins = slices.DeleteFunc(pins, func(p pinned) bool { return !slices.Contains(passing, p.number) })
	if s.query.FilterFacets {
		matched, counted = narrowed, s.numbered(pins)
	}
	r.Total = -1
	for _, name := range s.query.Facets {
		r.Facets[name], err = s.facet(name, matched, counted)
		if err != nil {
			return err
		}
		if post.text == "" || s.query.FilterFacets {
			r.Total = r.Facets[name].AllCount
		}
	}
	if r.Total < 0 {
		total, err := s.numbers(narrowed, "count(*)", "")
		if err != nil {
			return err
		}
		r.Total = int(total[0]) + len(pins)
	}
	r.Typed = r.Typed || len(pins) > 0
	r.Hits, err = s.hits(narrowed, pins)
	return err
}

// spoken returns the languages of the customer's documents.
func (s *scan) spoken() ([]string, error) {
	return store.Column[string](s.tx, `WITH RECURSIVE spoken(l) AS (SELECT min(language) FROM word WHERE customer = ?1
		UNION ALL SELECT (SELECT min(language) FROM word WHERE customer = ?1 AND language > l) FROM spoken WHERE l IS NOT NULL)
		SELECT l FROM spoken WHERE l IS NOT NULL`, s.customer)
}

// A source is the documents that a statement reads: d, whose rowid is a document's number.
type source struct {
	expression         string // of the index, "" for a source of others
	from, joins, where string
	joined, args       []any // of joins, and of where
}

// and returns the source narrowed further.
func (f source) and(c condition) source {
	if c.text != "" {
		f.where += " AND (" + c.text + ")"
		f.args = slices.Concat(f.args, c.args)
	}
	return f
}

// join returns the source with another table beside it.
func (f source) join(table string, args ...any) source {
	f.joins += " " + table
	f.joined = slices.Concat(f.joined, args)
	return f
}

// statement returns the one that reads columns, and its arguments.
func (f source) statement(columns, order string) (text string, args []any) {
	text = "SELECT " + columns + " FROM " + f.from + f.joins + " WHERE " + f.where + order
	return text, slices.Concat(f.joined, f.args)
}

// numbers returns what a statement gives in its only column.
func (s *scan) numbers(f source, column, order string) ([]int64, error) {
	text, args := f.statement(column, order)
	return store.Column[int64](s.tx, text, args...)
}

// documents returns the documents that an expression matches, or all for none, within the
// query's filters.
func (s *scan) documents(expression string) source {
	all := source{from: "document d", where: "d.customer = ?", args: []any{s.customer}}
	if expression != "" {
		all = source{expression: expression, from: "find d", where: "find MATCH ?", args: []any{expression}}
	}
	for _, only := range []struct {
		names []string
		not   string
	}{{s.query.Only, ""}, {s.query.Without, "NOT "}} {
		if only.names != nil {
			names := encoded(only.names)
			all = all.and(condition{"d.rowid " + only.not + `IN (SELECT id FROM document WHERE customer = ? AND name IN (SELECT value FROM json_each(?))
				UNION SELECT id FROM field WHERE name = 'Url' AND value IN (SELECT value FROM json_each(?)))`, []any{s.customer, names, names}})
		}
	}
	for _, without := range s.without {
		all = all.and(condition{"d.rowid NOT IN (SELECT rowid FROM find WHERE find MATCH ?)", []any{without}})
	}
	all = all.and(conditions(s.query.Filters.all(), false))
	if not := conditions(s.query.NotFilters.all(), true); not.text != "" {
		all = all.and(condition{"NOT (" + not.text + ")", not.args})
	}
	return all
}

// numbered returns the documents that are pinned.
func (s *scan) numbered(pins []pinned) source {
	numbers := []int64{}
	for _, p := range pins {
		numbers = append(numbers, p.number)
	}
	return source{from: "document d", where: "d.rowid IN (SELECT value FROM json_each(?))", args: []any{encoded(numbers)}}
}

func encoded(list any) string {
	text, _ := json.Marshal(list) // strings and numbers always encode
	return string(text)
}

// A pinned document stands at a rank, from 1 on.
type pinned struct {
	number int64
	rank   int
}

// pinned returns the first document of each of the query's pins that filters let be, and
// leaves them out of what else the query finds: a page stands once.
func (s *scan) pinned() (all []pinned, err error) {
	for _, p := range s.query.Pins {
		only := *s
		only.query.Only = p.Names
		from := only.documents("")
		numbers, err := s.numbers(from, "d.rowid", " ORDER BY d.crawler, d.name LIMIT 1")
		if err != nil {
			return nil, err
		}
		if len(numbers) > 0 && !slices.ContainsFunc(all, func(have pinned) bool { return have.number == numbers[0] }) {
			all = append(all, pinned{numbers[0], p.Rank})
		}
		s.query.Without = slices.Concat(s.query.Without, p.Names)
	}
	return all, nil
}

// hits returns the page of documents that the query asks for: those that are pinned at their
// ranks, or behind the others where there are fewer.
func (s *scan) hits(from source, pins []pinned) ([]store.Key, error) {
	from = from.join("CROSS JOIN document named ON named.id = d.rowid")
	var order []string
	for i, o := range s.query.Sort {
		from = from.join(fmt.Sprintf("LEFT JOIN field sort%d ON sort%[1]d.name = ? AND sort%[1]d.id = d.rowid", i), o.Field)
		value := fmt.Sprintf("sort%d.value", i)
		switch {
		case strings.HasSuffix(o.Field, "_date"):
			value = "moment(" + value + ")"
		case strings.HasSuffix(o.Field, "_number"):
			value = "number(" + value + ")"
		}
		order = append(order, value+map[bool]string{true: " DESC NULLS LAST", false: " NULLS LAST"}[o.Desc])
	}
	if from.expression != "" && len(order) == 0 {
		weights, err := s.weights(from.expression)
		if err != nil {
			return nil, err
		}
		order = append(order, "score(find, ?, named.titles, named.words) * (1 - 0.5 * named.file) DESC") // a file counts for less
		from.args = append(slices.Clone(from.args), sqlite3.Pointer(weights))
	}
	order = append(order, "named.crawler", "named.name")
	end := s.query.From + s.query.Size
	keys := func(from source, order string) ([]store.Key, error) {
		text, args := from.statement("named.crawler, named.name", order)
		return store.Rows(s.tx, func(key *store.Key) []any { return []any{&key.Crawler, &key.ID} }, text, args...)
	}
	best, err := keys(from, fmt.Sprintf(" ORDER BY %s LIMIT %d", strings.Join(order, ", "), end))
	next := 0
	for _, p := range pins {
		one, failed := keys(s.numbered([]pinned{p}).join("CROSS JOIN document named ON named.id = d.rowid"), "")
		if failed != nil {
			return nil, failed
		}
		at := min(max(p.rank-1, next), len(best))
		best, next = slices.Insert(best, at, one...), at+1
	}
	return best[min(s.query.From, len(best)):min(end, len(best))], err
}

// weights returns what each phrase of an expression counts for: the rarer a term is, the more.
// Phrases as typed count for nothing, since their words do.
func (s *scan) weights(expression string) (all []float64, err error) {
	documents, err := store.Column[int64](s.tx, "SELECT max(id) FROM document") // a number that is left is taken again
	if err != nil {
		return nil, err
	}
	known := map[string]float64{}
	for _, token := range tokens(expression) {
		weight, done := known[token]
		if !done && !strings.Contains(token, " ") {
			n, err := s.numbers(source{from: "find", where: "find MATCH ?", args: []any{`"` + token + `"`}}, "count(*)", "")
			if err != nil {
				return nil, err
			}
			weight = math.Log(1 + float64(documents[0])/float64(n[0]+1))
		}
		known[token] = weight
		all = append(all, weight)
	}
	return all, nil
}

// tokens returns what stands in quotes in an expression.
func tokens(expression string) (all []string) {
	for i, token := range strings.Split(expression, `"`) {
		if i%2 == 1 {
			all = append(all, token)
		}
	}
	return all
}

package search

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sitesync/internal/service/store"
)

// score is the SQL expression of a document's BM25 score. The best document has the lowest score. A word in
// the title counts four times.
const score = "bm25(find, 4, 1, 1, 1)"

// Result holds the documents that a search found.
type Result struct {
	Hits   []store.Key // the documents on the requested page
	Total  int
	Typed  bool             // true if a document is pinned, or matches the words as typed (uncorrected)
	Fixed  string           // the corrected query; "" if nothing was corrected or found
	Facets map[string]Facet // keyed by field name
	Marker *Marker
	Notes  []string // messages about ignored parts of the query text
	Texts  []string // versions of the query text with its last word completed
	Count  int      // number of possible completions; Texts may hold fewer
}

// A scan is one search. After its first error it runs no further SQL statement.
type scan struct {
	store     *store.Store
	tx        *store.Tx
	err       error
	customer  int64
	query     Query
	languages []string // the languages of the customer's documents
	clauses   []clause
	fields    []Condition // conditions from words such as Colour:red
	titles    bool        // true if the query has only stop words, which are then searched in titles
	matching  string      // the FTS5 expression that documents must match
	without   []string    // FTS5 expressions that documents must not match
}

// Search searches a customer's documents. It returns an error if ctx ends or the store can't be read.
func Search(ctx context.Context, in *store.Store, customer int64, q Query) (r Result, err error) {
	err = in.View(ctx, func(tx *store.Tx) error {
		s := &scan{store: in, tx: tx, customer: customer, query: q}
		r = s.search()
		return s.err
	})
	if err != nil {
		err = fmt.Errorf("search: %w", err)
	}
	return r, err
}

func (s *scan) search() (r Result) {
	s.languages = column[string](s, `WITH RECURSIVE spoken(l) AS (
		SELECT min(language) FROM word WHERE customer = ?1 UNION ALL
		SELECT (SELECT min(language) FROM word WHERE customer = ?1 AND language > l) FROM spoken WHERE l IS NOT NULL
	) SELECT l FROM spoken WHERE l IS NOT NULL`, s.customer)
	isField := func(name string) bool {
		return len(column[int](s, "SELECT 1 FROM field WHERE name = ? LIMIT 1", name)) > 0
	}
	p := parser{unparsed: parts.FindAllString(s.query.Text, -1), wordsLeft: maxQueryWords, isField: isField}
	s.clauses = s.synonyms(p.clauses(0), s.grouped())
	s.titles = s.stops(typed(s.clauses)...)
	s.fields, r.Notes = p.fields, p.notes
	pins := s.pinned()
	ends := s.complete()
	matched := s.match(&r)
	r.Marker = &Marker{s.store.Words, strings.ReplaceAll(s.matching, `"`, " ")}
	r.Texts, r.Count = []string{}, len(ends)
	for _, end := range ends[:min(s.query.Completions, len(ends))] {
		meant := typed(s.clauses)
		r.Texts = append(r.Texts, strings.Join(append(meant[:len(meant)-1], end), " "))
	}
	post, counted := s.post(), Condition{}
	if s.query.FilterFacets {
		counted = post
	}
	all := matched
	if len(pins) > 0 {
		numbers := []int64{}
		for _, p := range pins {
			numbers = append(numbers, p.number)
		}
		text := "d.rowid IN (" + matched.statement("d.rowid", "") + ") OR d.rowid IN (SELECT value FROM json_each(?))"
		all = source{"document d", Condition{text, append(slices.Clone(matched.args), encoded(numbers))}}
	}
	r.Facets, r.Total = map[string]Facet{}, -1
	for name := range s.query.Facets {
		r.Facets[name] = s.facet(name, all.and(counted))
		if counted.text == post.text {
			r.Total = r.Facets[name].AllCount
		}
	}
	if r.Total < 0 {
		r.Total = s.count(all.and(post), -1)
	}
	pins = slices.DeleteFunc(pins, func(p pinned) bool {
		return !s.there(source{"document d", Condition{"d.rowid = ?", []any{p.number}}}.and(post))
	})
	r.Hits = s.hits(matched.and(post), pins)
	r.Typed = r.Typed || len(pins) > 0
	return r
}

func (s *scan) post() Condition {
	all := []Condition{conditions(s.query.PostFilters, s.query.PostAny)}
	for name, values := range s.query.Facets {
		if len(values) > 0 {
			all = append(all, HasValue(name, values))
		}
	}
	return conditions(all, false)
}

func rows[T any](s *scan, into func(*T) []any, text string, args ...any) (all []T) {
	if s.err == nil {
		all, s.err = store.Rows(s.tx, into, text, args...)
	}
	return all
}

func column[T any](s *scan, text string, args ...any) []T {
	return rows(s, func(one *T) []any { return []any{one} }, text, args...)
}

// documents selects the documents that match an FTS5 expression and the query's filters. An empty expression
// matches all documents of the customer.
func (s *scan) documents(expression string) source {
	table, c := "document d", Condition{"d.customer = ?", []any{s.customer}}
	if expression != "" {
		table, c = index, Condition{"find MATCH ?", []any{expression}}
	}
	all := slices.Concat([]Condition{c}, s.query.Filters, s.fields)
	for _, c := range s.query.NotFilters {
		all = append(all, Condition{"NOT " + c.text, c.args})
	}
	for _, without := range s.without {
		all = append(all, Condition{"d.rowid NOT IN (SELECT rowid FROM find WHERE find MATCH ?)", []any{without}})
	}
	return source{table, conditions(all, false)}
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

// pinned returns one document for each pin of the query: the first, by ID, that the pin names and the filters
// allow. The search then skips all documents that a pin names, so that no page appears twice.
func (s *scan) pinned() (all []pinned) {
	not, names := slices.Clip(s.query.NotFilters), []string{}
	for _, p := range s.query.Pins {
		from := s.documents("").and(Named(s.customer, p.Names))
		text := from.statement("d.crawler, d.name, d.rowid", " ORDER BY d.crawler, d.name LIMIT 1")
		into := func(one *pinned) []any { return []any{&one.Crawler, &one.ID, &one.number} }
		for _, found := range rows(s, into, text, from.args...) {
			found.rank = p.Rank
			all = append(all, found)
		}
		names = append(names, p.Names...)
		s.query.NotFilters = append(not, Named(s.customer, names))
	}
	return all
}

// hits returns the keys on the requested page of results. Pinned documents are inserted at their ranks, or
// at the end if there are fewer results.
func (s *scan) hits(from source, pins []pinned) []store.Key {
	order, args := "", slices.Clone(from.args)
	for _, o := range s.query.Sort {
		value := "(SELECT value FROM field WHERE name = ? AND id = d.rowid)"
		for suffix, convert := range map[string]string{"_date": "moment", "_number": "number"} {
			if strings.HasSuffix(o.Field, suffix) {
				value = convert + "(" + value + ")"
			}
		}
		order += value + map[bool]string{true: " DESC NULLS LAST, ", false: " NULLS LAST, "}[o.Desc]
		args = append(args, o.Field)
	}
	if from.table == index && order == "" {
		order = score + " * (1 - 0.3 * named.file), " // files rank lower than web pages
	}
	end := s.query.From + s.query.Size
	order = fmt.Sprintf(" ORDER BY %snamed.crawler, named.name LIMIT %d", order, end)
	from.table += " CROSS JOIN document named ON named.id = d.rowid"
	text := from.statement("named.crawler, named.name", order)
	best := rows(s, func(key *store.Key) []any { return []any{&key.Crawler, &key.ID} }, text, args...)
	next := 0
	for _, p := range pins {
		at := min(max(p.rank-1, next), len(best))
		best, next = slices.Insert(best, at, p.Key), at+1
	}
	return best[min(s.query.From, len(best)):min(end, len(best))]
}

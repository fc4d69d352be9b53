package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// ranked is what a text finds.
type ranked struct {
	docs  []uint32  // in no order
	score []float32 // by number
	typed int       // docs that have words as typed
	fixed string
	terms map[string]map[string]bool // that were looked for, by language
}

// A match is a document that fills a place.
type match struct {
	doc   uint32
	part  float32 // of its score, to be multiplied by the place's weight
	title bool    // it is in the title
}

// filled is a place and what fills it.
type filled struct {
	place
	exact []match
	near  []match
}

// A scan is one search for the words of a query.
type scan struct {
	index   *Index
	ctx     context.Context
	view    *view
	query   Query
	asked   asked
	places  map[string][]filled // by language
	langs   []string
	counts  []count // by document, of the place that is being filled; empty between
	touched []uint32
	terms   map[string]map[string]bool
}

type count struct{ title, text uint16 }

// rank finds the documents that match a query's text, within its filters.
func (x *Index) rank(ctx context.Context, v *view, q Query) (ranked, error) {
	fields, err := v.reader.Fields()
	if err != nil {
		return ranked{}, err
	}
	s := &scan{index: x, ctx: ctx, view: v, query: q, asked: read(q.Text), langs: languagesOf(fields), places: map[string][]filled{}, counts: make([]count, v.size), terms: map[string]map[string]bool{}}
	r, err := s.match()
	if err == nil {
		r.docs, err = v.narrow(q, r.docs)
	}
	if err == nil {
		err = s.standing(&r)
	}
	r.terms = s.terms
	return r, err
}

// match finds the documents for the words alone.
func (s *scan) match() (ranked, error) {
	if len(s.asked.words) == 0 {
		r := ranked{score: make([]float32, s.view.size)}
		if strings.TrimSpace(s.query.Text) == Everything || len(s.asked.without) > 0 {
			r.docs = slices.Clone(s.view.docs)
		}
		r.typed = len(r.docs)
		return r, nil
	}
	if err := s.fill(); err != nil {
		return ranked{}, err
	}
	r, whole := s.score()
	if whole { // near words are for what is not there: so what has all as typed stands before others
		return r, nil
	}
	typed := r.typed
	fixed, err := s.correct()
	if err != nil {
		return ranked{}, err
	}
	r, _ = s.score()
	r.typed = typed
	if len(r.docs) > 0 {
		r.fixed = fixed
	}
	return r, nil
}

// fill fills the places of the query's words in every language.
func (s *scan) fill() error {
	for _, language := range s.langs {
		s.index.asking.Lock()
		places := s.query.places(s.index.asker, language, s.asked.words)
		s.index.asking.Unlock()
		s.terms[language] = map[string]bool{}
		for i, p := range places {
			exact, err := s.place(language, p, i == len(places)-1)
			if err != nil {
				return err
			}
			s.places[language] = append(s.places[language], filled{place: p, exact: exact})
		}
	}
	return nil
}

// place returns the documents that have one of a place's phrases.
func (s *scan) place(language string, p place, last bool) ([]match, error) {
	v := s.index.words.of(language)
	var all [][]match
	for _, ph := range p.phrases {
		var have []match
		for n, term := range ph {
			forms := append(v.joined([]string{term}), term)
			if len(p.phrases) == 1 {
				forms = append(forms, p.word)
			}
			if last && s.query.begin {
				ends, _ := v.beginning(p.word, maxEnds)
				for _, end := range ends {
					forms = append(forms, end.word)
				}
			}
			s.terms[language][term] = true
			some, err := s.count(language, forms, p.stop)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				some = both(have, some)
			}
			have = some
		}
		all = append(all, have)
	}
	var found []match
	if len(all) == 1 {
		found = all[0]
	} else {
		found = best(all)
	}
	if last && s.query.begin {
		return found, nil
	}
	more, err := s.compounds(language, p)
	return s.besides(found, more), err
}

// both returns the documents of two lists, with the lesser part.
func both(a, b []match) []match {
	parts := map[uint32]float32{}
	for _, m := range a {
		parts[m.doc] = m.part
	}
	b = slices.DeleteFunc(b, func(m match) bool { _, there := parts[m.doc]; return !there })
	for i, m := range b {
		b[i].part = min(m.part, parts[m.doc])
	}
	return b
}

// best returns the documents of any list, with the greatest part.
func best(lists [][]match) []match {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b match) int { return cmp.Or(cmp.Compare(a.doc, b.doc), cmp.Compare(b.part, a.part)) })
	return slices.CompactFunc(all, func(a, b match) bool { return a.doc == b.doc })
}

// count returns the documents that have any of the words, which count as one.
func (s *scan) count(language string, forms []string, stop bool) ([]match, error) {
	slices.Sort(forms)
	s.touched = s.touched[:0]
	for _, form := range slices.Compact(forms) {
		if s.ctx.Err() != nil {
			return nil, s.ctx.Err()
		}
		touch := func(doc uint32) *count {
			c := &s.counts[doc]
			if *c == (count{}) {
				s.touched = append(s.touched, doc)
			}
			return c
		}
		err := s.view.rows(fieldTitle+language, form, func(doc uint32, times int) { touch(doc).title += uint16(min(times, 1000)) }) //nolint:gosec // bounded
		if err == nil && !stop {
			err = s.view.rows(fieldText+language, form, func(doc uint32, times int) { touch(doc).text += uint16(min(times, 1000)) }) //nolint:gosec // bounded
		}
		if err != nil {
			return nil, err
		}
	}
	all := make([]match, len(s.touched))
	for i, doc := range s.touched {
		c := s.counts[doc]
		all[i] = match{doc, s.view.text.part(doc, c.text) + titleWeight*s.view.title.part(doc, c.title), c.title > 0}
		s.counts[doc] = count{}
	}
	return all, nil
}

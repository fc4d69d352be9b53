package search

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"sitesync/internal/service/search/words"
)

// Marker shows where a query's words stand in texts.
type Marker struct {
	index *Index
	query Query
	terms map[string]map[string]bool // by language, as texts in it come
}

const (
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
	text = words.Normal(text)
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
	language, text = m.learn(language), words.Normal(text)
	there := map[string]bool{}
	words.Each(text, func(start, end int) {
		for _, term := range meant(m.index.asker, language, strings.ToLower(text[start:end])) {
			if m.terms[language][term] {
				there[term] = true
			}
		}
	})
	return len(there)
}

// learn makes sure of the query's terms in the language of a tag, which it returns.
func (m *Marker) learn(tag string) (language string) {
	language = words.Of(tag)
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
	words.Each(text, func(start, end int) {
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
	terms := meant(m.index.asker, language, strings.ToLower(word))
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

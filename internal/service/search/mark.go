package search

import (
	"html"
	"strings"
	"unicode/utf8"

	"sitesync/internal/service/words"
)

// Marker shows where a query's words stand in texts.
type Marker struct {
	reader *words.Reader
	terms  map[string]bool // by language
}

const (
	fragmentBytes = 160     // of one fragment
	maxFragments  = 3       // of one text
	markedBytes   = 200_000 // of a text that are looked at
)

// marker returns the marker of the terms of an expression.
func (s *scan) marker(expression string) *Marker {
	m := &Marker{s.store.Words, map[string]bool{}}
	for _, token := range tokens(expression) {
		if _, term, is := strings.Cut(token, ":"); is { // behind the customer's number
			m.terms[term] = true
		}
	}
	return m
}

// Mark returns the fragments of a text in which words of the query stand, as HTML:
// escaped, with those words in <b>. It is nil where none does.
func (m *Marker) Mark(language, text string) []string {
	if len(text) > markedBytes {
		text = strings.ToValidUTF8(text[:markedBytes], "")
	}
	text = words.Normal(text)
	var fragments []string
	for _, part := range m.fragments(words.Of(language), text) {
		fragments = append(fragments, part.html(text))
	}
	return fragments
}

// marks reports whether a word is a form of one that was looked for; it is of a text in this
// language, or in any for words.Other.
func (m *Marker) marks(language, word string) bool {
	word = words.Lower(word)
	if language != words.Other {
		return m.terms[m.reader.Read(language, word).Term]
	}
	for term := range m.terms {
		language, _, _ := strings.Cut(term, ":")
		if m.reader.Read(language, word).Term == term {
			return true
		}
	}
	return false
}

// A fragment is a part of a text and the words to mark in it, as offsets.
type fragment struct {
	start, end int
	marks      [][2]int
}

func (m *Marker) fragments(language, text string) (all []fragment) {
	for start, end := range words.Each(text) {
		last := len(all) - 1
		within := last >= 0 && end <= all[last].end
		if !within && len(all) == maxFragments || !m.marks(language, text[start:end]) {
			continue
		}
		if !within {
			all = append(all, around(text, start, end))
			last++
		}
		all[last].marks = append(all[last].marks, [2]int{start, end})
	}
	return all
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

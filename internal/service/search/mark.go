package search

import (
	"html"
	"strings"

	"sitesync/internal/service/words"
)

// Marker highlights a query's words in texts.
type Marker struct {
	reader *words.Reader
	terms  map[string]bool // index tokens of the query, without the customer's number
}

const (
	fragmentBytes = 160     // bytes of one fragment
	maxFragments  = 3       // fragments per text
	markedBytes   = 200_000 // bytes of a text that are searched for the query's words
)

// marker returns a Marker for the words of the FTS5 expression that a source matches.
func (s *scan) marker(from source) *Marker {
	m := &Marker{s.store.Words, map[string]bool{}}
	if from.table != index {
		return m
	}
	expression, _ := from.args[0].(string)
	for _, token := range strings.FieldsFunc(expression, func(c rune) bool { return strings.ContainsRune(` "~()`, c) }) {
		if at := strings.IndexAny(token, ":="); at > 0 { // the customer's number precedes the sign
			m.terms[token[at:]] = true
		}
	}
	return m
}

// Mark returns the fragments of a text that contain words of the query. The fragments are HTML: escaped,
// with the query's words in <b>. Mark returns nil if the text contains none of the words.
func (m *Marker) Mark(language, text string) (fragments []string) {
	text = words.Normal(strings.ToValidUTF8(text[:min(len(text), markedBytes)], ""))
	language = words.Of(language)
	var all [][2]int // start and end of each word
	for start, end := range words.Each(text) {
		all = append(all, [2]int{start, end})
	}
	for i, free := 0, 0; i < len(all) && len(fragments) < maxFragments; i++ {
		if !m.marks(language, text[all[i][0]:all[i][1]]) {
			continue
		}
		first := i
		for first > free && all[i][0]-all[first-1][0] <= fragmentBytes/3 {
			first--
		}
		from := all[first][0]
		if first == 0 && from <= fragmentBytes/3 {
			from = 0 // include punctuation before the first word
		}
		marked, to := "", from
		for hit := i; i < len(all) && (i == hit || all[i][1] <= from+fragmentBytes); i++ {
			start, end := all[i][0], all[i][1]
			if m.marks(language, text[start:end]) {
				marked += html.EscapeString(text[to:start]) + "<b>" + html.EscapeString(text[start:end]) + "</b>"
				to = end
			}
		}
		rest := all[i-1][1]
		if len(text) <= from+fragmentBytes {
			rest = len(text)
		}
		fragments = append(fragments, marked+html.EscapeString(text[to:rest]))
		free, i = i, i-1
	}
	return fragments
}

// marks reports whether a word is a form of one of the query's words in this language.
func (m *Marker) marks(language, word string) bool {
	w := m.reader.Read(language, words.Lower(word))
	return m.terms[":"+w.Term] || m.terms["="+w.Exact] && !w.Stop
}

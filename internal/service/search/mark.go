package search

import (
	"html"
	"strings"

	"sitesync/internal/service/words"
)

// Marker highlights a query's words in texts.
type Marker struct {
	reader *words.Reader
	tokens string // the index tokens of the query, each with a space after it
}

const (
	fragmentBytes = 160     // bytes of one fragment
	maxFragments  = 3       // fragments per text
	markedBytes   = 200_000 // bytes of a text that are searched for the query's words
)

// Mark splits a text into fragments, and returns those that contain words of the query. The fragments are
// HTML: escaped, with the query's words in <b>. Mark returns nil if the text contains none of the words.
func (m *Marker) Mark(language, text string) (fragments []string) {
	text = words.Normal(strings.ToValidUTF8(text[:min(len(text), markedBytes)], ""))
	language = words.Of(language)
	marked := ""                // the fragment up to its last highlighted word
	from, done, last := 0, 0, 0 // start of the fragment, end of its last marked word, end of its last word
	for start, end := range words.Each(text) {
		if end > from+fragmentBytes {
			if marked != "" {
				fragments = append(fragments, marked+html.EscapeString(text[done:last]))
			}
			marked, from, done = "", start, start
		}
		if len(fragments) == maxFragments {
			return fragments
		}
		if m.marks(language, text[start:end]) {
			marked += html.EscapeString(text[done:start]) + "<b>" + html.EscapeString(text[start:end]) + "</b>"
			done = end
		}
		last = end
	}
	if len(text) <= from+fragmentBytes {
		last = len(text)
	}
	if marked != "" {
		fragments = append(fragments, marked+html.EscapeString(text[done:last]))
	}
	return fragments
}

// marks reports whether a word is a form of one of the query's words in this language.
func (m *Marker) marks(language, word string) bool {
	w := m.reader.Read(language, words.Lower(word))
	has := func(token string) bool { return strings.Contains(m.tokens, token+" ") }
	return w.Exact != "" && (has(":"+w.Term) || !w.Stop && has("="+w.Exact))
}

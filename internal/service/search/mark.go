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
	fragmentBytes    = 160
	maxFragments     = 3
	maxSearchedBytes = 200_000
)

// Mark returns fragments of the text that contain words of the query, at most maxFragments. A fragment is
// escaped HTML with the query's words in <b>. Mark returns nil if the text contains none of the words.
func (m *Marker) Mark(language, text string) (fragments []string) {
	text = words.Normal(strings.ToValidUTF8(text[:min(len(text), maxSearchedBytes)], ""))
	language = words.Of(language)
	marked := "" // the fragment up to its last highlighted word
	fragmentStart, copied, wordEnd := 0, 0, 0
	for start, end := range words.Each(text) {
		if end > fragmentStart+fragmentBytes {
			if marked != "" {
				fragments = append(fragments, marked+html.EscapeString(text[copied:wordEnd]))
			}
			marked, fragmentStart, copied = "", start, start
		}
		if len(fragments) == maxFragments {
			return fragments
		}
		if m.marks(language, text[start:end]) {
			marked += html.EscapeString(text[copied:start]) + "<b>" + html.EscapeString(text[start:end]) + "</b>"
			copied = end
		}
		wordEnd = end
	}
	if len(text) <= fragmentStart+fragmentBytes {
		wordEnd = len(text)
	}
	if marked != "" {
		fragments = append(fragments, marked+html.EscapeString(text[copied:wordEnd]))
	}
	return fragments
}

// marks reports whether a word is a form of one of the query's words in this language.
func (m *Marker) marks(language, word string) bool {
	w := m.reader.Read(language, words.Lower(word))
	has := func(token string) bool { return strings.Contains(m.tokens, token+" ") }
	return w.Exact != "" && (has(":"+w.Term) || !w.Stop && has("="+w.Exact))
}

package search

import (
	"slices"
	"strings"
	"unicode"

	"sitesync/internal/service/search/words"
)

// Query is what a search asks for.
type Query struct {
	Text     string     // words; "a phrase" in quotes has to be there as it stands, and -word must not
	All      bool       // every word must be there; else any
	Synonyms []Synonyms // words that find each other

	Filters      Filters  // a document must pass all
	NotFilters   Filters  // and none of these
	PostFilters  Filters  // and these, which narrow the results, not the facets
	PostAny      bool     // one of PostFilters will do
	FilterFacets bool     // they narrow the facets, too
	Only         []string // IDs or Urls of the only documents to look at; nil: all
	Without      []string // IDs or Urls of documents to leave out
	Pins         []Pin    // by rank: documents that stand there, whatever they say

	Sort   []Order             // by these fields; empty: best first
	Facets map[string][]string // by field: the values to count; empty: the most frequent
	From   int
	Size   int

	Texts Texts // to look for phrases in

	begin bool // the last word is the beginning of one
}

// A Pin is a document at a rank, from 1 on.
type Pin struct {
	Rank  int
	Names []string // its ID or Url
}

// Synonyms are words or phrases of one language that mean the same.
type Synonyms struct {
	Language string
	Words    []string
}

// Everything is the text that finds every document.
const Everything = "*"

// maxQueryWords is how many words of a text are searched for, and how many terms of them:
// in scripts without spaces a word has many.
const maxQueryWords = 120

// A parsed text is that of a query.
type parsed struct {
	words   []string   // in lower case, those of phrases among them
	phrases [][]string // words that must stand one behind the other
	without [][]string // that must not; of a single word none of its forms
}

// parse reads a text as people type it.
func parse(text string) (p parsed) {
	text = words.Lower(text)
	for text != "" {
		part, rest, quoted, minus := next(text)
		text = rest
		found := firstWords(part, maxQueryWords-len(p.words))
		switch {
		case len(found) == 0:
		case minus:
			if len(p.without) < maxQueryWords {
				p.without = append(p.without, found)
			}
		case quoted:
			p.phrases = append(p.phrases, found)
			fallthrough
		default:
			p.words = append(p.words, found...)
		}
	}
	return p
}

// next returns the first part of a text: what stands in quotes, what begins with a minus,
// or all before either. Quotes that are not closed are still being typed.
func next(text string) (part, rest string, quoted, minus bool) {
	const quotes = "\"“”„«»"
	body, minus := strings.CutPrefix(text, "-")
	if opened := strings.TrimLeft(body, quotes); opened != body {
		end := strings.IndexAny(opened, quotes)
		if end < 0 {
			return opened, "", false, minus
		}
		return opened[:end], strings.TrimLeft(opened[end:], quotes), true, minus
	}
	if minus {
		end := strings.IndexFunc(body, unicode.IsSpace)
		if end < 0 {
			end = len(body)
		}
		return body[:end], body[end:], false, true
	}
	space := false
	for i, c := range text {
		if i > 0 && (strings.ContainsRune(quotes, c) || c == '-' && space) {
			return text[:i], text[i:], false, false
		}
		space = unicode.IsSpace(c)
	}
	return text, "", false, false
}

// firstWords returns the first words of a text.
func firstWords(text string, most int) (all []string) {
	for start, end := range words.Each(text) {
		if len(all) >= most {
			break
		}
		all = append(all, text[start:end])
	}
	return all
}

// A phrase is the terms that a word or several are found by; all of them must be there.
type phrase []string

// A clause is a word of a query, or several that have synonyms: a document has it that has
// any of its phrases.
type clause struct {
	first   int // of its words, among those of the query
	key     int // the same, and which of the word's terms it is
	word    string
	stop    bool // it is a stop word
	phrases []phrase
	matches []match // what has it, or, where nothing does, words near to it
}

// clauses returns the clauses of a query's words in a language.
func (q Query) clauses(r *words.Reader, language string, typed []string) []clause {
	var all []clause
	for i, word := range typed {
		terms, stop := r.Terms(language, word)
		stop = stop && !(q.begin && i == len(typed)-1) // "the" may become "theatre"
		for n, term := range terms {
			if len(all) < maxQueryWords {
				all = append(all, clause{first: i, key: i<<8 | n, word: word, stop: stop, phrases: []phrase{{term}}})
			}
		}
	}
	var groups [][]phrase
	for _, group := range q.Synonyms {
		if words.Of(group.Language) == language {
			groups = append(groups, phrases(r, language, group.Words))
		}
	}
	return expand(all, groups)
}

// phrases returns the terms of each text that has any.
func phrases(r *words.Reader, language string, texts []string) []phrase {
	var all []phrase
	for _, text := range texts {
		var one phrase
		for _, word := range firstWords(words.Lower(text), maxQueryWords) {
			if terms, stop := r.Terms(language, word); !stop {
				one = append(one, terms...)
			}
		}
		if len(one) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// expand makes one clause of all phrases of a group where one of them stands in the query,
// between stop words too; of several groups the longest such phrase decides, and those that
// have one as long share the clause.
func expand(clauses []clause, groups [][]phrase) []clause {
	for i := 0; i < len(clauses); i++ {
		length, same := 0, []phrase(nil)
		for _, group := range groups {
			n := 0
			for _, p := range group {
				n = max(n, p.length(clauses[i:]))
			}
			if n > length {
				length, same = n, nil
			}
			if n > 0 && n == length {
				same = append(same, group...)
			}
		}
		if length > 0 {
			clauses[i].phrases = same
			clauses = slices.Delete(clauses, i+1, i+length)
		}
	}
	return clauses
}

// length returns how many clauses a phrase takes up at the beginning, 0 where others stand there.
func (p phrase) length(clauses []clause) (n int) {
	for _, term := range p {
		for n > 0 && n < len(clauses) && clauses[n].stop {
			n++
		}
		if n == len(clauses) || clauses[n].stop || len(clauses[n].phrases) != 1 || !slices.Equal(clauses[n].phrases[0], phrase{term}) {
			return 0
		}
		n++
	}
	return n
}

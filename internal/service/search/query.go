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
	Crawlers []string   // whose documents are searched; nil: everyone's

	Filters      Filters  // a document must pass all
	NotFilters   Filters  // and none of these
	PostFilters  Filters  // and these, which narrow the results, not the facets
	PostAny      bool     // one of PostFilters will do
	FilterFacets bool     // they narrow the facets, too
	Only         []string // IDs or Urls of the only documents to look at; nil: all
	Without      []string // IDs or Urls of documents to leave out

	Sort   []Order             // by these fields; empty: best first
	Facets map[string][]string // by field: the values to count; empty: the most frequent
	From   int
	Size   int

	Texts Texts // to look for phrases in

	begin bool // the last word is the beginning of one
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

// An asked is the text of a query, read.
type asked struct {
	words   []string   // in lower case, those of phrases among them
	phrases [][]string // words that must stand one behind the other
	without [][]string // that must not; of a single word none of its forms
}

// read reads a text as people type it.
func read(text string) (a asked) {
	text = words.Normal(text)
	for text != "" {
		part, rest, quoted, minus := next(text)
		text = rest
		some := wordsOf(part, maxQueryWords-len(a.words))
		switch {
		case len(some) == 0:
		case minus:
			if len(a.without) < maxQueryWords {
				a.without = append(a.without, some)
			}
		case quoted:
			a.phrases = append(a.phrases, some)
			fallthrough
		default:
			a.words = append(a.words, some...)
		}
	}
	return a
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

// wordsOf returns the first words of a text in lower case.
func wordsOf(text string, most int) []string {
	var all []string
	words.Each(text, func(start, end int) {
		if len(all) < most {
			all = append(all, words.Lower(text[start:end]))
		}
	})
	return all
}

// A phrase is the terms that a word or several are found by; all of them must be there.
type phrase []string

// A place is one of a query: any of its phrases fills it.
type place struct {
	at      int // of the word that it begins with, among those of the query
	key     int // the same, and which of the word's terms it is; less than 0 of stop words
	word    string
	stop    bool // it is a stop word
	phrases []phrase
}

// places returns the places of a query's words in a language.
func (q Query) places(r *words.Reader, language string, typed []string) []place {
	var all []place
	for at, word := range typed {
		terms, stop := r.Terms(language, word)
		stop = stop && !(q.begin && at == len(typed)-1) // "the" may become "theatre"
		for n, term := range terms {
			if len(all) < maxQueryWords {
				key := at<<8 | n
				if stop {
					key = ^key
				}
				all = append(all, place{at, key, word, stop, []phrase{{term}}})
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
		for _, word := range wordsOf(words.Normal(text), maxQueryWords) {
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

// expand makes one place of all phrases of a group where one of them stands in the query,
// between stop words too; of several groups the longest such phrase decides, and those that
// have one as long share the place.
func expand(places []place, groups [][]phrase) []place {
	for i := 0; i < len(places); i++ {
		length, same := 0, []phrase(nil)
		for _, group := range groups {
			n := 0
			for _, p := range group {
				if stands := stands(places[i:], p); stands > n {
					n = stands
				}
			}
			if n > length {
				length, same = n, nil
			}
			if n > 0 && n == length {
				same = append(same, group...)
			}
		}
		if length > 0 {
			one := place{at: places[i].at, key: places[i].key, word: places[i].word, phrases: same}
			places = slices.Replace(places, i, i+length, one)
		}
	}
	return places
}

// stands returns how many places a phrase fills that stands at the beginning, 0 for none.
func stands(places []place, p phrase) int {
	n := 0
	for _, term := range p {
		for n > 0 && n < len(places) && places[n].stop {
			n++
		}
		if n == len(places) || places[n].stop || len(places[n].phrases) != 1 || !slices.Equal(places[n].phrases[0], phrase{term}) {
			return 0
		}
		n++
	}
	return n
}

// languagesOf returns the languages that the index has documents in.
func languagesOf(fields []string) []string {
	var all []string
	for _, field := range fields {
		if language, ok := strings.CutPrefix(field, fieldText); ok {
			all = append(all, language)
		}
	}
	slices.Sort(all)
	return all
}

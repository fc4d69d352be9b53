package words

import (
	"cmp"
	_ "embed" // embeds languages.txt
	"strings"
	"sync"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
)

// Other is the language tag for texts in a language without a stemmer.
const Other = "xx"

// language holds the tag and the stop words of one language.
type language struct {
	tag   string
	stops map[string]bool
}

var stemmers = map[string]func(*snowballstem.Env) bool{
	"da": danish.Stem, "de": german.Stem, "en": english.Stem, "es": spanish.Stem, "fi": finnish.Stem, "fr": french.Stem,
	"it": italian.Stem, "nl": dutch.Stem, "no": norwegian.Stem, "pt": portuguese.Stem, "sv": swedish.Stem,
	Other: func(*snowballstem.Env) bool { return false },
}

// languages has one line per language: its tag, other codes and names, "=", and its stop words, such as
// "and" and "the".
//
//go:embed languages.txt
var languages string

// known maps tags, other codes, and English and native names of languages to their rules.
var known = sync.OnceValue(func() map[string]*language {
	named := map[string]*language{Other: {tag: Other}}
	for line := range strings.Lines(languages) {
		names, stops, _ := strings.Cut(line, "=")
		l := &language{stops: map[string]bool{}}
		for name := range strings.FieldsSeq(names) {
			l.tag, named[name] = cmp.Or(l.tag, name), l
		}
		for word := range strings.FieldsSeq(stops) {
			l.stops[word] = true
		}
	}
	return named
})

// Of returns the tag of a language, given a tag such as "de-CH" or a name such as "German" or "Deutsch". It
// returns Other for a language without a stemmer.
func Of(tag string) string {
	name := strings.FieldsFunc(strings.ToLower(Normal(tag)), func(c rune) bool { return !unicode.IsLetter(c) })
	if len(name) == 0 || known()[name[0]] == nil {
		return Other
	}
	return known()[name[0]].tag
}

// stem returns the stem that all forms of a word share. A word with a digit is its own stem.
func stem(tag, word string) string {
	if strings.ContainsFunc(word, unicode.IsDigit) {
		return word
	}
	if tag == "fr" || tag == "it" { // removes the article, as in l'amitié or dell'acqua
		if article, rest, cut := strings.Cut(word, "'"); cut && len(article) <= 6 && rest != "" {
			word = rest
		}
	}
	env := snowballstem.NewEnv(word)
	stemmers[tag](env)
	if env.Current() == "" {
		return word
	}
	return env.Current()
}

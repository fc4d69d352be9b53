package words

import (
	"cmp"
	_ "embed"
	"strings"
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

// tags maps every code and name of a language to the language's tag. The keys of stops are pairs of a tag and
// a stop word.
var tags, stops = parseLists(languages)

func parseLists(text string) (tags map[string]string, stops map[[2]string]bool) {
	tags, stops = map[string]string{}, map[[2]string]bool{}
	for line := range strings.Lines(text) {
		names, words, _ := strings.Cut(line, "=")
		tag, _, _ := strings.Cut(names, " ")
		for name := range strings.FieldsSeq(names) {
			tags[name] = tag
		}
		for word := range strings.FieldsSeq(words) {
			stops[[2]string{tag, word}] = true
		}
	}
	return tags, stops
}

// Of returns the tag of a language, given a tag such as "de-CH" or a name such as "German" or "Deutsch". It
// returns Other for a language without a stemmer.
func Of(tag string) string {
	names := strings.FieldsFunc(strings.ToLower(Normal(tag)), func(c rune) bool { return !unicode.IsLetter(c) })
	return cmp.Or(tags[strings.Join(names[:min(len(names), 1)], "")], Other)
}

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

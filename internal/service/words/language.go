package words

import (
	_ "embed" // embeds stop.txt
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

// language holds the stemmer and the stop words of one language.
type language struct {
	tag   string
	stem  func(*snowballstem.Env) bool
	stops map[string]bool
}

// stopWords has one line per language: its tag, then its stop words, such as "and" and "the".
//
//go:embed stop.txt
var stopWords string

// known maps tags, other codes, and English and native names of languages to their rules.
var known = sync.OnceValue(func() map[string]*language {
	named := map[string]*language{}
	add := func(stem func(*snowballstem.Env) bool, names string) {
		tag, _, _ := strings.Cut(names, " ")
		l := &language{tag, stem, map[string]bool{}}
		for name := range strings.FieldsSeq(names) {
			named[name] = l
		}
	}
	add(func(*snowballstem.Env) bool { return false }, Other)
	add(danish.Stem, "da dan danish dansk")
	add(german.Stem, "de deu ger german deutsch")
	add(english.Stem, "en eng english")
	add(spanish.Stem, "es spa spanish castilian español castellano")
	add(finnish.Stem, "fi fin finnish suomi suomeksi")
	add(french.Stem, "fr fra fre french français francais")
	add(italian.Stem, "it ita italian italiano")
	add(dutch.Stem, "nl nld dut dutch flemish nederlands vlaams")
	add(norwegian.Stem, "no nb nn nor nob nno norwegian norsk bokmål nynorsk")
	add(portuguese.Stem, "pt por portuguese português portugues")
	add(swedish.Stem, "sv swe swedish svenska")
	for line := range strings.Lines(stopWords) {
		words := strings.Fields(line)
		for _, word := range words[1:] {
			named[words[0]].stops[word] = true
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
	known()[tag].stem(env)
	if env.Current() == "" {
		return word
	}
	return env.Current()
}

package words

import (
	"strings"
	"sync"
	"unicode"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/da"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/fi"
	"github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/it"
	"github.com/blevesearch/bleve/v2/analysis/lang/nl"
	"github.com/blevesearch/bleve/v2/analysis/lang/no"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"
	"github.com/blevesearch/bleve/v2/analysis/lang/sv"
	"github.com/blevesearch/bleve/v2/analysis/token/porter"
)

// Other is the language of texts in none that has rules.
const Other = "xx"

// rules are how the words of a language become terms.
type rules struct {
	names    string            // its tag, then its other codes and its names in English and in itself
	stop     analysis.TokenMap // words that stand in nearly every text of it
	articles analysis.TokenMap // that are cut off before an apostrophe
	letters  string            // with accents that tell words apart
	typed    *strings.Replacer // puts letters in place of what people type for them
	folded   bool              // the stemmer reads words without accents, as others may type them
	stem     analysis.TokenFilter
}

func (r *rules) tag() string {
	tag, _, _ := strings.Cut(r.names, " ")
	return tag
}

// known are the rules by each of the names of their languages.
var known = sync.OnceValue(func() map[string]*rules {
	named := map[string]*rules{}
	for _, r := range all() {
		for name := range strings.FieldsSeq(r.names) {
			named[name] = &r
		}
	}
	return named
})

func all() []rules {
	// "boende", resident, is no "bønde", farmer.
	dane := strings.NewReplacer("oend", "oend", "aa", "å", "ae", "æ", "oe", "ø", "ä", "æ", "ö", "ø")
	swede := strings.NewReplacer("oend", "oend", "aa", "å", "ae", "ä", "oe", "ö", "æ", "ä", "ø", "ö")
	finn := strings.NewReplacer("æ", "ä", "ø", "ö")
	as := strings.NewReplacer() // changes nothing
	name, few := list([]byte("d")), list([]byte("d l"))
	return []rules{
		{"da dan danish dansk", list(da.DanishStopWords), name, "åæø", dane, true, da.NewDanishStemmerFilter()},
		{"de deu ger german deutsch", list(de.GermanStopWords), name, "äöüß", as, true,
			chain{de.NewGermanNormalizeFilter(), de.NewGermanLightStemmerFilter()}},
		{"en eng english", list(en.EnglishStopWords), name, "", as, true, porter.NewPorterStemmer()},
		{"es spa spanish castilian español castellano", list(es.SpanishStopWords), name, "", as, true, chain{rewrite(spanish), es.NewSpanishLightStemmerFilter()}},
		{"fi fin finnish suomi suomeksi", list(fi.FinnishStopWords), name, "åäö", finn, true, fi.NewFinnishStemmerFilter()},
		{"fr fra fre french français francais", list(fr.FrenchStopWords), list(fr.FrenchArticles), "", as, true, fr.NewFrenchLightStemmerFilter()},
		{"it ita italian italiano", list(it.ItalianStopWords), list(it.ItalianArticles), "", as, true, it.NewItalianStemmerFilter()},
		{"nl nld dut dutch flemish nederlands vlaams", list(nl.DutchStopWords), name, "", as, true, chain{nl.NewDutchStemmerFilter(), rewrite(dutch)}},
		{"no nb nn nor nob nno norwegian norsk bokmål nynorsk", list(no.NorwegianStopWords), name, "åæø", dane, true, no.NewNorwegianStemmerFilter()},
		{"pl pol polish polski", list([]byte(polishSmall)), name, "", as, true, rewrite(polish)},
		{"pt por portuguese português portugues", list(pt.PortugueseStopWords), name, "", as, false, pt.NewPortugueseLightStemmerFilter()},
		{"sv swe swedish svenska", list(sv.SwedishStopWords), name, "åäö", swede, true, chain{rewrite(swedish), sv.NewSwedishStemmerFilter()}},
		{Other, nil, few, "", as, true, chain{}},
	}
}

func list(words []byte) analysis.TokenMap {
	all := analysis.NewTokenMap()
	_ = all.LoadBytes(words) // memory reads without fault
	return all
}

// A chain is filters, one after the other.
type chain []analysis.TokenFilter

func (c chain) Filter(tokens analysis.TokenStream) analysis.TokenStream {
	for _, filter := range c {
		tokens = filter.Filter(tokens)
	}
	return tokens
}

// rewrite is a filter that changes each word by itself.
type rewrite func(string) string

func (f rewrite) Filter(tokens analysis.TokenStream) analysis.TokenStream {
	for _, token := range tokens {
		token.Term = []byte(f(string(token.Term)))
	}
	return tokens
}

// Of returns the language of a tag such as "de-CH" or of a name such as "German" or
// "Deutsch"; Other where there are no rules for it.
func Of(tag string) string {
	name := strings.FieldsFunc(strings.ToLower(Normal(tag)), func(c rune) bool { return !unicode.IsLetter(c) })
	if len(name) == 0 || known()[name[0]] == nil {
		return Other
	}
	return known()[name[0]].tag()
}

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
	tokenizer "github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"github.com/blevesearch/bleve/v2/registry"
)

// Other is the language of texts in none whose words the engine knows forms of.
const Other = "xx"

// language is the engine's analyzer of a language, and its tag.
type language struct {
	tag      string
	analyzer analysis.Analyzer
}

// known are the languages by their tags, their other codes, and their names in English and in
// themselves.
var known = sync.OnceValue(func() map[string]language {
	named := map[string]language{Other: {Other, &analysis.DefaultAnalyzer{Tokenizer: tokenizer.NewUnicodeTokenizer()}}}
	cache := registry.NewCache()
	for tag, names := range map[string]string{
		da.AnalyzerName: "dan danish dansk",
		de.AnalyzerName: "deu ger german deutsch",
		en.AnalyzerName: "eng english",
		es.AnalyzerName: "spa spanish castilian español castellano",
		fi.AnalyzerName: "fin finnish suomi suomeksi",
		fr.AnalyzerName: "fra fre french français francais",
		it.AnalyzerName: "ita italian italiano",
		nl.AnalyzerName: "nld dut dutch flemish nederlands vlaams",
		no.AnalyzerName: "nb nn nor nob nno norwegian norsk bokmål nynorsk",
		pt.AnalyzerName: "por portuguese português portugues",
		sv.AnalyzerName: "swe swedish svenska",
	} {
		analyzer, _ := cache.AnalyzerNamed(tag) // its package registers it
		for name := range strings.FieldsSeq(tag + " " + names) {
			named[name] = language{tag, analyzer}
		}
	}
	return named
})

// Of returns the language of a tag such as "de-CH" or of a name such as "German" or
// "Deutsch"; Other where the engine does not know it.
func Of(tag string) string {
	name := strings.FieldsFunc(strings.ToLower(Normal(tag)), func(c rune) bool { return !unicode.IsLetter(c) })
	if len(name) == 0 || known()[name[0]].tag == "" {
		return Other
	}
	return known()[name[0]].tag
}

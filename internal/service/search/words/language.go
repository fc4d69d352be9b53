package words

import (
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

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

// table is what is known of the languages.
type table struct {
	rules []rules           // Other's are the last
	named map[string]*rules // by each of its names
	small map[string]uint16 // the languages that have a frequent word or letter, a bit for each of the rules
}

var known = sync.OnceValue(func() table {
	t := table{rules: all(), named: map[string]*rules{}, small: map[string]uint16{}}
	for i := range t.rules {
		for _, name := range strings.Fields(t.rules[i].names) {
			t.named[name] = &t.rules[i]
		}
		for word := range t.rules[i].stop {
			t.small[word] |= 1 << i
		}
		for word := range strings.FieldsSeq(frequent()[t.rules[i].tag()]) {
			t.small[word] |= 1 << i
		}
	}
	return t
})

// frequent are further words, and letters after a +, by which neighbours are told apart.
func frequent() map[string]string {
	return map[string]string{
		"da": `mens dage uge uger gange tilbage hver kan både begge samme før bare ingen uden ud frem også hvis sine får kommer ved gør tage tager giver børn plads mere meget
			lidt ligger bruge bruger bruges finde finder hjælp spørgsmål mulighed åben åbent lukket vores velkommen være kun hvordan så ja siden
			lige gennem løbet andet ansøgning besked enkelte vælg vælge skriv alt igen mindre sidste +æ +ø`,
		"no": `fram fra dager uke uker tilbake får kommer ved gjør ta tar gir barn plass mer mye lite ligger bruke bruker brukes finne finner hjelp spørsmål mulighet åpen
			åpent stengt våre velkommen være kun også
			gjennom løpet annen annet annenhver søknad søknaden beskjed enkelte velg velge skriv alt igjen mindre siste +æ +ø`,
		"sv": `tillbaka ska skall får finns vecka veckor gånger medan ligger plats mer mycket lite använda använder hitta frågor möjlighet öppet
			öppen stängt våra välkommen barn fram också även första bara vill eftersom genom +ä +ö`,
		"fi": `voi voit voidaan myös viikko viikon päivä päivää kaikki vain toinen kunnan kautta kanssa jälkeen ennen mukaan saa saavat
			takia uusi tulee sisältää alle yli aina heti ilman noin +ä +ö`,
		"pt": "o toda todo todas todos +ã +õ", "de": "+ä +ö +ü +ß", "es": "+ñ", "pl": "+ł +ż +ź +ś +ą +ę",
	}
}

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
	if len(name) == 0 || known().named[name[0]] == nil {
		return Other
	}
	return known().named[name[0]].tag()
}

// Bounds by which a language is detected from its frequent words. They are half of a running
// text, and few of them are words of another language.
const (
	maxSample = 700 // bytes of a text that are looked at
	minSmall  = 3   // frequent words; one of no other language counts double
	minShare  = 4   // one word in so many must be one
	minLead   = 2   // more than of any other language, and
	leadShare = 10  // one in so many of those found
)

// Language returns the language that a text is in, Other where that is not clear.
func Language(text string) string {
	if len(text) > maxSample {
		text = text[:maxSample]
	}
	count, small, scores := 0, [16]int{}, [16]int{}
	for start, end := range Each(text) {
		count++
		word := strings.ToLower(text[start:end])
		set := known().small[word]
		add(&small, set, 1)
		add(&scores, set, 1+1/max(1, bits.OnesCount16(set))) // one of no other language counts double
		if first := strings.IndexFunc(word, func(c rune) bool { return c >= utf8.RuneSelf }); first >= 0 {
			_, size := utf8.DecodeRuneInString(word[first:])
			add(&scores, known().small["+"+word[first:first+size]], 1)
		}
	}
	best, second := 0, 0
	for i, n := range scores {
		switch {
		case n > scores[best]:
			best, second = i, scores[best]
		case i != best:
			second = max(second, n)
		}
	}
	if n := scores[best]; n < minSmall || small[best]*minShare < count || n-second < max(minLead, n/leadShare) {
		return Other
	}
	return known().rules[best].tag()
}

// add adds n to the figures of some languages.
func add(figures *[16]int, languages uint16, n int) {
	for ; languages != 0; languages &= languages - 1 {
		figures[bits.TrailingZeros16(languages)] += n
	}
}

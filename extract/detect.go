package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"

	"sitesync/internal/document"
)

// Bounds on the text by which a language is told: from shorter ones nothing is
// told, and on longer ones whatlanggo's confidence overflows.
const (
	minSample = 200
	maxSample = 1000
)

// sample returns the first sentences of the content, maxSample bytes at most: menus
// and names have no language. It is empty where there are too few.
func (v *view) sample() string {
	var b strings.Builder
	for i := range v.blocks {
		if b.Len() >= maxSample {
			break
		}
		if text := v.blocks[i].Text; isProse(text) {
			b.WriteString(text)
			b.WriteByte(' ')
		}
	}
	if b.Len() < minSample {
		return ""
	}
	return clip(b.String(), maxSample)
}

// misread warns where a page says one language and reads like another: the kind of
// warning, the language that it names and the one that was found, between colons.
func (v *view) misread() []string {
	said := familiar(v.lang)
	if smallWords[said] == "" {
		return nil
	}
	text := v.sample()
	if text == "" || speaks(said, text) {
		return nil
	}
	found := languageOf(text)
	if found == "" || found == said || areAlike(found, said) {
		return nil
	}
	return []string{document.WarnLanguage + ":" + v.lang + ":" + found}
}

// languageOf returns the language of a text, "" where that is in doubt. Languages in
// Latin and Cyrillic letters must show their small words: names and codes look like
// anything.
func languageOf(text string) string {
	script := whatlanggo.DetectScript(text)
	hasWords := script == unicode.Latin || script == unicode.Cyrillic
	if text == "" || hasWords && !speaksAny(text) { // else a millisecond, for nothing
		return ""
	}
	// Danish and Norwegian are so alike that with both none is reliable.
	info := whatlanggo.DetectWithOptions(text, whatlanggo.Options{Blacklist: map[whatlanggo.Lang]bool{whatlanggo.Nob: true, whatlanggo.Nno: true}})
	if !info.IsReliable() {
		return ""
	}
	lang := info.Lang.Iso6391()
	if lang == "da" && shareOf("nb", text) > shareOf("da", text) {
		lang = "nb"
	}
	if hasWords && !speaks(lang, text) {
		return ""
	}
	return lang
}

// speaks reports whether a text holds as many of a language's small words as one in
// that language does.
func speaks(lang, text string) bool { return shareOf(lang, text) >= leastSmall }

// leastSmall is the share of small words in a text of their language.
const leastSmall = 0.1

// speaksAny reports whether a text speaks any of the languages.
func speaksAny(text string) bool {
	words := splitWords(text)
	for _, small := range smallWords {
		if shareIn(words, small) >= leastSmall {
			return true
		}
	}
	return false
}

// shareOf returns which share of the words of a text are small words of a language.
func shareOf(lang, text string) float64 { return shareIn(splitWords(text), smallWords[lang]) }

func splitWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

func shareIn(words []string, smallWords string) float64 {
	small, hits := strings.Fields(smallWords), 0
	for _, word := range words {
		if slices.Contains(small, word) {
			hits++
		}
	}
	return float64(hits) / float64(max(1, len(words)))
}

// familiar returns the language that stands for both forms of Norwegian.
func familiar(lang string) string {
	if lang == "no" || lang == "nn" {
		return "nb"
	}
	return lang
}

// areAlike reports whether two languages are so much alike that a machine confuses them.
func areAlike(a, b string) bool {
	for _, group := range [...]string{"da nb", "cs sk", "hr sr bs sl", "pt gl", "es gl ca", "nl af", "ru be", "bg mk"} {
		if names := strings.Fields(group); slices.Contains(names, a) && slices.Contains(names, b) {
			return true
		}
	}
	return false
}

// smallWords are frequent words that set a language apart from its neighbours. What
// is not among these languages is not doubted.
var smallWords = map[string]string{
	"bg": "и на за от да се със са при или по като",
	"cs": "a je na se že jsou nebo při které pro byl jako",
	"da": "og at af er ikke til det på som der en med",
	"de": "der die und das den von mit ist nicht ein eine zu für",
	"el": "και το της την του να η ο με για από είναι",
	"en": "the and of to is that with are this for be from you",
	"es": "el los las y una por con para su como más la",
	"fi": "ja on ei se että tai kun ovat joka voi sekä mukaan",
	"fr": "le les et des une est dans pour sur du qui la",
	"hr": "i je na se za su od ili koji što kao nije",
	"hu": "a az és hogy nem egy is vagy van meg kell ez",
	"it": "il di che e della per è un una del con sono gli",
	"nb": "og å av er ikke til det på som en med for",
	"nl": "het een van voor zijn met niet aan wordt dat op uw door",
	"pl": "i w na z się do nie że jest są lub przez",
	"pt": "o a os as e do da em não uma com para que",
	"ro": "și de la cu nu este sau în care pentru din sunt",
	"ru": "и в не на что с по это как для или от",
	"sl": "in je na se za so ki ali da pri tudi po",
	"sv": "och att är för inte av som på det en med till",
	"tr": "ve bir bu için ile da de olarak daha çok olan ya",
	"uk": "і в не на що з та для або від це до",
}

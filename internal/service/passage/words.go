package passage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

const (
	maxTerms = 32 // of a question
	minStem  = 4  // characters that words share at least to count as alike
)

// fillers are words that a question is put with and that say nothing of what it is
// about: English, German, Danish, Swedish, Norwegian, French, Spanish.
const fillers = ` a an and are at can do does for from have how i in is it my of on or the there to was what when where which who why with you
 aber auf aus bei das dem den der die ein eine einen für gibt ich im ist kann man mein mit nicht oder sind und von wann warum was welche wer wie wo zu zum zur
 af at den der det du en er et for fra har hvad hvem hva hvilken hvis hvor hvordan hvorfor hvornår i jeg kan man med min når og om på som til
 att av där ett från hur inte jag kan min och när på som till vad var varför vem vilken är ikke ei
 à au aux avec ce combien comment dans de des du en est et il je la le les mes mon où ou par pour pourquoi puis quand que quel quelle qui quoi sont sur un une
 con cómo cuál cuándo cuánto de del dónde el en es está hay la las los me mi para por puedo que qué quién se su un una y `

// termsOf returns what a question asks for, each word once: all words where none says
// more than the fillers.
func termsOf(question string) []string {
	all := words(question)
	slices.Sort(all)
	all = slices.Compact(all)
	known := words(fillers)
	telling := slices.DeleteFunc(slices.Clone(all), func(word string) bool { return slices.Contains(known, word) })
	if len(telling) > 0 {
		all = telling
	}
	return all[:min(len(all), maxTerms)]
}

// words returns a text's words in small letters without accents, so that Häuser is like Haus;
// in scripts without spaces each character is one.
func words(text string) (all []string) {
	state := -1
	for rest := plain(text); rest != ""; {
		var word string
		word, rest, state = uniseg.FirstWordInString(rest, state)
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			all = append(all, word)
		}
	}
	return all
}

// plain returns a text in small letters, ß as ss, without the accents of Latin letters.
func plain(text string) string {
	text = strings.ReplaceAll(strings.ToLower(text), "ß", "ss")
	return strings.Map(func(r rune) rune {
		if '\u0300' <= r && r <= '\u036f' {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

// likeness returns 1 for the same word, partly for one that begins with the other or
// shares two thirds of its letters from the front (opening hour, opening hours), else 0.
func likeness(a, b string) float64 {
	if a == b {
		return 1
	}
	short, long := min(len(a), len(b)), max(len(a), len(b))
	same := 0
	for same < short && a[same] == b[same] {
		same++
	}
	if same < short && 3*same < 2*long || utf8.RuneCountInString(a[:same]) < minStem {
		return 0
	}
	return partly
}

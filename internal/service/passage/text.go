package passage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// abbreviations end with a full stop that ends no sentence, though a capital follows.
const abbreviations = " abb ang bzw ca dr dra evt evtl fig fr ggf hr inkl jf jr max min mme mr mrs ms mt no nr núm pág prof sr sra st str tel tlf vgl vs "

// counted are words with a capital that follow an ordinal number (am 3. Oktober).
const counted = " Januar Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert Klasse Stock Tag "

// sentences returns the sentences of a text (UAX #29), and its lines where they end
// without a stop, without the space around them. One longer than limit bytes
// comes in parts.
func sentences(text string, limit int) (all []string) {
	state, begin, end := -1, 0, 0
	for rest := text; rest != ""; {
		var next string
		next, rest, state = uniseg.FirstSentenceInString(rest, state)
		end += len(next)
		if rest != "" && end-begin < limit && goesOn(text[begin:end], rest) {
			continue
		}
		for part := strings.TrimSpace(text[begin:end]); part != ""; {
			n := cut(part, max(limit, utf8.UTFMax))
			all = append(all, strings.TrimSpace(part[:n]))
			part = strings.TrimSpace(part[n:])
		}
		begin = end
	}
	return all
}

// goesOn reports whether a full stop and a space are not where a sentence ends: after
// an abbreviation or an initial, and after a number before a word that is counted.
func goesOn(sentence, rest string) bool {
	line := strings.TrimRight(sentence, " \t\u00a0")
	last := line[strings.LastIndexFunc(line, unicode.IsSpace)+1:]
	word, stopped := strings.CutSuffix(strings.ToLower(strings.TrimLeftFunc(last, unicode.IsPunct)), ".")
	switch {
	case !stopped || word == "":
		return false
	case strings.Trim(word, "0123456789") == "":
		next, _, _ := uniseg.FirstWordInString(rest, -1)
		return strings.Contains(counted, " "+next+" ")
	case strings.Contains(abbreviations, " "+word+" "):
		return true
	}
	parts := strings.Split(word, ".")
	for _, part := range parts {
		letters := utf8.RuneCountInString(part)
		if letters > 3 || letters > 1 && len(parts) == 1 || strings.ContainsFunc(part, unicode.IsDigit) {
			return false
		}
	}
	return true
}

// cut returns how many of the first limit bytes hold whole words, or whole characters
// where the first word is longer than that.
func cut(text string, limit int) int {
	if len(text) <= limit {
		return len(text)
	}
	for back := 1; back < utf8.UTFMax && !utf8.RuneStart(text[limit]); back++ {
		limit--
	}
	_, size := utf8.DecodeRuneInString(text[limit:])
	if space := strings.LastIndexFunc(text[:limit+size], unicode.IsSpace); space > 0 {
		return space
	}
	return limit
}

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
	all := slices.Compact(slices.Sorted(slices.Values(words(question))))
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

package passage

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"
)

const (
	longest  = 400 // bytes of one passage
	share    = 200 // bytes of the whole for each passage in it
	enough   = 0.5 // of the best one's score that a further one needs
	sameness = 0.8 // of two passages' words that may be the same
)

// Doc is a document that passages may be taken from.
type Doc struct{ Title, Text string }

// Passage is a part of a document's text.
type Passage struct {
	Doc  int // index of its document
	Text string
}

// Best returns the passages of the documents, best document first, that have most to
// say on the question, in reading order and bytes long at most; none when no
// document speaks of it.
func Best(question string, docs []Doc, bytes int) []Passage {
	terms := termsOf(question)
	all := candidates(terms, docs, min(bytes, longest))
	score(all, len(terms))
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var chosen []candidate
	for _, c := range all { // by score while they fit, those aside that add little
		if c.score == 0 || c.score < enough*all[0].score || len(chosen) == max(1, bytes/share) {
			break
		}
		if len(c.text)+1 > bytes || slices.ContainsFunc(chosen, c.resembles) {
			continue
		}
		chosen = append(chosen, c)
		bytes -= len(c.text) + 1
	}
	slices.SortFunc(chosen, func(a, b candidate) int { return cmp.Or(a.doc-b.doc, a.at-b.at) })
	var best []Passage
	for _, c := range chosen {
		best = append(best, Passage{c.doc, c.text})
	}
	return best
}

// resembles reports whether two passages have most of their words in common.
func (c candidate) resembles(other candidate) bool {
	both := 0
	for _, word := range c.words {
		if slices.Contains(other.words, word) {
			both++
		}
	}
	return float64(both) >= sameness*float64(max(len(c.words), len(other.words)))
}

const (
	partly    = 0.6  // what a word counts that shares most of its letters with one of the question
	above     = 0.5  // what a word of the title or the heading counts for what stands below
	heading   = 0.1  // what a heading or a question counts, beside what answers it
	lead      = 0.2  // what a document's first passage counts more
	step      = 0.05 // what each further document counts less
	shortLine = 6    // words that a heading has at most
)

// candidate is a passage before it is chosen.
type candidate struct {
	doc, at int // which document, and where in it
	text    string
	words   []string
	hits    []float64 // 0 to 1 for each term of the question
	heads   bool      // it is a heading or a question
	score   float64
}

// candidates returns the passages of all documents, of limit bytes each at most.
func candidates(terms []string, docs []Doc, limit int) (all []candidate) {
	for i, doc := range docs {
		title := hits(terms, words(doc.Title))
		head := title
		for at, text := range sentences(doc.Text, limit) {
			c := candidate{doc: i, at: at, text: text, words: words(text)}
			c.hits = hits(terms, c.words)
			c.heads = strings.HasSuffix(text, "?") || len(c.words) <= shortLine && !strings.ContainsAny(text[len(text)-1:], ".!") // it only names what follows
			if c.heads {
				head = c.hits
			} else {
				for i, own := range c.hits { // title and heading speak for what stands below
					c.hits[i] = max(own, above*title[i], above*head[i])
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// hits returns how well each term is met by some word.
func hits(terms, words []string) []float64 {
	met := make([]float64, len(terms))
	for i, term := range terms {
		for _, word := range words {
			met[i] = max(met[i], likeness(term, word))
		}
	}
	return met
}

// score rates all candidates: rarer terms count more and long passages a little less,
// as with BM25.
func score(all []candidate, terms int) {
	counts, length := make([]float64, terms), 0
	for _, c := range all {
		length += len(c.words)
		for i, hit := range c.hits {
			if hit > 0 {
				counts[i]++
			}
		}
	}
	number := float64(len(all))
	for n := range all {
		c := &all[n]
		for i, hit := range c.hits {
			c.score += hit * math.Log1p((number-counts[i]+0.5)/(counts[i]+0.5))
		}
		c.score *= (1 + lead/float64(1+c.at)) / (1 + step*float64(c.doc))
		c.score /= 0.75 + 0.25*float64(len(c.words))*number/float64(max(length, 1))
		if c.heads {
			c.score *= heading
		}
	}
}

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
	isAccent := func(r rune) bool { return '\u0300' <= r && r <= '\u036f' }
	return runes.Remove(runes.Predicate(isAccent)).String(norm.NFD.String(text))
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

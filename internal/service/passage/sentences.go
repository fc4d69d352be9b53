package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
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

package words

import "strings"

// Where the engine's stemmers miss frequent forms, words are changed before or after.

// spanish cuts the plural of short words, whose singular the stemmer leaves: "casas".
func spanish(word string) string {
	if len(word) <= 5 && (strings.HasSuffix(word, "as") || strings.HasSuffix(word, "os")) {
		return word[:len(word)-1]
	}
	return word
}

// swedish cuts the article of words in a, as in "skolan", but not the end of "detaljplan".
func swedish(word string) string {
	if rest, ok := strings.CutSuffix(word, "an"); ok && len(rest) > 2 {
		for _, own := range []string{"pl", "m", "r", "org"} {
			if strings.HasSuffix(rest, own) {
				return word
			}
		}
		return rest + "a"
	}
	return word
}

// dutch makes the last consonant as hard as it is without an ending: "huizen" and "huis".
func dutch(stem string) string {
	if rest, ok := strings.CutSuffix(stem, "z"); ok {
		return rest + "s"
	}
	if rest, ok := strings.CutSuffix(stem, "v"); ok {
		return rest + "f"
	}
	return stem
}

// polishSmall are Polish stop words. The engine's own Polish rules are left aside: its table
// makes "książek" of "książka" and "sc" of "szkoła".
const polishSmall = `a aby albo ale ani aż bardzo bez bo by był była było były być chce ci co czy dla do gdy gdzie go i ich ile im
inne innych iż ja jak jako je jednak jego jej jest jeszcze jeśli już kiedy która które którego której których który którym którzy kto
lub ma mają mi mnie może można my na nad nam nas nich nie niego niej nim niż no o od on ona one oni oraz pan po pod ponieważ poza
przed przede przez przy raz również się są swoje swojego ta tak także tam te tego tej ten też to tu tylko tych tym u w wam was we więc
wszystkie wszystkich z za zawsze że ze`

// polishEndings are those of Polish nouns and adjectives without accents, the longest first.
const polishEndings = "iego iemu iami iach ego emu ymi imi ami ach owi iej iem iom ych ich em om ow ie ia iu io im ej ym a e i o u y"

// polish returns the stem of a Polish word without accents.
func polish(word string) string {
	stem, soft := word, false
	for ending := range strings.FieldsSeq(polishEndings) {
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= 3 {
			stem, soft = rest, ending[0] == 'i'
			break
		}
	}
	// A vowel stands between the last consonants only where no ending follows.
	for _, vowel := range []string{"iek k", "iec c", "ek k", "ec c"} {
		full, short, _ := strings.Cut(vowel, " ")
		if rest, ok := strings.CutSuffix(stem, full); ok && len(rest) >= 3 {
			stem = rest + short
			break
		}
	}
	// The last consonant changes before some endings.
	hard := "dz g rz r c k"
	if soft {
		hard = "dz d rz r c t"
	}
	pairs := strings.Fields(hard)
	for i := 0; i < len(pairs); i += 2 {
		if rest, ok := strings.CutSuffix(stem, pairs[i]); ok && len(rest) >= 2 && !strings.HasSuffix(stem, "sc") {
			return rest + pairs[i+1]
		}
	}
	return stem
}

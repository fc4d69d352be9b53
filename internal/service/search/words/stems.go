package words

import "strings"

// swap returns a word with another ending: that behind the first of those that it has, which
// leaves so many bytes before it.
func swap(word string, least int, endings ...string) string {
	for i := 0; i < len(endings); i += 2 {
		if rest, ok := strings.CutSuffix(word, endings[i]); ok && len(rest) >= least {
			return rest + endings[i+1]
		}
	}
	return word
}

// What the engine's stemmers miss of frequent forms is done before or after them.

// spanish cuts the plural of short words, whose singular the stemmer leaves: "casas".
func spanish(word string) string {
	if len(word) > 5 {
		return word
	}
	return swap(word, 1, "as", "a", "os", "o")
}

// swedish cuts the article of words in a, as in "skolan", and of neuters, as in "huset", but
// not the end of "detaljplan" or "universitet".
func swedish(word string) string {
	return swap(word, 2, "plan", "plan", "man", "man", "ran", "ran", "organ", "organ", "an", "a",
		"itet", "itet", "het", "het", "dget", "dget", "ernet", "ernet", "lanet", "lanet", "et", "")
}

// dutch makes the last consonant as hard as it is without an ending: "huizen" and "huis".
func dutch(stem string) string { return swap(stem, 1, "z", "s", "v", "f") }

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
	// A vowel stands between the last consonants only where no ending follows, and the last
	// one changes before some endings.
	stem = swap(stem, 3, "iek", "k", "iec", "c", "ek", "k", "ec", "c")
	if soft {
		return swap(stem, 0, "sc", "sc", "dz", "d", "rz", "r", "c", "t")
	}
	return swap(stem, 0, "sc", "sc", "dz", "g", "rz", "r", "c", "k")
}

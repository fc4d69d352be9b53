package field

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"

	"sitesync/extract/markup"
)

var headerLanguage = source{"header:Content-Language", func(v *Evidence) string {
	return v.Page.Header.Get("Content-Language")
}}

var languageField = defaultField{"Language", []source{
	{"html lang", func(v *Evidence) string { return v.Found.Lang }},
	headerLanguage,
	{"meta:content-language", func(v *Evidence) string { return v.Found.Meta("content-language") }},
	og("locale"),
	{"text", func(v *Evidence) string { text := v.sample(); return languageOf(text, wordsOf(text)) }},
}, primary}

var fileLanguage = defaultField{"Language", []source{
	{"meta:language", func(v *Evidence) string { return v.File.Language }},
	headerLanguage,
}, primary}

func primary(_ *Evidence, tag string) string { return primarySubtag(tag) }

// primarySubtag returns the primary subtag of a language tag (RFC 5646) in lower case. It returns "" if the
// tag names no language or several.
func primarySubtag(tag string) string {
	tag = strings.ToLower(strings.TrimSpace(tag))
	if end := strings.IndexAny(tag, "-_"); end >= 0 && !strings.Contains(tag, ",") {
		tag = tag[:end]
	}
	if len(tag) < 2 || len(tag) > 3 || strings.Trim(tag, "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	return tag
}

const (
	minSample  = 200  // minimum bytes of text from which a language is guessed
	maxSample  = 1000 // maximum bytes of text; on longer texts the confidence of whatlanggo overflows
	leastSmall = 0.1  // minimum share of a language's small words, such as "and", in a text
)

// sample returns sentences from the beginning of the content, at most maxSample bytes, or "" if there are too
// few. Menus and names are left out, because they have no language.
func (v *Evidence) sample() string {
	var b strings.Builder
	for i := range v.Blocks {
		if b.Len() >= maxSample {
			break
		}
		if text := v.Blocks[i].Text; isProse(text, leastProse) {
			b.WriteString(text + " ")
		}
	}
	if b.Len() < minSample {
		return ""
	}
	return markup.Clip(b.String(), maxSample)
}

// misread returns a warning if the text is in another language than the page declares, or "".
func (v *Evidence) misread() string {
	said := v.lang
	if said == "no" { // most Norwegian texts are Bokmål (nb)
		said = "nb"
	}
	if len(markup.Listed("small-"+said)) == 0 {
		return ""
	}
	text := v.sample()
	spoken := wordsOf(text)
	if text == "" || spoken.speak(said) {
		return ""
	}
	found := languageOf(text, spoken)
	if found == "" || found == said || slices.Contains(neighbours(said), found) {
		return ""
	}
	return fmt.Sprintf("says that the language is %s; the text reads like %s: correct the lang attribute",
		v.lang, found)
}

func neighbours(lang string) (all []string) {
	for _, group := range markup.Listed("alike") {
		if names := strings.Fields(group); slices.Contains(names, lang) {
			all = append(all, names...)
		}
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == lang })
}

// languageOf returns the language of a text, or "" in doubt. A text in Latin or Cyrillic letters must have
// small words of its language, such as "and". Without them it may be a list of names, which has no language.
func languageOf(text string, spoken words) string {
	needWords := isLatin(text)
	if !needWords {
		script := whatlanggo.DetectScript(text)
		needWords = script == unicode.Latin || script == unicode.Cyrillic
	}
	languages := slices.Collect(maps.Keys(spoken.hits))
	if needWords && !slices.ContainsFunc(languages, spoken.speak) {
		return ""
	}
	// Danish and Norwegian are so alike that whatlanggo is sure of neither if both are allowed.
	info := whatlanggo.DetectWithOptions(text, whatlanggo.Options{
		Blacklist: map[whatlanggo.Lang]bool{whatlanggo.Nob: true, whatlanggo.Nno: true},
	})
	if !info.IsReliable() {
		return ""
	}
	lang := spoken.nearest(info.Lang.Iso6391())
	if needWords && !spoken.speak(lang) {
		return ""
	}
	return lang
}

// isLatin reports whether more than half of a text's bytes are letters from a to z. If so, the text needs no
// whatlanggo.DetectScript, which takes as long as reading the whole page.
func isLatin(text string) bool {
	letters := 0
	for i := range len(text) {
		if c := text[i] | 0x20; 'a' <= c && c <= 'z' {
			letters++
		}
	}
	return 2*letters > len(text)
}

// speakers maps small words to their languages. Small words are frequent and belong to few languages.
var speakers = func() map[string][]string {
	all := map[string][]string{}
	for _, lang := range markup.Listed("languages") {
		for _, word := range markup.Listed("small-" + lang) {
			all[word] = append(all[word], lang)
		}
	}
	return all
}()

type words struct {
	all  int
	hits map[string]int
}

func wordsOf(text string) words {
	w := words{hits: map[string]int{}}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		w.all++
		for _, lang := range speakers[word] {
			w.hits[lang]++
		}
	}
	return w
}

// nearest returns lang or a similar language: the one with most small words in the text, or "" if two tie.
func (w words) nearest(lang string) string {
	best, most := lang, w.hits[lang]
	for _, near := range neighbours(lang) {
		switch n := w.hits[near]; {
		case n > most:
			best, most = near, n
		case n == most && near != best && most > 0:
			best = ""
		}
	}
	return best
}

func (w words) speak(lang string) bool {
	return float64(w.hits[lang])/float64(max(1, w.all)) >= leastSmall
}

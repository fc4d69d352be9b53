package field

import (
	"slices"
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"

	"sitesync/extract/markup"
	"sitesync/internal/document"
)

var headerLanguage = source{"header:Content-Language", func(v *Evidence) string { return v.Page.Header.Get("Content-Language") }}

// languageField is the page's language. What the owner says is believed, also where
// the text reads otherwise.
var languageField = defaultField{"Language", []source{
	{"html lang", func(v *Evidence) string { return v.Found.Lang }},
	headerLanguage,
	{"meta:content-language", func(v *Evidence) string { return v.Found.Meta("content-language") }},
	og("locale"),
	{"text", func(v *Evidence) string { return languageOf(v.sample()) }},
}, primary}

var fileLanguage = defaultField{"Language", []source{
	{"meta:language", func(v *Evidence) string { return v.File.Language }},
	headerLanguage,
}, primary}

func primary(_ *Evidence, tag string) string { return primarySubtag(tag) }

// primarySubtag returns the primary subtag of a language tag (RFC 5646) in lower case,
// or "" where the tag is none. A list of several languages is none.
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

// Bounds on the text by which a language is told: from shorter ones nothing is
// told, and on longer ones whatlanggo's confidence overflows.
const (
	minSample = 200
	maxSample = 1000
)

// sample returns the first sentences of the content, maxSample bytes at most: menus
// and names have no language. It is empty where there are too few.
func (v *Evidence) sample() string {
	var b strings.Builder
	for i := range v.Blocks {
		if b.Len() >= maxSample {
			break
		}
		if text := v.Blocks[i].Text; isProse(text) {
			b.WriteString(text + " ")
		}
	}
	if b.Len() < minSample {
		return ""
	}
	return markup.Clip(b.String(), maxSample)
}

// misread warns where a page says one language and reads like another: the kind of
// warning, the language that it names and the one that was found, between colons.
func (v *Evidence) misread() []string {
	said := v.lang
	if said == "no" || said == "nn" { // nb stands for both forms of Norwegian
		said = "nb"
	}
	if len(smallWords(said)) == 0 {
		return nil
	}
	text := v.sample()
	if text == "" || speaks(said, wordsOf(text)) {
		return nil
	}
	found := languageOf(text)
	alike := slices.ContainsFunc(markup.Listed("alike"), func(group string) bool {
		names := strings.Fields(group)
		return slices.Contains(names, found) && slices.Contains(names, said)
	})
	if found == "" || found == said || alike {
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
	words := wordsOf(text)
	speaksOne := func(lang string) bool { return speaks(lang, words) }
	if text == "" || hasWords && !slices.ContainsFunc(markup.Listed("languages"), speaksOne) { // else a millisecond, for nothing
		return ""
	}
	// Danish and Norwegian are so alike that with both none is reliable.
	info := whatlanggo.DetectWithOptions(text, whatlanggo.Options{Blacklist: map[whatlanggo.Lang]bool{whatlanggo.Nob: true, whatlanggo.Nno: true}})
	if !info.IsReliable() {
		return ""
	}
	lang := info.Lang.Iso6391()
	if lang == "da" && shareOf("nb", words) > shareOf("da", words) {
		lang = "nb"
	}
	if hasWords && !speaks(lang, words) {
		return ""
	}
	return lang
}

// leastSmall is the share of small words in a text of their language.
const leastSmall = 0.1

// speaks reports whether a text of these words holds as many of a language's small
// words as one in that language does.
func speaks(lang string, words []string) bool { return shareOf(lang, words) >= leastSmall }

// smallWords are frequent words that set a language apart from its neighbours; none
// where the language is not known.
func smallWords(lang string) []string { return markup.Listed("small-" + lang) }

// shareOf returns the share of the words that are small words of a language.
func shareOf(lang string, words []string) float64 {
	small, hits := smallWords(lang), 0
	for _, word := range words {
		if slices.Contains(small, word) {
			hits++
		}
	}
	return float64(hits) / float64(max(1, len(words)))
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

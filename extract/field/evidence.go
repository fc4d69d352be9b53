package field

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/abadojack/whatlanggo"

	"sitesync/extract/markup"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Bounds of fields, in bytes.
const (
	maxTitle       = 500
	maxDescription = 2000
	maxCategory    = 200
)

// Attempt is what one source gave for one field.
type Attempt struct {
	Field  string `json:"field"`
	Source string `json:"source"` // in the syntax of field rules where there is one
	Value  string `json:"value"`  // empty: nothing; of a source that lost for its form, what it gave
	Won    bool   `json:"won"`
}

// Evidence is what sources look at: one HTML page after its walk, or one file.
type Evidence struct {
	Page   *document.Page
	Found  *markup.Found  // nil for a file
	File   *document.File // nil for HTML
	Blocks []document.Block
	Zone   *time.Location
	Now    time.Time  // no page was published after it; zero: not asked
	Trace  *[]Attempt // nil: only what wins is of interest

	linked linked
	titles []string
	site   []string // names of the site, squeezed; once asked for
	labels []string // of its host
	lang   string
	base   *url.URL // see absolute
}

// source is one place that a field's value can come from, under the name that
// explain shows.
type source struct {
	name string
	get  func(*Evidence) string
}

// defaultField is a field that needs no rule: its sources, best first, and the
// form that a value must have; a source whose value can't be brought into it is
// passed over.
type defaultField struct {
	name    string
	sources []source
	form    func(v *Evidence, value string) string // empty: none can be made of it
}

// Defaults returns the fields of a page or file that its own sources give, the
// candidates for its title, best first, and a warning where a page says one language
// and reads like another.
func (v *Evidence) Defaults() (fields map[string]string, titles, warn []string) {
	fields = make(map[string]string, 8)
	put := func(d *defaultField) (won string) { // by the first source that gives something; the others are asked only for the trace
		for i := range d.sources {
			given := d.sources[i].get(v)
			value := d.form(v, given)
			v.note(Attempt{d.name, d.sources[i].name, cmp.Or(value, given), won == "" && value != ""})
			won = cmp.Or(won, value)
			if won != "" && v.Trace == nil {
				break
			}
		}
		if won != "" {
			fields[d.name] = won
		}
		return won
	}
	if v.File != nil {
		titles = v.fileTitles()
		put(&fileDescription)
		put(&fileLanguage)
		put(&fileDate)
		return fields, titles, nil
	}
	isStart := weburl.Path(v.Page.URL) == "/"
	v.linked = readLinked(v.Found.Linked)
	v.titles = v.candidates(nil, titleSources, len(titleSources))
	most := 3
	if isStart || len(v.titles) > 1 {
		most = 1
	}
	v.titles = v.candidates(v.titles, spareTitles, most)
	v.titles = v.candidates(v.titles, []source{hostName}, 1)
	v.lang = put(&languageField)
	put(&descriptionField)
	if !isStart { // a start page was never published
		put(&dateField)
	}
	put(&categoryField)
	return fields, v.titles, v.misread()
}

func (v *Evidence) note(a Attempt) {
	if v.Trace != nil {
		*v.Trace = append(*v.Trace, a)
	}
}

func metas(names ...string) []source {
	sources := make([]source, len(names))
	for i, name := range names {
		sources[i] = source{"meta:" + name, func(v *Evidence) string { return v.Found.Meta(name) }}
	}
	return sources
}

func og(property string) source {
	return source{"og:" + property, func(v *Evidence) string { return v.Found.Meta("og:" + property) }}
}

// clipped is the form of a field of so many bytes at most.
func clipped(size int) func(*Evidence, string) string {
	return func(_ *Evidence, value string) string { return markup.Clip(value, size) }
}

var headerLanguage = source{"header:Content-Language", func(v *Evidence) string { return v.Page.Header.Get("Content-Language") }}

// languageField is the page's language. What the owner says is believed, also where
// the text reads otherwise.
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

// primarySubtag returns the primary subtag of a language tag (RFC 5646) in lower case,
// or "" where the tag names no language, or several.
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

// Bounds on the text, in bytes, by which a language is told: from shorter ones nothing is
// told, and on longer ones whatlanggo's confidence overflows.
const (
	minSample  = 200
	maxSample  = 1000
	leastSmall = 0.1 // share of small words in a text of their language
)

// sample returns the first sentences of the content, maxSample bytes at most: menus
// and names have no language. It is empty where there are too few.
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

// misread warns where a page says one language and reads like another: the kind of
// warning, the language that it names and the one that was found, between colons.
func (v *Evidence) misread() []string {
	said := v.lang
	if said == "no" { // of its two forms the one that most write
		said = "nb"
	}
	if len(smallWords(said)) == 0 {
		return nil
	}
	text := v.sample()
	spoken := wordsOf(text)
	if text == "" || spoken.speak(said) {
		return nil
	}
	found := languageOf(text, spoken)
	if found == "" || found == said || slices.Contains(neighbours(said), found) {
		return nil
	}
	return []string{document.WarnLanguage + ":" + v.lang + ":" + found}
}

// neighbours returns the languages that are so much like one that its texts are taken for theirs.
func neighbours(lang string) (all []string) {
	for _, group := range markup.Listed("alike") {
		if names := strings.Fields(group); slices.Contains(names, lang) {
			all = append(all, names...)
		}
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == lang })
}

// languageOf returns the language of a text, "" where that is in doubt. Languages in
// Latin and Cyrillic letters must show their small words: names and codes look like
// anything.
func languageOf(text string, spoken words) string {
	needWords := isLatin(text)
	if !needWords {
		script := whatlanggo.DetectScript(text)
		needWords = script == unicode.Latin || script == unicode.Cyrillic
	}
	if needWords && !spoken.any() { // whichever is found: finding it costs as much as parsing the page
		return ""
	}
	// Danish and Norwegian are so alike that with both none is reliable.
	info := whatlanggo.DetectWithOptions(text, whatlanggo.Options{Blacklist: map[whatlanggo.Lang]bool{whatlanggo.Nob: true, whatlanggo.Nno: true}})
	if !info.IsReliable() {
		return ""
	}
	lang := spoken.nearest(info.Lang.Iso6391())
	if needWords && !spoken.speak(lang) {
		return ""
	}
	return lang
}

// isLatin reports whether more than half of the bytes of a text are letters from a to z: such a text
// is in Latin letters. To ask DetectScript takes as long as to read the page.
func isLatin(text string) bool {
	letters := 0
	for i := range len(text) {
		if c := text[i] | 0x20; 'a' <= c && c <= 'z' {
			letters++
		}
	}
	return 2*letters > len(text)
}

// smallWords are frequent words that set a language apart from its neighbours; none
// where the language is not known.
func smallWords(lang string) []string { return markup.Listed("small-" + lang) }

// speakers are the languages that have each small word.
var speakers = func() map[string][]string {
	all := map[string][]string{}
	for _, lang := range markup.Listed("languages") {
		for _, word := range smallWords(lang) {
			all[word] = append(all[word], lang)
		}
	}
	return all
}()

// words are how many words a text has, and how many of them are small words of each language.
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

// nearest returns a language or the one of its neighbours that has the most small words; "" where
// several have as many.
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

// any reports whether a text of these words speaks one of the languages.
func (w words) any() bool {
	for lang := range w.hits {
		if w.speak(lang) {
			return true
		}
	}
	return false
}

// speak reports whether a text of these words holds as many of a language's small words
// as one in that language does.
func (w words) speak(lang string) bool {
	return float64(w.hits[lang])/float64(max(1, w.all)) >= leastSmall
}

package extract

import "strings"

// languageField is the page's language as the primary subtag of RFC 5646, in lower
// case. What the owner says is believed, also where the text reads otherwise.
var languageField = defaultField{"Language", []source{
	{"html lang", func(v *view) string { return v.found.lang }},
	{"header:Content-Language", func(v *view) string { return v.page.Header.Get("Content-Language") }},
	{"meta:content-language", func(v *view) string { return v.found.meta("content-language") }},
	og("locale"),
	{"text", func(v *view) string { return languageOf(v.sample()) }},
}, func(_ *view, tag string) string { return primary(tag) }}

// primary returns the primary subtag of a language tag, or "" where the tag is
// none. A list of several languages is none.
func primary(tag string) string {
	tag = strings.ToLower(strings.TrimSpace(tag))
	if end := strings.IndexAny(tag, "-_"); end >= 0 && !strings.Contains(tag, ",") {
		tag = tag[:end]
	}
	if len(tag) < 2 || len(tag) > 3 || strings.Trim(tag, "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	return tag
}

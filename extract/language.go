package extract

import (
	"net/http"
	"strings"
)

// language returns the page's language as the primary subtag of RFC 5646, in
// lower case: the lang attribute of <html>, else the Content-Language header or
// its meta element, else og:locale. It is empty where none names one language.
func language(f *findings, header http.Header) string {
	return firstOf(
		primary(f.lang),
		headerLanguage(header),
		primary(f.meta("content-language")),
		primary(f.meta("og:locale")),
	)
}

func headerLanguage(h http.Header) string { return primary(h.Get("Content-Language")) }

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

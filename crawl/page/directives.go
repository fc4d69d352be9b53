package page

import (
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/html"
)

// meta handles the directives for crawlers and refresh. As elsewhere, a
// directive counts wherever it stands: those of several add up.
func (r *linkReader) meta(n *html.Node) {
	name := strings.TrimSpace(Attr(n, "name"))
	switch {
	case strings.EqualFold(name, "robots"), name != "" && strings.EqualFold(name, r.agent):
		content := Attr(n, "content")
		r.directives(content, "meta "+strings.ToLower(name)+": "+content)
	case r.refresh == "" && strings.EqualFold(strings.TrimSpace(Attr(n, "http-equiv")), "refresh"):
		r.refresh = refreshTarget(Attr(n, "content"))
	}
}

// robotsHeader handles X-Robots-Tag. A user agent before a colon begins the
// directives for that agent, to the end of the header line.
func (r *linkReader) robotsHeader(header http.Header) {
	for _, value := range header.Values("X-Robots-Tag") {
		ours := true
		for directive := range strings.SplitSeq(value, ",") {
			name, rest, found := strings.Cut(directive, ":")
			if name = strings.TrimSpace(name); found && !valuedDirective(name) {
				ours = name == "*" || strings.EqualFold(name, "robots") || name != "" && strings.EqualFold(name, r.agent)
				directive = rest
			}
			if ours {
				r.directives(directive, "X-Robots-Tag: "+value)
			}
		}
	}
}

// valuedDirective reports whether what stands before a colon is a directive,
// or part of a date, rather than a user agent.
func valuedDirective(name string) bool {
	switch strings.ToLower(name) {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return true
	}
	return strings.ContainsAny(name, " \t")
}

func (r *linkReader) directives(list, words string) {
	for directive := range strings.FieldsFuncSeq(list, func(c rune) bool { return strings.ContainsRune(",;"+htmlSpace, c) }) {
		switch strings.ToLower(directive) {
		case "noindex":
			keepFirst(&r.noIndex, words)
		case "nofollow":
			keepFirst(&r.noFollow, words)
		case "none":
			keepFirst(&r.noIndex, words)
			keepFirst(&r.noFollow, words)
		}
	}
}

// maxShown bounds the words of a directive, in characters.
const maxShown = 200

func keepFirst(s *string, words string) {
	if *s == "" {
		*s = fmt.Sprintf("%.*s", maxShown, strings.Join(strings.Fields(words), " "))
	}
}

// refreshTarget returns the address in the content of a meta refresh, as the
// HTML standard reads it; empty when it only reloads the page.
func refreshTarget(content string) string {
	content = strings.TrimLeft(content, htmlSpace)
	rest := strings.TrimLeft(content, "0123456789.")
	if rest == content {
		return ""
	}
	trimmed := strings.TrimLeft(rest, htmlSpace+";,")
	if trimmed == rest {
		return ""
	}
	if len(trimmed) >= 3 && strings.EqualFold(trimmed[:3], "url") {
		if value, ok := strings.CutPrefix(strings.TrimLeft(trimmed[3:], htmlSpace), "="); ok {
			trimmed = strings.TrimLeft(value, htmlSpace)
		}
	}
	if trimmed != "" && (trimmed[0] == '"' || trimmed[0] == '\'') {
		quote := trimmed[:1]
		trimmed, _, _ = strings.Cut(trimmed[1:], quote)
	}
	return trimmed
}

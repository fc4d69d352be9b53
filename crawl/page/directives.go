package page

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"sitesync/internal/weburl"
)

// readMeta handles the directives for crawlers and refresh. As elsewhere, a
// directive counts wherever it stands: those of several add up.
func (r *reader) readMeta(n *html.Node) {
	name := strings.TrimSpace(Attr(n, "name"))
	switch {
	case strings.EqualFold(name, "robots"), name != "" && strings.EqualFold(name, r.agent):
		content := Attr(n, "content")
		r.obey(content, "meta "+strings.ToLower(name)+": "+content)
	case r.refresh == "" && strings.EqualFold(strings.TrimSpace(Attr(n, "http-equiv")), "refresh"):
		r.refresh = refreshTarget(Attr(n, "content"))
	}
}

// readRobotsTag handles X-Robots-Tag. A user agent before a colon begins the
// directives for that agent, to the end of the header line.
func (r *reader) readRobotsTag(header http.Header) {
	for _, value := range header.Values("X-Robots-Tag") {
		ours := true
		for directive := range strings.SplitSeq(value, ",") {
			name, rest, found := strings.Cut(directive, ":")
			if name = strings.TrimSpace(name); found && !valuedDirective(name) {
				ours = name == "*" || strings.EqualFold(name, "robots") || name != "" && strings.EqualFold(name, r.agent)
				directive = rest
			}
			if ours {
				r.obey(directive, "X-Robots-Tag: "+value)
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

// obey takes directives from a list, which stands in words.
func (r *reader) obey(list, words string) {
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

var refreshPattern = regexp.MustCompile(`(?s)^[\t\n\f\r ]*[0-9.]+[\t\n\f\r ;,]+(?:(?i:url)[\t\n\f\r ]*=[\t\n\f\r ]*)?(?:"([^"]*)|'([^']*)|(.*))`)

// refreshTarget returns the address in the content of a meta refresh, as the
// HTML standard reads it; empty when it only reloads the page.
func refreshTarget(content string) string {
	match := refreshPattern.FindStringSubmatch(content)
	if match == nil {
		return ""
	}
	return match[1] + match[2] + match[3]
}

var (
	linkPattern = regexp.MustCompile(`<([^>]*)>((?:[^",]|"[^"]*(?:"|$))*)`) // an address and its parameters
	relPattern  = regexp.MustCompile(`(?i)^(?:(?:[^"]|"[^"]*")*?;)?\s*rel\s*=\s*"?([^";]*)`)
)

// headerCanonical returns the target of the first rel=canonical in the Link headers (RFC
// 8288, of whose parameters the first rel counts); empty when there is none.
func headerCanonical(header http.Header) string {
	for _, value := range header.Values("Link") {
		for _, link := range linkPattern.FindAllStringSubmatch(value, -1) {
			rel := relPattern.FindStringSubmatch(link[2])
			if weburl.Trim(link[1]) != "" && rel != nil && HasToken(rel[1], "canonical") {
				return link[1]
			}
		}
	}
	return ""
}

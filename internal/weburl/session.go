package weburl

import (
	"fmt"
	"regexp"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// sessionNames maps names of session parameters in common software to the length of the shortest session ID,
// in bytes.
var sessionNames = map[string]int{
	"phpsessid": 16, "jsessionid": 16, "sessionid": 16, "session_id": 16, "sid": 16, "oscsid": 16, "xtcsid": 16,
	"zenid": 16, "cfid": 5, "cftoken": 8,
}

var sessionID = regexp.MustCompile(`^[\w.!~,-]*\d[\w.!~,-]*$`)

// isSession reports whether a parameter "name=value" is a session ID. It returns the name, and the length of
// the shortest session ID with this name, in bytes.
func isSession(param string) (name string, least int, ok bool) {
	name, value, _ := strings.Cut(param, "=")
	lower := strings.ToLower(name)
	least = sessionNames[lower]
	if letters, ok := strings.CutPrefix(lower, "aspsessionid"); ok && len(letters) <= 12 {
		least = 16
	}
	return name, least, least > 0 && len(value) >= least && sessionID.MatchString(value)
}

// SessionParam returns the name, as written, of the first query parameter of target that is a session ID, and
// a regular expression for this parameter. Both are "" if the URL has no such parameter.
func SessionParam(target string) (name, pattern string) {
	_, query, _ := strings.Cut(target, "?")
	for param := range strings.FieldsFuncSeq(query, func(c rune) bool { return c == '&' || c == ';' }) {
		if name, least, ok := isSession(param); ok {
			return name, fmt.Sprintf(`[?&;]%s=[\w.!~,-]{%d}`, regexp.QuoteMeta(name), least)
		}
	}
	return "", ""
}

// dropSessions removes session IDs from the path of a URL: parameters such as ";jsessionid=", and segments of
// ASP.NET such as "/(S(lit3py55t21z5v55vlm25s55))". Each visit gets another session ID for the same page.
func dropSessions(s string) string {
	if strings.IndexByte(s, ';') < 0 && strings.IndexByte(s, '(') < 0 {
		return s
	}
	path := withoutQuery(s)
	segments := strings.Split(path, "/")
	kept := segments[:0]
	for i, segment := range segments {
		segment = dropSessionParams(segment)
		switch {
		case i == 0 || !sessionTicket.MatchString(segment):
			kept = append(kept, segment)
		case i == len(segments)-1:
			kept = append(kept, "") // keeps the slash at the end of the path
		}
	}
	return strings.Join(kept, "/") + s[len(path):]
}

// dropSessionParams removes session IDs from a path segment. A jsessionid may have any length.
func dropSessionParams(segment string) string {
	name, params, found := strings.Cut(segment, ";")
	if !found {
		return segment
	}
	kept := name
	for param := range strings.SplitSeq(params, ";") {
		name, _, ok := isSession(param)
		if !ok && !strings.EqualFold(name, "jsessionid") {
			kept += ";" + param
		}
	}
	return kept
}

// sessionTicket matches the path segment that ASP.NET adds for browsers without cookies. It holds a session
// (S), a login (A or F), or the result of a test for cookies (X).
var sessionTicket = regexp.MustCompile(`^\((?:X\([01]\))?(?:[SAF]\([\w.~-]{16,}\))+\)$`)

// sessionSegment matches a session ID after a name in the path, such as "/sid-0a1b2c3d4e5f6a7b/".
var sessionSegment = regexp.MustCompile(`(?i)/(?:s|sid|sess|session|sessionid)[-_=/]([0-9a-z]{16,})(?:/|$)`)

// Join resolves the link ref on the page with the URL base. The result is not canonical: it keeps
// session IDs, and parameters that the configuration ignores. It is "" if it would be no URL.
func Join(base, ref string) string {
	at, err := whatwg.ParseRef(base, EscapeBytes(Trim(ref)))
	if err != nil {
		return ""
	}
	return at.Href(true)
}

// SessionForm returns path with "*" in place of a possible session ID: "/sid-*/page" for
// "/sid-0a1b2c3d4e5f6a7b/page". Such a text may also be the name of a page, so callers must compare the
// content of pages.
func SessionForm(path string) (form string, found bool) {
	for _, at := range sessionSegment.FindAllStringSubmatchIndex(path, -1) {
		id := path[at[2]:at[3]]
		hasLetter := strings.ContainsFunc(id, func(c rune) bool { return isLetter(byte(c)) })
		if hasLetter && strings.ContainsAny(id, "0123456789") {
			return path[:at[2]] + "*" + path[at[3]:], true
		}
	}
	return path, false
}

package weburl

import (
	"fmt"
	"regexp"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// sessionNames are the names under which well-known software puts a session's ID into an
// address, with the least bytes of an ID. "sid" may well be something else; "cfid" and
// its like are short.
var sessionNames = map[string]int{
	"phpsessid": 16, "jsessionid": 16, "sessionid": 16, "session_id": 16, "sid": 16, "oscsid": 16, "xtcsid": 16, "zenid": 16,
	"cfid": 5, "cftoken": 8,
}

// longestSessionName is that of ASP with the twelve letters behind it.
const longestSessionName = len("aspsessionid") + 12

// isSession reports whether a parameter, a name with "=" and a value, is a session's ID,
// and returns the name and the least bytes of such an ID.
func isSession(param string) (name string, least int, ok bool) {
	name, value, _ := strings.Cut(param, "=")
	if len(name) > longestSessionName {
		return name, 0, false
	}
	lower := strings.ToLower(name)
	least = sessionNames[lower]
	if strings.HasPrefix(lower, "aspsessionid") {
		least = 16
	}
	if least == 0 || len(value) < least {
		return name, least, false
	}
	for i := range len(value) { // a digit, and only what session IDs are made of
		switch c := value[i]; {
		case isDigit(c):
			ok = true
		case !isLetter(c) && strings.IndexByte("_.!~,-", c) < 0:
			return name, least, false
		}
	}
	return name, least, ok
}

// SessionParam finds the first parameter of a URL's query that is a session's ID. It returns
// the parameter's name as the URL writes it, and a pattern that matches the parameter. Both
// are empty when the query has no such parameter.
func SessionParam(target string) (name, pattern string) {
	_, query, _ := strings.Cut(target, "?")
	if query == "" { // most have none, and every known URL passes here
		return "", ""
	}
	for param := range strings.FieldsFuncSeq(query, func(c rune) bool { return c == '&' || c == ';' }) {
		if name, least, ok := isSession(param); ok {
			return name, fmt.Sprintf(`[?&;]%s=[\w.!~,-]{%d}`, regexp.QuoteMeta(name), least)
		}
	}
	return "", ""
}

// dropSessions removes sessions' IDs from the path of a URL: parameters such as
// ";jsessionid=", and the segments of ASP.NET such as "/(S(lit3py55t21z5v55vlm25s55))".
// A session names a visit, not a page: the next visit gets another one.
func dropSessions(s string) string {
	if strings.IndexByte(s, ';') < 0 && strings.IndexByte(s, '(') < 0 { // nearly always
		return s
	}
	path := withoutQuery(s)
	var kept strings.Builder
	rest := s[len(path):]
	for first := true; ; first = false {
		segment, more, found := strings.Cut(path, "/")
		segment = dropSessionParams(segment)
		ticket := !first && sessionTicket.MatchString(segment)
		if !ticket {
			kept.WriteString(segment)
		}
		if !found {
			break
		}
		if !ticket {
			kept.WriteByte('/')
		}
		path = more
	}
	return kept.String() + rest
}

// dropSessionParams removes the parameters of a path's segment that are sessions' IDs.
// Nothing but a session is called jsessionid: there the length says nothing.
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

// sessionTicket matches the segment that ASP.NET puts into addresses for browsers without
// cookies: the session (S), a login (A, F), and whether it has looked for cookies (X).
var sessionTicket = regexp.MustCompile(`^\((?:X\([01]\))?(?:[SAF]\([\w.~-]{16,}\))+\)$`)

// sessionSegment matches what other software puts before a path: a segment that is named
// as a session or stands behind such a name, with an ID.
var sessionSegment = regexp.MustCompile(`(?i)/(?:s|sid|sess|session|sessionid)[-_=/]([0-9a-z]{16,})(?:/|$)`)

// Join returns what ref means on the page base, as it is asked for: with its session and
// its parameters. It is empty when that is no URL.
func Join(base, ref string) string {
	at, err := whatwg.ParseRef(base, EscapeBytes(Trim(ref)))
	if err != nil {
		return ""
	}
	return at.Href(true)
}

// SessionForm returns a path with "*" in place of a segment that may be a session's ID, as
// in /sid-0a1b2c3d4e5f6a7b/page, and whether there is one. It may as well be a page's own
// name: only equal content tells.
func SessionForm(path string) (form string, found bool) {
	if !strings.Contains(path, "/s") && !strings.Contains(path, "/S") { // most
		return path, false
	}
	for _, at := range sessionSegment.FindAllStringSubmatchIndex(path, -1) {
		id := path[at[2]:at[3]]
		if strings.ContainsAny(id, "0123456789") && strings.ContainsFunc(id, func(c rune) bool { return isLetter(byte(c)) }) {
			return path[:at[2]] + "*" + path[at[3]:], true
		}
	}
	return path, false
}

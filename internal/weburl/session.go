package weburl

import (
	"fmt"
	"regexp"
	"strings"
)

// sessionNames are parameters that name a session in well-known software, and the
// least bytes of a value that does: "sid" may well be something else.
var sessionNames = map[string]int{
	"phpsessid": 16, "jsessionid": 16, "sessionid": 16, "session_id": 16, "sid": 16, "oscsid": 16, "xtcsid": 16, "zenid": 16,
	"cfid": 5, "cftoken": 8,
}

// SessionParam returns the name of the first parameter of a URL's path (";" before
// it) or query that is a session's ID, as it is written, and a pattern for it;
// empty when there is none.
func SessionParam(target string) (name, pattern string) {
	for {
		mark := strings.IndexAny(target, "?&;")
		if mark < 0 {
			return "", ""
		}
		target = target[mark+1:]
		name, value, found := strings.Cut(target, "=")
		if least := leastSession(name); found && least > 0 {
			if end := strings.IndexAny(value, "&;/?"); end >= 0 {
				value = value[:end]
			}
			if len(value) >= least && isSession(value) {
				return name, fmt.Sprintf(`[?&;]%s=[\w.!~,-]{%d}`, regexp.QuoteMeta(name), least)
			}
		}
	}
}

func leastSession(name string) int {
	if len(name) > 24 { // longer than any of them
		return 0
	}
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "aspsessionid") {
		return 16
	}
	return sessionNames[name]
}

func isSession(value string) bool {
	digit := false
	for i := range len(value) {
		c := value[i]
		if !isLetter(c) && !isDigit(c) && strings.IndexByte("-_.!~,", c) < 0 {
			return false
		}
		digit = digit || isDigit(c)
	}
	return digit
}

package pdf

import (
	"strings"
	"time"
)

// date reads a date of ISO 32000-1, section 7.9.4: D:YYYYMMDDHHmmSSOHH'mm', of
// which all but the year may be missing; some programs leave out "D:". It returns
// the zero time where there is none.
func date(s string) time.Time {
	s = strings.TrimPrefix(strings.TrimSpace(s), "D:")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	digits = min(digits, len("20060102150405"))
	if digits < 4 {
		return time.Time{}
	}
	digits -= digits % 2
	at, err := time.ParseInLocation("20060102150405"[:digits], s[:digits], zone(s[digits:]))
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// zone reads +HH'mm', +HH or their likes behind a minus; anything else is UTC.
func zone(s string) *time.Location {
	s = strings.ReplaceAll(s, "'", "")
	for _, layout := range [...]string{"-0700", "-07"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.Location()
		}
	}
	return time.UTC
}

package sitemap

import (
	"bytes"
	"net/mail"
	"strings"
	"time"
)

// parseDate returns a W3C date, in any of its precisions, or an RFC 822
// one (RSS) in Unix seconds; 0 when text is neither. A time without zone is
// taken as UTC.
func parseDate(text []byte) int64 {
	if at, ok := parseW3CDate(text); ok {
		return max(at, 0)
	}
	if at, err := mail.ParseDate(numericZone(string(text))); err == nil {
		return max(at.Unix(), 0)
	}
	return 0
}

// parseW3CDate reads YYYY[-MM[-DD[Thh:mm[:ss[.s]][zone]]]].
func parseW3CDate(text []byte) (unix int64, ok bool) {
	parts := [6]int{0, 1, 1, 0, 0, 0} // year to second
	widths := [6]int{4, 2, 2, 2, 2, 2}
	before := [6]string{"", "-", "-", "Tt ", ":", ":"}
	n := 0
	for ; n < len(parts); n++ {
		rest := text
		if n > 0 {
			if len(rest) == 0 || strings.IndexByte(before[n], rest[0]) < 0 {
				break
			}
			rest = rest[1:]
		}
		number, found := leadingNumber(rest, widths[n])
		if !found {
			return 0, false
		}
		parts[n], text = number, rest[widths[n]:]
	}
	if n == 4 { // an hour without minutes
		return 0, false
	}
	if n == 6 && len(text) > 0 && text[0] == '.' {
		text = bytes.TrimLeft(text[1:], "0123456789")
	}
	zone, ok := zoneSeconds(bytes.TrimLeft(text, " "))
	at := time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], 0, time.UTC)
	if !ok || n < 4 && len(text) > 0 || at.Day() != parts[2] || int(at.Month()) != parts[1] || parts[3] > 23 || parts[4] > 59 {
		return 0, false
	}
	return at.Unix() - int64(zone), true
}

// leadingNumber returns the number that the first width bytes of text are.
func leadingNumber(text []byte, width int) (n int, ok bool) {
	if len(text) < width {
		return 0, false
	}
	for _, c := range text[:width] {
		if !isDigit(c) {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// zoneSeconds returns the offset that a zone of the form Z, ±hh:mm or ±hhmm
// stands for.
func zoneSeconds(zone []byte) (seconds int, ok bool) {
	if len(zone) == 0 || string(zone) == "Z" || string(zone) == "z" {
		return 0, true
	}
	hours, ok1 := leadingNumber(zone[1:], 2)
	if !ok1 || hours > 23 || zone[0] != '+' && zone[0] != '-' {
		return 0, false
	}
	minutes, ok2 := leadingNumber(bytes.TrimPrefix(zone[3:], []byte(":")), 2)
	if !ok2 || minutes > 59 {
		return 0, false
	}
	seconds = hours*3600 + minutes*60
	if zone[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// numericZone puts the offset in place of a zone that RFC 822 names, which
// time.Parse would take as UTC.
func numericZone(date string) string {
	space := strings.LastIndexByte(date, ' ')
	offset := ""
	switch date[space+1:] {
	case "UT", "UTC", "Z":
		offset = "+0000"
	case "EDT":
		offset = "-0400"
	case "EST", "CDT":
		offset = "-0500"
	case "CST", "MDT":
		offset = "-0600"
	case "MST", "PDT":
		offset = "-0700"
	case "PST":
		offset = "-0800"
	default:
		return date
	}
	return date[:space+1] + offset
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

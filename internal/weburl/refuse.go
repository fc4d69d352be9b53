package weburl

import (
	"fmt"
	"strings"
)

// refuseURL returns the error for a URL that has no canonical form. The message
// holds no user information, whatever raw is.
func refuseURL(raw, why string) error {
	return fmt.Errorf("make URL %.200q canonical: %s", HideUser(raw), why)
}

// HideUser returns raw without the user name and password that may be in it.
func HideUser(raw string) string {
	raw = bareURL(raw)
	from, to := authority(raw)
	if at := strings.LastIndexByte(raw[from:to], '@'); at >= 0 {
		return raw[:from] + "…" + raw[from+at:]
	}
	return raw
}

// addressSpelling reports whether the host in raw, which the parser took for
// an IP address, has only what addresses are made of. The parser also takes
// signs in the numbers of an IPv4 address ("1.2.3.-4" becomes 1.2.2.252) and
// doubled brackets around an IPv6 one; the standard doesn't.
func addressSpelling(raw string) bool {
	raw = bareURL(raw)
	from, to := authority(raw)
	host := raw[from:to]
	host = host[strings.LastIndexByte(host, '@')+1:]
	return strings.Trim(host, "0123456789abcdefABCDEFxX.:[]") == "" && strings.Count(host, "[") <= 1 && strings.Count(host, "]") <= 1
}

// authority returns where user information, host and port stand in raw.
func authority(raw string) (from, to int) {
	from = schemeLen(raw)
	for from < len(raw) && (raw[from] == '/' || raw[from] == '\\') {
		from++
	}
	if end := strings.IndexAny(raw[from:], `/\?#`); end >= 0 {
		return from, from + end
	}
	return from, len(raw)
}

// Scheme returns the scheme that s starts with, with its colon, as it is written; empty
// when there is none.
func Scheme(s string) string { return s[:schemeLen(s)] }

// schemeLen returns the length of the scheme that s starts with, with its
// colon; 0 when there is none.
func schemeLen(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case isLetter(c):
		case i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// bareURL removes what the standard removes from a URL before it reads it.
func bareURL(s string) string {
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(Trim(s))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

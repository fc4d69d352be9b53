package weburl

import (
	"net/netip"
	"strconv"
	"strings"
)

// joinPlain returns what ref means on the page base, if joining the two as text is all
// that the standard's parser would do. Most links are so plain, and the parser takes
// 20 times as long for them.
func joinPlain(base, ref string) (string, bool) {
	ref, _, _ = strings.Cut(ref, "#")
	origin := originLen(base)
	if origin == 0 || strings.HasPrefix(ref, "//") {
		return absolutePlain(Scheme(base) + ref)
	}
	switch {
	case ref == "":
		return base, true
	case ref[0] == '/':
		return base[:origin] + ref, isPlainPath(ref)
	case ref[0] == '?':
		return withoutQuery(base) + ref, isPlainPath(ref)
	case strings.HasPrefix(ref, base[:origin]) && len(ref) > origin && ref[origin] == '/':
		return ref, isPlainPath(ref[origin:])
	case strings.IndexByte(ref, ':') >= 0:
		return absolutePlain(ref)
	}
	folder := base[:strings.LastIndexByte(withoutQuery(base), '/')+1]
	for strings.HasPrefix(ref, "../") && len(folder) > origin+1 {
		folder, ref = folder[:strings.LastIndexByte(folder[:len(folder)-1], '/')+1], ref[len("../"):]
	}
	return folder + ref, isPlainPath("/" + ref)
}

func absolutePlain(raw string) (string, bool) {
	origin := plainOrigin(raw)
	return raw, origin > 0 && isPlainPath(raw[origin:])
}

func withoutQuery(s string) string {
	path, _, _ := strings.Cut(s, "?")
	return path
}

// isPlainPath reports whether the parser would copy s, a path with or without a query,
// unchanged.
func isPlainPath(s string) bool {
	query := false
	for i := range len(s) {
		switch c := s[i]; {
		case isLetter(c), isDigit(c), strings.IndexByte("-._~!$&()*+,;=:@", c) >= 0:
		case c == '/':
			if !query && i+1 < len(s) && s[i+1] == '.' {
				return false // may be a dot segment
			}
		case c == '%':
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) || !query && s[i+1] == '2' && s[i+2]|0x20 == 'e' {
				return false // no escape, or that of a dot
			}
		case c == '?':
			query = true
		default:
			return false
		}
	}
	return true
}

// plainOrigin returns the length of the origin of s if the parser would copy it
// unchanged and a path follows; else 0.
func plainOrigin(s string) int {
	rest, secure := strings.CutPrefix(s, "https://")
	if !secure {
		rest, _ = strings.CutPrefix(s, "http://")
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 || len(rest) == len(s) {
		return 0
	}
	host, port, hasPort := strings.Cut(rest[:slash], ":")
	if !isPlainHost(host) || hasPort && !isPlainPort(port, secure) {
		return 0
	}
	return len(s) - len(rest) + slash
}

// isPlainHost reports whether host is a lower-case ASCII name without internationalised
// labels, or an IPv4 address in its usual form.
func isPlainHost(host string) bool {
	label := 0 // where the label begins
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z' || isDigit(c) || c == '-':
		case c == '.' && i > label:
			label = i + 1
		default:
			return false
		}
	}
	if label == len(host) || strings.Contains(host, "xn--") {
		return false
	}
	if isLetter(host[label]) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Is4()
}

func isPlainPort(port string, secure bool) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && port[0] != '0' && (secure && n != 443 || !secure && n != 80)
}

package weburl

import (
	"net/netip"
	"strconv"
	"strings"
)

// The cheap path: references so plain that the standard's parser would only
// copy them. It answers the same as the full path, or not at all.

// resolvePlain returns what ref means on the page base when both can be joined
// as text.
func (c *Canonicalizer) resolvePlain(base, ref string) (string, bool) {
	origin := originLen(base)
	switch {
	case origin == 0:
		return "", false
	case ref == "" || ref[0] == '#':
		return base, true
	case strings.HasPrefix(ref, "//"):
		return c.absolutePlain(base[:strings.IndexByte(base, ':')+1] + ref)
	case ref[0] == '/':
		return c.joinPlain(base[:origin], ref)
	case ref[0] == '?':
		return c.joinPlain(withoutQuery(base), ref)
	case strings.HasPrefix(ref, base[:origin]) && len(ref) > origin && ref[origin] == '/':
		return c.keepPlain(ref, origin)
	case strings.IndexByte(ref, ':') >= 0:
		return c.absolutePlain(ref)
	}
	dir, rest := climb(base, origin, ref)
	if strings.HasPrefix(rest, ".") {
		return "", false
	}
	return c.joinPlain(dir, rest)
}

func (c *Canonicalizer) absolutePlain(raw string) (string, bool) {
	origin := plainOrigin(raw)
	if origin == 0 {
		return "", false
	}
	return c.keepPlain(raw, origin)
}

func (c *Canonicalizer) joinPlain(head, tail string) (string, bool) {
	end, ok := plainEnd(tail)
	if !ok {
		return "", false
	}
	return c.dropParams(head + tail[:end]), true
}

func (c *Canonicalizer) keepPlain(raw string, origin int) (string, bool) {
	end, ok := plainEnd(raw[origin:])
	if !ok {
		return "", false
	}
	return c.dropParams(raw[:origin+end]), true
}

// climb returns the folder that the "./" and "../" at the start of ref lead to
// from the page base, and what of ref is left.
func climb(base string, origin int, ref string) (dir, rest string) {
	dir = parentOf(withoutQuery(base))
	for {
		switch {
		case strings.HasPrefix(ref, "./"):
			ref = ref[2:]
		case strings.HasPrefix(ref, "../"):
			ref = ref[3:]
			if len(dir) > origin+1 {
				dir = parentOf(dir[:len(dir)-1])
			}
		default:
			return dir, ref
		}
	}
}

func parentOf(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

func withoutQuery(s string) string {
	if i := strings.IndexByte(s, '?'); i >= 0 {
		return s[:i]
	}
	return s
}

// plainEnd reports whether the parser would copy s, a path with or without a
// query, unchanged, and where a fragment begins.
func plainEnd(s string) (end int, ok bool) {
	query := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isLetter(c) || isDigit(c) || c == '-' || c == '.' {
			continue
		}
		switch c {
		case '_', '~', '!', '$', '&', '(', ')', '*', '+', ',', ';', '=', ':', '@':
		case '/':
			if !query && i+1 < len(s) && s[i+1] == '.' {
				return 0, false // may be a dot segment
			}
		case '%':
			if !plainEscape(s[i:], query) {
				return 0, false
			}
		case '?':
			query = true
		case '\'':
			if query {
				return 0, false
			}
		case '#':
			return i, true
		default:
			return 0, false
		}
	}
	return len(s), true
}

// plainEscape reports whether s starts with a percent-encoding other than that
// of a dot in a path, which could make a dot segment.
func plainEscape(s string, query bool) bool {
	if len(s) < 3 || !isHex(s[1]) || !isHex(s[2]) {
		return false
	}
	return query || s[1] != '2' || s[2]|0x20 != 'e'
}

// plainOrigin returns the length of the origin of s when the parser would copy
// it unchanged and a path follows; else 0.
func plainOrigin(s string) int {
	rest, secure := strings.CutPrefix(s, "https://")
	if !secure {
		var ok bool
		if rest, ok = strings.CutPrefix(s, "http://"); !ok {
			return 0
		}
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		return 0
	}
	host, port, hasPort := strings.Cut(rest[:slash], ":")
	if !plainHost(host) || hasPort && !plainPort(port, secure) {
		return 0
	}
	return len(s) - len(rest) + slash
}

// plainHost reports whether host is a lower-case ASCII name without
// internationalised labels, or an IPv4 address in its usual form.
func plainHost(host string) bool {
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

func plainPort(port string, secure bool) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || port[0] == '0' {
		return false
	}
	return secure && n != 443 || !secure && n != 80
}

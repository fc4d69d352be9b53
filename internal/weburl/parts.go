package weburl

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// Origin returns scheme://host[:port] of a canonical URL; "" if the text has no origin.
func Origin(canonical string) string { return canonical[:originLen(canonical)] }

// Target returns the path and query of a canonical URL.
func Target(canonical string) string { return canonical[originLen(canonical):] }

// Path returns the path of a canonical URL, as written, without its query.
func Path(canonical string) string { return withoutQuery(Target(canonical)) }

// Host returns the host of a canonical URL, with the port if it has one.
func Host(canonical string) string {
	_, host, _ := strings.Cut(Origin(canonical), "://")
	return host
}

// FolderEnd returns the index after the next slash in the path of a canonical URL, or 0 without such a slash.
// It searches from the index end; if end is 0, from the start of the path. To find all folders, call it with
// 0, and then with each result.
func FolderEnd(canonical string, end int) int {
	if end == 0 {
		end = len(Origin(canonical))
	}
	slash := strings.IndexByte(canonical[end:], '/')
	if slash < 0 || strings.IndexByte(canonical[end:end+slash], '?') >= 0 {
		return 0
	}
	return end + slash + 1
}

func originLen(s string) int {
	scheme := strings.IndexByte(s, ':')
	if scheme < 0 || !strings.HasPrefix(s[scheme:], "://") {
		return 0
	}
	host := scheme + len("://")
	if end := strings.IndexAny(s[host:], "/?#"); end >= 0 {
		return host + end
	}
	return len(s)
}

// ForRequest returns a URL for which net/http sends exactly the path and query of canonical. net/url alone
// would escape "|" in the path and turn "%2F" into a slash, and robots.txt may forbid the changed path.
func ForRequest(canonical string) (*url.URL, error) {
	u, err := url.Parse(canonical)
	if err != nil || u.RequestURI() == Target(canonical) {
		return u, err
	}
	u.Opaque = Path(canonical)
	if strings.HasPrefix(u.Opaque, "//") { // otherwise net/http would take the start of the path for a host
		u.Opaque = "//" + u.Host + u.Opaque
	}
	return u, nil
}

// ConfiguredOrigin returns the origin (RFC 6454) of an address in the configuration, in the same form as
// RequestOrigin. It errs if the address can't be parsed or names no host.
func ConfiguredOrigin(address string) (string, error) {
	u, err := whatwg.Parse(address)
	if err != nil {
		return "", fmt.Errorf("read origin %q: %w", address, err)
	}
	if u.Host() == "" {
		return "", fmt.Errorf("read origin %q: it names no host", address)
	}
	return u.Scheme() + "://" + u.Host(), nil
}

// RequestOrigin returns scheme://host[:port] of u, without the default port of the scheme.
func RequestOrigin(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host
}

// joinPlain resolves the link ref on the page with the URL base without the WHATWG parser, which takes 30
// times as long. It returns false for a link that the parser might change. Most links are simple enough.
func joinPlain(base, ref string) (string, bool) {
	ref, _, _ = strings.Cut(ref, "#")
	if len(ref) > maxPlain {
		return "", false
	}
	origin := originLen(base)
	if origin == 0 || strings.HasPrefix(ref, "//") {
		return absolutePlain(Scheme(base) + ref)
	}
	switch {
	case ref == "":
		return base, true
	case ref[0] == '/':
		return base[:origin] + ref, isPlainPath(ref)
	case strings.HasPrefix(ref, base[:origin]) && len(ref) > origin && ref[origin] == '/':
		return ref, isPlainPath(ref[origin:])
	case strings.IndexByte(ref, ':') >= 0:
		return absolutePlain(ref)
	}
	folder := base[:strings.LastIndexByte(withoutQuery(base), '/')+1]
	return folder + ref, ref[0] != '?' && isPlainPath("/"+ref)
}

// absolutePlain returns raw, and whether raw is an absolute URL that the parser would copy unchanged.
func absolutePlain(raw string) (string, bool) {
	rest, secure := strings.CutPrefix(raw, "https://")
	if !secure {
		rest, _ = strings.CutPrefix(raw, "http://")
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 || len(rest) == len(raw) {
		return raw, false
	}
	host, port, hasPort := strings.Cut(rest[:slash], ":")
	n, err := strconv.ParseUint(port, 10, 16)
	if hasPort && (err != nil || port[0] == '0' || secure && n == 443 || !secure && n == 80) {
		return raw, false
	}
	return raw, isPlainHost(host) && isPlainPath(rest[slash:])
}

func withoutQuery(s string) string {
	path, _, _ := strings.Cut(s, "?")
	return path
}

// isPlainPath reports whether the parser would copy s, a path with or without a query, unchanged.
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
				return false // invalid percent-encoding, or a percent-encoded dot
			}
		case c == '?':
			query = true
		default:
			return false
		}
	}
	return true
}

// isPlainHost reports whether host is a lower-case ASCII name without "xn--", or a dotted IPv4 address.
func isPlainHost(host string) bool {
	special := func(c rune) bool { return !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.') }
	last := host[strings.LastIndexByte(host, '.')+1:]
	switch {
	case last == "" || host[0] == '.' || strings.Contains(host, ".."):
		return false
	case strings.Contains(host, "xn--") || strings.ContainsFunc(host, special):
		return false
	case isLetter(last[0]):
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Is4()
}

// Normalize returns s in the form in which paths of rules and of URLs are compared (RFC 9309, section 2.2.2).
// It decodes characters that need no percent-encoding, and encodes all others. An encoded character stays
// encoded if it would mean something else: "/" in a path, and "?", "&", "=", "+" and "#" anywhere. query says
// that s begins inside a query.
func Normalize(s string, query bool) string {
	encodes := func(r rune) bool { return r >= utf8.RuneSelf || !staysBare(byte(r), false, false) }
	if !strings.ContainsFunc(s, encodes) {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); i++ {
		c, encoded := s[i], false
		if c == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				c, encoded, i = byte(n), true, i+2
			}
		}
		query = query || c == '?' && !encoded
		if staysBare(c, encoded, query) {
			out = append(out, c)
		} else {
			out = fmt.Appendf(out, "%%%02X", c)
		}
	}
	return string(out)
}

func staysBare(c byte, encoded, query bool) bool {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("-._~:@!$'()*,;[]", c) >= 0:
		return true
	case c == '/':
		return !encoded || query
	}
	return !encoded && strings.IndexByte("?&=+#", c) >= 0
}

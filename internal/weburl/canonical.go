package weburl

import (
	"fmt"
	neturl "net/url"
	"regexp"
	"slices"
	"strings"

	whatwgerr "github.com/nlnwa/whatwg-url/errors"
	whatwg "github.com/nlnwa/whatwg-url/url"
)

// MaxLen is the longest canonical URL, in bytes. The index accepts IDs up to this length.
const MaxLen = 512

const (
	maxRawURL = 4 * MaxLen // longest URL to parse: the time grows with the square of its length
	maxPlain  = 64 << 10
)

// Canonicalizer turns every spelling of a URL into one canonical URL, which identifies a document. It
// serialises the URL by the WHATWG URL standard. It drops the fragment, an empty query, ignored parameters,
// and session IDs in the path. It keeps letter case in path and query, parameter order, trailing slashes and
// percent-encodings such as %2F.
type Canonicalizer struct {
	parser whatwg.Parser
	ignore []Wildcard
	home   func(origin string) string
}

// NewCanonicalizer returns a Canonicalizer that drops a query parameter if its name, as written in the URL,
// matches one of ignoreParams. In ignoreParams, "*" stands for any text, and case matters.
func NewCanonicalizer(ignoreParams []string) *Canonicalizer {
	c := &Canonicalizer{
		// The URL standard percent-encodes "^" in paths since 2025. The parser does not do so by default.
		parser: whatwg.NewParser(whatwg.WithPathPercentEncodeSet(whatwg.PathPercentEncodeSet.Set('^'))),
	}
	for _, pattern := range ignoreParams {
		if pattern != "" {
			c.ignore = append(c.ignore, NewWildcard(pattern, true))
		}
	}
	return c
}

// WithHome returns a Canonicalizer that replaces each origin by home(origin). If home returns "", the origin
// stays.
func (c *Canonicalizer) WithHome(home func(origin string) string) *Canonicalizer {
	with := *c
	with.home = home
	return &with
}

// URL returns the canonical URL of the absolute URL raw. It errs if raw is no valid URL, is not http or
// https, or holds a user name or password. It also errs if the canonical URL is longer than MaxLen or would
// change when it is parsed again.
func (c *Canonicalizer) URL(raw string) (string, error) { return c.Resolve("", raw) }

// Resolve returns the canonical URL of the link ref on the page with the canonical URL base. It errs as URL
// does.
func (c *Canonicalizer) Resolve(base, ref string) (string, error) {
	ref = Trim(ref)
	if plain, ok := joinPlain(base, ref); ok {
		return c.atHome(c.dropParams(dropSessions(plain)))
	}
	return c.parse(base, ref)
}

func (c *Canonicalizer) parse(base, raw string) (string, error) {
	raw = EscapeBytes(raw)
	if fragment := strings.IndexByte(raw, '#'); fragment >= 0 {
		raw = raw[:fragment+1]
	}
	if from, to := authority(raw); len(raw) > maxRawURL || to-from > MaxLen {
		return "", refuseURL(raw, fmt.Sprintf("it has %d bytes, the index takes URLs up to %d", len(raw), MaxLen))
	}
	u, err := c.parser.ParseRef(base, raw)
	switch why := whatwgerr.Type(err); {
	case err != nil && why == whatwgerr.MissingSchemeNonRelativeURL:
		return "", refuseURL(raw, "it is missing a scheme; write the whole address, beginning with https:// or http://")
	case err != nil:
		return "", refuseURL(raw, string(why))
	}
	switch {
	case u.Scheme() != "http" && u.Scheme() != "https":
		return "", refuseURL(raw, fmt.Sprintf("its scheme is %.20s, not http or https", u.Scheme()))
	case u.Username() != "" || u.Password() != "":
		return "", refuseURL(raw, "it holds a user name or password; give those under [[fetch.auth]]")
	}
	canonical := c.dropParams(dropSessions(u.Href(true)))
	if _, plain := absolutePlain(canonical); !plain {
		if again, err := c.parser.Parse(canonical); err != nil || again.Href(false) != canonical {
			return "", refuseURL(raw, "its canonical form changes when it is read again")
		}
	}
	return c.atHome(canonical)
}

func (c *Canonicalizer) atHome(canonical string) (string, error) {
	if c.home != nil {
		if home := c.home(Origin(canonical)); home != "" {
			canonical = home + Target(canonical)
		}
	}
	if len(canonical) > MaxLen {
		why := fmt.Sprintf("its canonical form has %d bytes, the index takes URLs up to %d", len(canonical), MaxLen)
		return "", refuseURL(canonical, why)
	}
	return canonical, nil
}

// EscapeBytes percent-encodes the bytes of s that are not valid UTF-8, as browsers do with a Location header.
func EscapeBytes(s string) string {
	return replacement.ReplaceAllStringFunc(s, func(c string) string {
		if len(c) > 1 { // c is U+FFFD itself, not an invalid byte
			return c
		}
		return fmt.Sprintf("%%%02X", c[0])
	})
}

// replacement matches U+FFFD and each byte that is not valid UTF-8.
var replacement = regexp.MustCompile("\uFFFD")

var beyondASCII = regexp.MustCompile(`[^\x00-\x7F]+`)

// EncodeQuery converts the non-ASCII letters in the query of the link ref with encode, and percent-encodes
// the result (WHATWG URL, "percent-encode after encoding"). If encode returns ASCII bytes, EncodeQuery
// percent-encodes more of them than the standard does.
func EncodeQuery(ref string, encode func(letters string) string) string {
	url, _, _ := strings.Cut(ref, "#")
	path, query, found := strings.Cut(url, "?")
	if !found {
		return ref
	}
	escape := func(letters string) string { return neturl.QueryEscape(encode(letters)) }
	return path + "?" + beyondASCII.ReplaceAllStringFunc(query, escape)
}

// Trim removes control characters and spaces from both ends of a URL, as the WHATWG URL standard does.
func Trim(s string) string {
	return strings.TrimFunc(s, func(c rune) bool { return c <= ' ' })
}

func (c *Canonicalizer) dropParams(s string) string {
	path, query, found := strings.Cut(s, "?")
	if !found || query != "" && len(c.ignore) == 0 {
		return s
	}
	params := slices.DeleteFunc(strings.Split(query, "&"), func(param string) bool {
		name, _, _ := strings.Cut(param, "=")
		return slices.ContainsFunc(c.ignore, func(pattern Wildcard) bool { return pattern.Match(name) })
	})
	query = strings.Join(params, "&")
	if query == "" {
		return path
	}
	return path + "?" + query
}

func refuseURL(raw, why string) error {
	return fmt.Errorf("URL %.200q can't be used: %s", HideUser(raw), why)
}

// HideUser returns raw with "…" in place of a user name and password.
func HideUser(raw string) string {
	raw = bareURL(raw)
	from, to := authority(raw)
	if at := strings.LastIndexByte(raw[from:to], '@'); at >= 0 {
		return raw[:from] + "…" + raw[from+at:]
	}
	return raw
}

// NamesOther reports whether the link ref names a host other than that of page, which is a canonical URL.
func NamesOther(page, ref string) bool {
	ref = strings.ReplaceAll(bareURL(ref), `\`, "/")
	from, to := authority(ref)
	host := ref[from:to][strings.LastIndexByte(ref[from:to], '@')+1:]
	return strings.HasPrefix(ref[len(Scheme(ref)):], "//") && host != "" && !strings.EqualFold(host, Host(page))
}

// authority returns the range of raw that holds user name, password, host and port.
func authority(raw string) (from, to int) {
	from = len(Scheme(raw))
	for from < len(raw) && (raw[from] == '/' || raw[from] == '\\') {
		from++
	}
	if end := strings.IndexAny(raw[from:], `/\?#`); end >= 0 {
		return from, from + end
	}
	return from, len(raw)
}

// Scheme returns the scheme at the start of s, as written, with its colon; "" if s has no scheme.
func Scheme(s string) string {
	for i := range len(s) {
		switch c := s[i]; {
		case isLetter(c):
		case i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return s[:i+1]
		default:
			return ""
		}
	}
	return ""
}

// bareURL removes the characters that the WHATWG URL standard removes before it parses a URL.
func bareURL(s string) string {
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(Trim(s))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

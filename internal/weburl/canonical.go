package weburl

import (
	"fmt"
	neturl "net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	whatwgerr "github.com/nlnwa/whatwg-url/errors"
	whatwg "github.com/nlnwa/whatwg-url/url"
)

// MaxLen is the longest canonical URL in bytes: the index takes no longer ID.
const MaxLen = 512

// maxRawURL bounds what the parser is given, whose time grows with the square
// of its input. Dot segments and ignored parameters can make a long spelling
// of a short URL, but not this long.
const maxRawURL = 4 * MaxLen

// maxPlain bounds a spelling that needs no parser: it is copied.
const maxPlain = 64 << 10

// Canonicalizer turns the spellings of a URL into its canonical one, the identity of a
// document: the serialisation of the WHATWG URL standard without fragment, empty query,
// ignored parameters and session IDs in the path. Case, the order of parameters, trailing
// slashes and percent-encodings such as %2F stay as they are.
type Canonicalizer struct {
	parser whatwg.Parser
	ignore []Wildcard
	home   func(origin string) string // may be nil; see WithHome
}

// NewCanonicalizer returns a Canonicalizer that drops the query parameters
// whose name, as written in the URL, matches one of ignoreParams; "*" stands
// for any text, case counts.
func NewCanonicalizer(ignoreParams []string) *Canonicalizer {
	c := &Canonicalizer{
		// The standard has encoded "^" in paths since 2025; the parser's own set hasn't.
		parser: whatwg.NewParser(whatwg.WithPathPercentEncodeSet(whatwg.PathPercentEncodeSet.Set('^'))),
	}
	for _, pattern := range ignoreParams {
		if pattern != "" {
			c.ignore = append(c.ignore, NewWildcard(pattern, true))
		}
	}
	return c
}

// WithHome returns a Canonicalizer that puts home(origin) in the place of an origin,
// unless that is empty.
func (c *Canonicalizer) WithHome(home func(origin string) string) *Canonicalizer {
	with := *c
	with.home = home
	return &with
}

// URL returns the canonical URL of the absolute URL raw. It errs, naming why,
// when raw is no valid URL, is not http or https, holds a user name or
// password, is over MaxLen bytes, or has no stable form.
func (c *Canonicalizer) URL(raw string) (string, error) { return c.Resolve("", raw) }

// Resolve returns the canonical URL of ref as it stands in a page whose
// canonical URL is base. It errs as URL does.
func (c *Canonicalizer) Resolve(base, ref string) (string, error) {
	ref = Trim(ref)
	if plain, ok := joinPlain(base, ref); ok {
		return c.atHome(base, c.dropParams(dropSessions(plain)))
	}
	return c.parse(base, ref)
}

// parse is the full path: the standard's parser, then what we add to it.
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
	switch { // a valid URL, but not the address of a document
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
	return c.atHome(base, canonical)
}

// atHome replaces the origin of a canonical URL by its home and checks the length. Most
// links are on the origin of the page base, which is its own home.
func (c *Canonicalizer) atHome(base, canonical string) (string, error) {
	if n := originLen(base); c.home != nil && (n == 0 || len(canonical) <= n || canonical[n] != '/' || canonical[:n] != base[:n]) {
		if home := c.home(Origin(canonical)); home != "" {
			canonical = home + Target(canonical)
		}
	}
	if len(canonical) > MaxLen {
		return "", refuseURL(canonical, fmt.Sprintf("its canonical form has %d bytes, the index takes URLs up to %d", len(canonical), MaxLen))
	}
	return canonical, nil
}

// EscapeBytes percent-encodes the bytes of s that are no UTF-8, as they are: so browsers ask
// for what a header names in another encoding.
func EscapeBytes(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		if c == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "%%%02X", s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

var beyondASCII = regexp.MustCompile(`[^\x00-\x7F]+`)

// EncodeQuery percent-encodes the letters beyond ASCII in the query of ref, a link as it
// stands in a page, in the bytes that encode makes of them (WHATWG URL, "percent-encode after
// encoding"). Of those bytes that are ASCII more are encoded than there, as servers do it.
func EncodeQuery(ref string, encode func(letters string) string) string {
	url, _, _ := strings.Cut(ref, "#")
	path, query, found := strings.Cut(url, "?")
	if !found {
		return ref
	}
	escape := func(letters string) string { return neturl.QueryEscape(encode(letters)) }
	return path + "?" + beyondASCII.ReplaceAllStringFunc(query, escape)
}

// Trim cuts what the standard cuts from both ends of a URL: controls
// and spaces.
func Trim(s string) string {
	return strings.TrimFunc(s, func(c rune) bool { return c <= ' ' })
}

// dropParams removes the ignored parameters of s, and a query that is empty.
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

// refuseURL returns the error for a URL that has no canonical form. The message
// holds no user information, whatever raw is.
func refuseURL(raw, why string) error {
	return fmt.Errorf("URL %.200q can't be used: %s", HideUser(raw), why)
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

// NamesOther reports whether the link ref names a host, and one that is not that of the canonical
// URL of its page: such an address is never one of the page's own site.
func NamesOther(page, ref string) bool {
	ref = strings.ReplaceAll(bareURL(ref), `\`, "/")
	from, to := authority(ref)
	host := ref[from:to][strings.LastIndexByte(ref[from:to], '@')+1:]
	return strings.HasPrefix(ref[len(Scheme(ref)):], "//") && host != "" && !strings.EqualFold(host, Host(page))
}

// authority returns where user information, host and port stand in raw.
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

// Scheme returns the scheme that s starts with, with its colon, as it is written; empty
// when there is none.
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

// bareURL removes what the standard removes from a URL before it reads it.
func bareURL(s string) string {
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(Trim(s))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

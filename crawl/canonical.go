package crawl

import (
	"fmt"
	"strings"

	whatwgerr "github.com/nlnwa/whatwg-url/errors"
	whatwg "github.com/nlnwa/whatwg-url/url"
)

// MaxURL is the longest canonical URL in bytes: the index takes no longer ID.
const MaxURL = 512

// maxRawURL bounds what the parser is given, whose time grows with the square
// of its input. Dot segments and ignored parameters can make a long spelling
// of a short URL, but not this long.
const maxRawURL = 4 * MaxURL

// Canonicalizer turns the spellings of a URL into its canonical one, the
// identity of a document: the serialisation of the WHATWG URL standard without
// fragment, empty query and ignored parameters. Case, the order of parameters,
// trailing slashes and percent-encodings such as %2F stay as they are.
// It is immutable and safe for concurrent use.
type Canonicalizer struct {
	parser whatwg.Parser
	ignore []wildcard
	home   func(origin string) string // the origin that another one stands for, "" for itself; may be nil
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
			c.ignore = append(c.ignore, newWildcard(pattern, true))
		}
	}
	return c
}

// URL returns the canonical URL of the absolute URL raw. It errs, naming why,
// when raw is no valid URL, is not http or https, holds a user name or
// password, is over MaxURL bytes, or has no stable form.
func (c *Canonicalizer) URL(raw string) (string, error) {
	raw = trimURLSpace(raw)
	if origin := plainOrigin(raw); origin > 0 {
		if plain, ok := c.keepPlain(raw, origin); ok {
			return c.settle("", plain)
		}
	}
	return c.parse("", raw)
}

// Resolve returns the canonical URL of ref as it stands in a page whose
// canonical URL is base. It errs as URL does. Plain references, which most
// are, cost no parse.
func (c *Canonicalizer) Resolve(base, ref string) (string, error) {
	ref = trimURLSpace(ref)
	if plain, ok := c.resolvePlain(base, ref); ok {
		return c.settle(base, plain)
	}
	return c.parse(base, ref)
}

// Origin returns scheme://host[:port] of a canonical URL.
func Origin(canonical string) string { return canonical[:originLen(canonical)] }

// PathOf returns the path of a canonical URL, with its query.
func PathOf(canonical string) string { return canonical[originLen(canonical):] }

func originLen(s string) int {
	scheme := strings.IndexByte(s, ':')
	if scheme < 0 || !strings.HasPrefix(s[scheme:], "://") {
		return 0
	}
	host := scheme + len("://")
	if slash := strings.IndexByte(s[host:], '/'); slash >= 0 {
		return host + slash
	}
	return len(s)
}

// parse is the full path: the standard's parser, then what we add to it.
func (c *Canonicalizer) parse(base, raw string) (string, error) {
	if fragment := strings.IndexByte(raw, '#'); fragment >= 0 {
		raw = raw[:fragment+1]
	}
	if from, to := authority(raw); len(raw) > maxRawURL || to-from > MaxURL {
		return "", refuseURL(raw, fmt.Sprintf("it has %d bytes, the index takes URLs up to %d", len(raw), MaxURL))
	}
	u, err := c.parser.ParseRef(base, raw)
	if err != nil {
		return "", refuseURL(raw, string(whatwgerr.Type(err)))
	}
	if why := unfit(u, raw); why != "" {
		return "", refuseURL(raw, why)
	}
	canonical := c.dropParams(u.Href(true))
	if !c.stable(canonical) {
		return "", refuseURL(raw, "its canonical form changes when it is read again")
	}
	return c.settle(base, canonical)
}

// settle puts the origin that is meant before the path of a canonical URL. What is on
// the origin of the page base, as most links are, stays there.
func (c *Canonicalizer) settle(base, canonical string) (string, error) {
	if n := originLen(base); c.home != nil && (n == 0 || len(canonical) <= n || canonical[n] != '/' || canonical[:n] != base[:n]) {
		if home := c.home(Origin(canonical)); home != "" {
			canonical = home + PathOf(canonical)
		}
	}
	return checkURLLength(canonical)
}

// unfit says why a valid URL can't be the address of a document; empty when
// it can.
func unfit(u *whatwg.Url, raw string) string {
	switch {
	case u.Scheme() != "http" && u.Scheme() != "https":
		return fmt.Sprintf("its scheme is %s, not http or https", clip(u.Scheme(), 20))
	case u.Username() != "" || u.Password() != "":
		return "it holds a user name or password; give those under [[fetch.auth]]"
	case (u.IsIPv4() || u.IsIPv6()) && !addressSpelling(raw):
		return "its host is an odd spelling of an address"
	}
	return ""
}

// stable reports whether canonical is its own canonical form.
func (c *Canonicalizer) stable(canonical string) bool {
	if origin := plainOrigin(canonical); origin > 0 {
		if _, ok := c.keepPlain(canonical, origin); ok {
			return true
		}
	}
	again, err := c.parser.Parse(canonical)
	return err == nil && again.Href(false) == canonical
}

func checkURLLength(canonical string) (string, error) {
	if len(canonical) > MaxURL {
		return "", refuseURL(canonical, fmt.Sprintf("its canonical form has %d bytes, the index takes URLs up to %d", len(canonical), MaxURL))
	}
	return canonical, nil
}

// trimURLSpace cuts what the standard cuts from both ends of a URL: controls
// and spaces.
func trimURLSpace(s string) string {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

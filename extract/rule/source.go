package rule

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"
)

// Kind is where a source looks.
type Kind string

// The kinds of sources, as they stand before the colon.
const (
	CSS        Kind = "css"        // elements by Select: their text, or the attribute Name
	Meta       Kind = "meta"       // meta elements named Name, in lower case; of a file, its metadata
	OpenGraph  Kind = "og"         // parsed as Meta, with "og:" before the name
	JSONLD     Kind = "jsonld"     // Path in the page's JSON-LD nodes, of Type if that is given
	Microdata  Kind = "microdata"  // elements by Select, of an item of Type if that is given
	Header     Kind = "header"     // response headers named Name
	Path       Kind = "path"       // segment N of the URL's path
	URL        Kind = "url"        // first group of Regexp in the URL, or the whole match
	Breadcrumb Kind = "breadcrumb" // item N of the breadcrumb trail
	LinkText   Kind = "link-text"  // text of the link by which a file was found
	Const      Kind = "const"      // Name itself
)

// Source is where the values of a field come from.
type Source struct {
	Kind   Kind
	Name   string
	Type   string   // schema.org type, without its address
	Path   []string // keys, outermost first
	N      int      // from 1; negative: from the end, -1 is the last
	Select cascadia.SelectorGroup
	Regexp *regexp.Regexp

	text string
}

// String returns the source as it was written.
func (s Source) String() string { return s.text }

var (
	attrName   = regexp.MustCompile(`^[A-Za-z_:][A-Za-z0-9_:.-]*$`)
	typed      = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9]*)/(.+)$`)
	headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$") // RFC 9110, section 5.6.2
	secret     = regexp.MustCompile(`(?i)^(set-cookie2?|cookie|.*-?authorization|(www|proxy)-authenticate|.*authentication-info)$`)
	fleeting   = regexp.MustCompile(`(?i)^(date|age)$`)
)

// ParseSource reads a source: "css:h1", "css:time@datetime", "meta:author",
// "og:image", "jsonld:author.name", "jsonld:Product/offers.price",
// "microdata:price", "header:X-Section", "path:1", "url:/v([0-9]+)/",
// "breadcrumb:-1", "link-text", "const:News".
func ParseSource(text string) (Source, error) {
	s := Source{text: text}
	if err := checkText(text); err != nil {
		return s, err
	}
	kind, rest, colon := strings.Cut(text, ":")
	s.Kind = Kind(kind)
	if colon == (s.Kind == LinkText) || !s.Kind.known() {
		return s, errors.New("must begin with css:, meta:, og:, jsonld:, microdata:, header:, path:, url:, breadcrumb: or const:, or be link-text")
	}
	rest = strings.TrimSpace(rest)
	if colon && rest == "" {
		return s, fmt.Errorf("must go on after %q", kind+":")
	}
	return s, s.parse(rest)
}

func (k Kind) known() bool {
	switch k {
	case CSS, Meta, OpenGraph, JSONLD, Microdata, Header, Path, URL, Breadcrumb, LinkText, Const:
		return true
	}
	return false
}

func (s *Source) parse(rest string) (err error) {
	switch s.Kind {
	case CSS:
		return s.parseCSS(rest)
	case JSONLD:
		return s.parseJSONLD(rest)
	case Microdata:
		return s.parseMicrodata(rest)
	case Header:
		return s.parseHeader(rest)
	case Path, Breadcrumb:
		s.N, err = strconv.Atoi(rest)
		return must(err == nil && s.N != 0 && s.N >= -99 && s.N <= 99, `count from 1, or from the end with -1, after "`+string(s.Kind)+`:"`)
	case URL:
		s.Regexp, err = compile(rest)
		return err
	case Meta:
		s.Name = strings.ToLower(rest)
	case OpenGraph:
		s.Kind, s.Name = Meta, "og:"+strings.ToLower(rest)
	case Const:
		s.Name = rest
	}
	return nil
}

// parseCSS reads SELECTOR or SELECTOR@ATTRIBUTE. An @ inside the selector is never
// followed by a name alone: what holds it is closed by a quote or a bracket.
func (s *Source) parseCSS(rest string) (err error) {
	selector := rest
	if at := strings.LastIndexByte(rest, '@'); at >= 0 && attrName.MatchString(rest[at+1:]) {
		selector, s.Name = rest[:at], strings.ToLower(rest[at+1:])
	}
	s.Select, err = cascadia.ParseGroup(selector)
	return must(err == nil, `be a CSS selector after "css:", such as "css:.price" or "css:time@datetime"`)
}

func (s *Source) parseJSONLD(rest string) error {
	if m := typed.FindStringSubmatch(rest); m != nil {
		s.Type, rest = m[1], m[2]
	}
	s.Path = strings.Split(rest, ".")
	for _, key := range s.Path {
		if key == "" || strings.Contains(key, "/") || len(s.Path) > 10 {
			return errors.New(`must be keys with dots between them after "jsonld:", ten at most, such as "jsonld:author.name" or "jsonld:Product/offers.price"`)
		}
	}
	return nil
}

func (s *Source) parseMicrodata(rest string) (err error) {
	if m := typed.FindStringSubmatch(rest); m != nil {
		s.Type, rest = m[1], m[2]
	}
	if strings.ContainsAny(rest, " \"\\\n\r\f\t/") {
		return errors.New(`must be the name of an itemprop after "microdata:", such as "microdata:price" or "microdata:Offer/price"`)
	}
	s.Select, err = cascadia.ParseGroup(`[itemprop~="` + rest + `"]`)
	return must(err == nil, `be the name of an itemprop after "microdata:"`)
}

func (s *Source) parseHeader(rest string) error {
	s.Name = rest
	switch {
	case !headerName.MatchString(rest):
		return errors.New(`must be the name of a header after "header:"`)
	case secret.MatchString(rest):
		return errors.New("must name a header that holds no credentials")
	}
	return must(!fleeting.MatchString(rest), "name a header that is not another one with every answer")
}

// compile names the kind of fault alone: a message that quotes the expression may
// quote what environment variables gave.
func compile(expression string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(expression)
	if wrong, ok := errors.AsType[*syntax.Error](err); ok {
		return nil, fmt.Errorf("must hold a regular expression: %s", wrong.Code)
	}
	return re, err
}

package rule

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/http/httpguts"
)

// Kind is the kind of a source: the word before the colon, such as "css" in "css:h1".
type Kind string

const (
	CSS        Kind = "css"        // text of the elements that Select matches, or their attribute Name
	Meta       Kind = "meta"       // contents of meta elements named Name; of a file: metadata named Name
	OpenGraph  Kind = "og"         // parsed as Meta, with "og:" before the name
	JSONLD     Kind = "jsonld"     // values at Path in JSON-LD nodes; only in nodes of Type if it is set
	Microdata  Kind = "microdata"  // values that Select finds; only in items of Type if it is set
	Header     Kind = "header"     // response headers named Name
	Path       Kind = "path"       // segment N of the URL's path
	URL        Kind = "url"        // match of Regexp in the URL, or of its first group if there is one
	Breadcrumb Kind = "breadcrumb" // item N of the breadcrumb trail
	LinkText   Kind = "link-text"  // text of the link through which a file was found
	Const      Kind = "const"      // Name is the value
)

var kinds = [...]Kind{CSS, Meta, OpenGraph, JSONLD, Microdata, Header, Path, URL, Breadcrumb, LinkText, Const}

// Source says where the values of a field come from. Kind decides which of the other fields are set.
type Source struct {
	Kind   Kind
	Name   string
	Type   string   // schema.org type, without the address of the vocabulary; empty: any
	Path   []string // keys in JSON-LD, outermost first
	N      int      // number of a path segment or a breadcrumb item, from 1; -1 is the last one
	Select cascadia.SelectorGroup
	Regexp *regexp.Regexp
}

var (
	attrName = regexp.MustCompile(`^[A-Za-z_:][A-Za-z0-9_:.-]*$`)
	typed    = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9]*)/(.+)$`)
	secret   = regexp.MustCompile(`(?i)^(set-cookie2?|cookie|.*-?authorization|(www|proxy)-authenticate|` +
		`.*authentication-info)$`)
	fleeting = regexp.MustCompile(`(?i)^(date|age)$`)
)

// ParseSource reads a source, such as "css:h1", "css:time@datetime", "meta:author", "og:image",
// "jsonld:Product/offers.price", "microdata:price", "header:X-Section", "path:1", "url:/v([0-9]+)/",
// "breadcrumb:-1", "link-text" or "const:News". Its error begins with "must".
func ParseSource(text string) (s Source, err error) {
	if err := checkText(text); err != nil {
		return s, err
	}
	kind, rest, colon := strings.Cut(text, ":")
	s.Kind, rest = Kind(kind), strings.TrimSpace(rest)
	switch {
	case colon == (s.Kind == LinkText) || !slices.Contains(kinds[:], s.Kind):
		return s, errors.New("must begin with css:, meta:, og:, jsonld:, microdata:, header:, path:, url:, " +
			"breadcrumb: or const:, or be link-text")
	case colon && rest == "":
		return s, fmt.Errorf("must go on after %q", kind+":")
	}
	err = s.parse(rest)
	return s, err
}

func (s *Source) parse(rest string) (err error) {
	if m := typed.FindStringSubmatch(rest); m != nil && (s.Kind == JSONLD || s.Kind == Microdata) {
		s.Type, rest = m[1], m[2]
	}
	switch s.Kind {
	case CSS:
		// The text after an @ inside a selector contains a quote or a bracket, so attrName does not match it.
		if at := strings.LastIndexByte(rest, '@'); at >= 0 && attrName.MatchString(rest[at+1:]) {
			rest, s.Name = rest[:at], strings.ToLower(rest[at+1:])
		}
		s.Select, err = cascadia.ParseGroup(rest)
		return must(err == nil, `be a CSS selector after "css:", such as "css:.price" or "css:time@datetime"`)
	case JSONLD:
		s.Path = strings.Split(rest, ".")
		return must(len(s.Path) <= 10 && !strings.Contains(rest, "/") && !slices.Contains(s.Path, ""),
			`be keys with dots between them after "jsonld:", ten at most, `+
				`such as "jsonld:author.name" or "jsonld:Product/offers.price"`)
	case Microdata:
		if !strings.ContainsAny(rest, " \"\\\n\r\f\t/") {
			s.Select, err = cascadia.ParseGroup(`[itemprop~="` + rest + `"]`)
		}
		return must(err == nil && s.Select != nil,
			`be the name of an itemprop after "microdata:", such as "microdata:price" or "microdata:Offer/price"`)
	case Header:
		s.Name = rest
		return cmp.Or(
			must(httpguts.ValidHeaderFieldName(rest), `be the name of a header after "header:"`),
			must(!secret.MatchString(rest), "name a header that holds no credentials"),
			must(!fleeting.MatchString(rest), "name a header that is not another one with every answer"),
		)
	case Path, Breadcrumb:
		s.N, err = strconv.Atoi(rest)
		return must(err == nil && s.N != 0 && s.N >= -99 && s.N <= 99,
			`count from 1, or from the end with -1, after "`+string(s.Kind)+`:"`)
	case URL:
		s.Regexp, err = compile(rest)
	case Meta:
		s.Name = strings.ToLower(rest)
	case OpenGraph:
		s.Kind, s.Name = Meta, "og:"+strings.ToLower(rest)
	case Const:
		s.Name = rest
	}
	return err
}

// compile compiles a regular expression. Its error does not quote the expression, which may contain values of
// environment variables.
func compile(expression string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(expression)
	if wrong, ok := errors.AsType[*syntax.Error](err); ok {
		return nil, fmt.Errorf("must hold a regular expression: %s", wrong.Code)
	}
	return re, err
}

const (
	maxName = 100
	maxText = 2000
)

var standardFields = [...]string{"Title", "Description", "Content", "Date", "Language", "Category"}

// CheckName errs if a field can't have this name. By section 2.2 of the search service's specification,
// "type" and "id" are not fields, and names are case-sensitive. The error begins with "must".
func CheckName(name string) error {
	for _, own := range standardFields {
		if strings.EqualFold(name, own) {
			return must(name == own,
				"be written "+strconv.Quote(own)+", because the service tells upper and lower case apart")
		}
	}
	beside := strings.EqualFold(name, "type") || strings.EqualFold(name, "id")
	return cmp.Or(
		must(name != "", "not be empty"),
		must(len(name) <= maxName, "be at most "+strconv.Itoa(maxName)+" bytes long"),
		must(strings.TrimSpace(name) == name, "not begin or end with a space"),
		must(utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl), "not hold control characters"),
		must(!beside, "be another name: type and id stand beside a document's fields, not among them"),
		must(!strings.EqualFold(name, "Url"), "be another name: Url is the address by which a document is known"),
	)
}

func checkText(text string) error {
	return cmp.Or(
		must(len(text) <= maxText, "be at most "+strconv.Itoa(maxText)+" bytes long"),
		must(utf8.ValidString(text), "be UTF-8"),
	)
}

func must(ok bool, what string) error {
	if ok {
		return nil
	}
	return errors.New("must " + what)
}

package rule

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/text/unicode/norm"

	"sitesync/extract/markup"
)

// Field is a configured rule for one field of a document.
type Field struct {
	Name      string
	From      []string // sources, tried in order until one gives a value
	Where     Where
	Transform []string
	Map       map[string]string // table of the transform "map"
	Required  bool              // a page without a value of the field is an error
}

// A Where value is the set of URLs to which a rule applies.
type Where struct {
	Patterns []string              // as written in the configuration, for fingerprints
	Match    func(url string) bool // nil: all URLs
}

// Applies reports whether a rule applies to a URL.
func (w *Where) Applies(url string) bool { return w.Match == nil || w.Match(url) }

// Compiled is a Field with its parsed sources and transforms.
type Compiled struct {
	Field
	Sources     []Source
	Fingerprint uint64 // hash of everything in the rule that can change a value
	transforms  []Transform
}

// Compile compiles rules. It errs if a source or transform is invalid. multi, the setting extract.multi,
// changes only Compiled.Fingerprint.
func Compile(fields []Field, multi string) (all []Compiled, err error) {
	for _, f := range fields {
		c := Compiled{Field: f}
		c.Fingerprint = xxhash.Sum64String(
			fmt.Sprintf("%q %q %q %q %t %q", f.Name, f.From, f.Transform, f.Map, f.Required, multi))
		for _, text := range f.From {
			source, err := ParseSource(text)
			if err != nil {
				return nil, fmt.Errorf("extract.field %q: %q %w", f.Name, text, err)
			}
			c.Sources = append(c.Sources, source)
		}
		steps := f.Transform
		if f.Name == "Date" { // a date field holds one day, in the form DayLayout
			steps = slices.Concat(steps, []string{"date", "first"})
		}
		for _, text := range steps {
			transform, err := ParseTransform(text)
			if err != nil {
				return nil, fmt.Errorf("extract.field %q: %q %w", f.Name, text, err)
			}
			c.transforms = append(c.transforms, transform)
		}
		all = append(all, c)
	}
	return all, nil
}

// Transformed applies the rule's transforms to the values of a source. It drops empty values, and values that
// a transform can't read. "date" gives days in zone. "replace" makes no value longer than size bytes.
func (c *Compiled) Transformed(values []string, zone *time.Location, size int) []string {
	for _, transform := range c.transforms {
		if len(values) > 0 {
			values = transform(values, settings{c.Map, zone, size})
		}
	}
	return values
}

// Transform is one step from the values of a source to the values of a field. It may change values in place.
type Transform func(values []string, s settings) []string

type settings struct {
	table map[string]string
	zone  *time.Location
	size  int
}

func each(change func(value string, s settings) string) Transform {
	return func(values []string, s settings) []string {
		for i := range values {
			values[i] = change(values[i], s)
		}
		return slices.DeleteFunc(values, func(value string) bool { return value == "" })
	}
}

// ParseTransform reads a transform, such as "trim", "first", "all:, ", "lower", "replace:/ kr\.?$//", "date",
// "date:D. MMMM YYYY|DD-MM-YYYY", "number", "map" or "max:200". Its error begins with "must".
func ParseTransform(text string) (Transform, error) {
	if err := checkText(text); err != nil {
		return nil, err
	}
	name, rest, colon := strings.Cut(text, ":")
	alone := must(!colon, "be "+strconv.Quote(name)+" alone")
	switch name {
	case "first":
		return func(values []string, _ settings) []string { return values[:1] }, alone
	case "trim":
		return each(func(value string, _ settings) string { return strings.TrimSpace(value) }), alone
	case "lower":
		return each(func(value string, _ settings) string { return strings.ToLower(value) }), alone
	case "number":
		return each(func(value string, _ settings) string { return decimal(value) }), alone
	case "map":
		return each(lookUp), alone
	case "all":
		join := func(values []string, _ settings) []string { return []string{strings.Join(values, rest)} }
		return join, must(colon, `be "all:" and what stands between the values, such as "all:, "`)
	case "replace":
		return parseReplace(rest)
	case "date":
		if colon {
			return parseDate(rest)
		}
		return each(func(value string, s settings) string { return DayOf(value, s.zone, "") }), nil
	case "max":
		most, err := strconv.Atoi(rest)
		clip := func(value string, _ settings) string { return markup.Clip(value, most) }
		return each(clip), must(err == nil && most >= 1, `be "max:" and a number of bytes, at least 1`)
	}
	return nil, errors.New("must begin with all:, replace:, date: or max:, " +
		"or be trim, first, lower, number, date or map")
}

func lookUp(value string, s settings) string {
	for _, key := range [...]string{value, "*"} {
		if to, ok := s.table[key]; ok {
			return to
		}
	}
	return value
}

func parseDate(rest string) (Transform, error) {
	var layouts []Layout
	for one := range strings.SplitSeq(rest, "|") {
		layout, err := parseLayout(one)
		if err != nil {
			return nil, err
		}
		layouts = append(layouts, layout)
	}
	return each(func(value string, _ settings) string {
		for _, layout := range layouts {
			if day, at := layout.find(norm.NFC.String(value)); at >= 0 {
				return FormatDay(day)
			}
		}
		return ""
	}), nil
}

// parseReplace reads /EXPRESSION/TEXT/. Any other sign may take the place of the slashes.
func parseReplace(rest string) (Transform, error) {
	sign, size := utf8.DecodeRuneInString(rest)
	parts := strings.Split(rest[size:], string(sign))
	isSign := sign != '\\' && sign != '$' && (unicode.IsPunct(sign) || unicode.IsSymbol(sign))
	if size == 0 || !isSign || len(parts) != 3 || parts[2] != "" {
		return nil, errors.New(`must be "replace:/EXPRESSION/TEXT/"; ` +
			`where the slash stands in one of them, take another sign for all three`)
	}
	expression, err := compile(parts[0])
	if err != nil {
		return nil, err
	}
	groups := expression.NumSubexp()
	// References $0 to $9 and $$ are rewritten for regexp.Expand, for which "$1x" is a group named 1x. A rule
	// can't contain "${1}", because the configuration takes it for a variable.
	text := reference.ReplaceAllStringFunc(parts[1], func(found string) string {
		group := strings.Trim(found, "$")
		switch {
		case group == "":
			return "$$"
		case int(group[0]-'0') > groups && err == nil:
			err = fmt.Errorf("must not hold $%s: the expression has %d groups", group, groups)
		}
		return "${" + group + "}"
	})
	return each(func(value string, s settings) string {
		return markup.Clip(expression.ReplaceAllString(value, text), max(s.size, len(value)))
	}), err
}

var reference = regexp.MustCompile(`\$[0-9$]?`)

// Numbers at the beginning of a text. The first three forms have a separator between groups of three digits.
var numerals = [...]*regexp.Regexp{
	regexp.MustCompile(`^([1-9][0-9]{0,2}(?:\.[0-9]{3})+)(?:,([0-9]+))?`),
	regexp.MustCompile(`^([1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.([0-9]+))?`),
	regexp.MustCompile(`^([1-9][0-9]{0,2}(?:['’ \x{a0}\x{2009}\x{202f}][0-9]{3})+)(?:[.,]([0-9]+))?`),
	regexp.MustCompile(`^([0-9]+)(?:[.,]([0-9]+))?`),
}

var (
	noDigit  = regexp.MustCompile(`[^0-9]`)
	goesOn   = regexp.MustCompile(`^[.,]?[0-9]`)
	negative = regexp.MustCompile(`(^|[^\pL\pN])[-−]\p{Sc}?$`)
	noWhole  = regexp.MustCompile(`(^|[\s\p{Sc}−-])[.,]$`) // matches the text in front of "50" in ".50"
)

// decimal returns the first number in s as digits with a point before the decimals: "1234.50" for "1.234,50",
// "1,234.50 USD" and "1 234,50". A single point or comma before exactly three digits separates thousands:
// "1.234" is 1234. If the number begins with a zero ("0.123"), the sign separates decimals. decimal returns
// "" if s has no number, or an ambiguous one ("1.2.3").
func decimal(s string) string {
	first := strings.IndexAny(s, "0123456789")
	if first < 0 {
		return ""
	}
	before, number := s[:first], s[first:]
	if noWhole.MatchString(before) {
		before, number = before[:first-1], "0"+s[first-1:]
	}
	for _, numeral := range numerals {
		m := numeral.FindStringSubmatch(number)
		if m == nil || goesOn.MatchString(number[len(m[0]):]) {
			continue
		}
		whole := noDigit.ReplaceAllString(m[1], "")
		digits := cmp.Or(strings.TrimLeft(whole, "0"), "0")
		if m[2] != "" {
			digits += "." + m[2]
		}
		if negative.MatchString(before) && strings.Trim(digits, "0.") != "" {
			digits = "-" + digits
		}
		return digits
	}
	return ""
}

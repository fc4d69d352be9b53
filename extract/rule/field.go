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

// Field is the owner's rule for one field.
type Field struct {
	Name      string
	From      []string // sources, tried in order until one gives a value
	Where     Where
	Transform []string
	Map       map[string]string // table of the transform "map"
	Required  bool              // a page without a value is an error
}

// Where is the set of URLs to which a rule applies.
type Where struct {
	Patterns []string              // as the owner wrote them, for fingerprints
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

// Compile compiles rules. multi is the value of extract.multi. It errs at the first source or transform that can't be
// parsed.
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
		for _, text := range f.Transform {
			transform, err := ParseTransform(text)
			if err != nil {
				return nil, fmt.Errorf("extract.field %q: %q %w", f.Name, text, err)
			}
			c.transforms = append(c.transforms, transform)
		}
		if f.Name == "Date" { // the service compares one day in DayLayout
			c.transforms = append(c.transforms, Transform{Op: Date}, Transform{Op: First})
		}
		all = append(all, c)
	}
	return all, nil
}

// Transformed applies the rule's transforms to the values of a source. Dates become days in zone. Values are cut at
// size bytes. Values that a transform can't read, and empty ones, are dropped.
func (c *Compiled) Transformed(values []string, zone *time.Location, size int) []string {
	for i := range c.transforms {
		if len(values) == 0 {
			break
		}
		switch t := &c.transforms[i]; t.Op {
		case First:
			values = values[:1]
		case All:
			values = []string{strings.Join(values, t.Text)}
		default:
			for j := range values {
				values[j] = c.transformed(t, values[j], zone, size)
			}
			values = slices.DeleteFunc(values, func(value string) bool { return value == "" })
		}
	}
	return values
}

func (c *Compiled) transformed(t *Transform, value string, zone *time.Location, size int) string {
	switch t.Op {
	case Trim:
		return strings.TrimSpace(value)
	case Lower:
		return strings.ToLower(value)
	case Replace:
		return markup.Clip(t.Regexp.ReplaceAllString(value, t.Text), max(size, len(value)))
	case Date:
		if len(t.Layouts) == 0 {
			return DayOf(value, zone, "")
		}
		for _, layout := range t.Layouts {
			if day, at := layout.find(norm.NFC.String(value)); at >= 0 {
				return FormatDay(day)
			}
		}
		return ""
	case Number:
		decimal, _ := Decimal(value)
		return decimal
	case Map:
		for _, key := range [...]string{value, "*"} {
			if to, ok := c.Map[key]; ok {
				return to
			}
		}
	case Max:
		return markup.Clip(value, t.Max)
	}
	return value
}

// Op is the operation of a transform, as written before the colon.
type Op string

const (
	Trim    Op = "trim"    // remove white space at both ends
	First   Op = "first"   // keep the first value only
	All     Op = "all"     // join all values with Text
	Lower   Op = "lower"   // make lower case
	Replace Op = "replace" // replace matches of Regexp by Text, a template of regexp.Expand
	Date    Op = "date"    // read a day by Layouts, or without any by DayOf
	Number  Op = "number"  // see Decimal
	Map     Op = "map"     // look the value up in the rule's table
	Max     Op = "max"     // cut to Max bytes
)

// Transform is one step from the values of a source to the value of a field.
type Transform struct {
	Op      Op
	Text    string
	Regexp  *regexp.Regexp
	Layouts []Layout
	Max     int
}

// ParseTransform reads a transform, such as "trim", "first", "all:, ", "lower", "replace:/ kr\.?$//", "date",
// "date:D. MMMM YYYY|DD-MM-YYYY", "number", "map" or "max:200". Its error begins with "must".
func ParseTransform(text string) (Transform, error) {
	name, rest, colon := strings.Cut(text, ":")
	t := Transform{Op: Op(name)}
	if err := checkText(text); err != nil {
		return t, err
	}
	switch t.Op {
	case Trim, First, Lower, Number, Map:
		return t, must(!colon, "be "+strconv.Quote(name)+" alone")
	case All:
		t.Text = rest
		return t, must(colon, `be "all:" and what stands between the values, such as "all:, "`)
	case Replace:
		return t, t.parseReplace(rest)
	case Date:
		if !colon {
			return t, nil
		}
		for one := range strings.SplitSeq(rest, "|") {
			layout, err := parseLayout(one)
			if err != nil {
				return t, err
			}
			t.Layouts = append(t.Layouts, layout)
		}
		return t, nil
	case Max:
		n, err := strconv.Atoi(rest)
		t.Max = n
		return t, must(err == nil && n >= 1, `be "max:" and a number of bytes, at least 1`)
	}
	return t, errors.New("must begin with all:, replace:, date: or max:, or be trim, first, lower, number, date or map")
}

// parseReplace reads /EXPRESSION/TEXT/, where any other sign may take the place of the slashes.
func (t *Transform) parseReplace(rest string) (err error) {
	sign, size := utf8.DecodeRuneInString(rest)
	parts := strings.Split(rest[size:], string(sign))
	isSign := sign != '\\' && sign != '$' && (unicode.IsPunct(sign) || unicode.IsSymbol(sign))
	if size == 0 || !isSign || len(parts) != 3 || parts[2] != "" {
		return errors.New(`must be "replace:/EXPRESSION/TEXT/"; ` +
			`where the slash stands in one of them, take another sign for all three`)
	}
	t.Regexp, err = compile(parts[0])
	if err != nil {
		return err
	}
	groups := t.Regexp.NumSubexp()
	// References $0 to $9 and $$ are rewritten for regexp.Expand, for which "$1x" is a group named 1x. Owners can't
	// write "${1}", because it is a variable in the configuration.
	t.Text = reference.ReplaceAllStringFunc(parts[1], func(found string) string {
		group := strings.Trim(found, "$")
		switch {
		case group == "":
			return "$$"
		case int(group[0]-'0') > groups && err == nil:
			err = fmt.Errorf("must not hold $%s: the expression has %d groups", group, groups)
		}
		return "${" + group + "}"
	})
	return err
}

var reference = regexp.MustCompile(`\$[0-9$]?`)

// The ways to write a number at the beginning of a text, as a whole part and decimals. The first three have a sign
// between groups of three digits.
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
	noWhole  = regexp.MustCompile(`(^|[\s\p{Sc}−-])[.,]$`) // before the digits of ".50"
)

// Decimal returns the first number in s as digits with a point before the decimals: "1234.50" for "kr. 1.234,50",
// "1,234.50 USD" and "1 234,50". One sign before exactly three digits separates thousands ("1.234" is 1234), unless a
// zero is before it. ok is false if there is no number, or if the number is ambiguous ("1.2.3").
func Decimal(s string) (decimal string, ok bool) {
	first := strings.IndexAny(s, "0123456789")
	if first < 0 {
		return "", false
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
		decimal = cmp.Or(strings.TrimLeft(whole, "0"), "0")
		if m[2] != "" {
			decimal += "." + m[2]
		}
		if negative.MatchString(before) && strings.Trim(decimal, "0.") != "" {
			decimal = "-" + decimal
		}
		return decimal, true
	}
	return "", false
}

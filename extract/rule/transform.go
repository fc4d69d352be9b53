package rule

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Op is what a transform does.
type Op string

// The transforms, as they stand before the colon.
const (
	Trim    Op = "trim"    // white space off both ends
	First   Op = "first"   // the first value alone
	All     Op = "all"     // all values joined with Text
	Lower   Op = "lower"   // lower case
	Replace Op = "replace" // Regexp by Text, a template of regexp.Expand
	Date    Op = "date"    // the day, by Layouts; without: by the forms that pages use for machines
	Number  Op = "number"  // see Decimal
	Map     Op = "map"     // by the rule's table
	Max     Op = "max"     // cut to Max bytes
)

// Transform is one step from the values that a source gave to those of a field.
type Transform struct {
	Op      Op
	Text    string
	Regexp  *regexp.Regexp
	Layouts []Layout
	Max     int

	text string
}

// String returns the transform as it was written.
func (t Transform) String() string { return t.text }

// ParseTransform reads a transform: "trim", "first", "all:, ", "lower",
// "replace:/ kr\.?$//", "date", "date:D. MMMM YYYY|DD-MM-YYYY", "number", "map",
// "max:200".
func ParseTransform(text string) (Transform, error) {
	name, rest, colon := strings.Cut(text, ":")
	t := Transform{Op: Op(name), text: text}
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

// parseReplace reads /EXPRESSION/TEXT/, with any sign in place of the slash.
func (t *Transform) parseReplace(rest string) (err error) {
	sign, size := utf8.DecodeRuneInString(rest)
	parts := strings.Split(rest[size:], string(sign))
	if size == 0 || len(parts) != 3 || parts[2] != "" || !unicode.IsPunct(sign) && !unicode.IsSymbol(sign) || sign == '\\' || sign == '$' {
		return errors.New(`must be "replace:/EXPRESSION/TEXT/"; where the slash stands in one of them, take another sign for all three`)
	}
	if t.Regexp, err = compile(parts[0]); err != nil {
		return err
	}
	t.Text, err = template(parts[1], t.Regexp.NumSubexp())
	return err
}

// template turns $0 to $9 and $$ into what regexp.Expand reads. Its own "$1x" would
// be a group named 1x, and "${1}" is a variable in the configuration.
func template(text string, groups int) (string, error) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "$")
		b.WriteString(before)
		switch {
		case !found:
			return b.String(), nil
		case after != "" && after[0] >= '0' && after[0] <= '9':
			if int(after[0]-'0') > groups {
				return "", fmt.Errorf("must not hold $%c: the expression has %d groups", after[0], groups)
			}
			b.WriteString("${" + after[:1] + "}")
			after = after[1:]
		default:
			b.WriteString("$$")
			after = strings.TrimPrefix(after, "$")
		}
		text = after
	}
}

// The ways to write a number, at the beginning of a text: digits in threes with one
// sign between them and another before the decimals, else digits and decimals.
var numerals = [...]*regexp.Regexp{
	regexp.MustCompile(`^([1-9][0-9]{0,2}(?:\.[0-9]{3})+)(?:,([0-9]+))?`),
	regexp.MustCompile(`^([1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.([0-9]+))?`),
	regexp.MustCompile(`^([1-9][0-9]{0,2}(?:['’ \x{a0}\x{2009}\x{202f}][0-9]{3})+)(?:[.,]([0-9]+))?`),
	regexp.MustCompile(`^([0-9]+)(?:[.,]([0-9]+))?`),
}

var (
	goesOn   = regexp.MustCompile(`^[.,]?[0-9]`)
	negative = regexp.MustCompile(`(^|[^\pL\pN])[-−]\p{Sc}?$`)
	noWhole  = regexp.MustCompile(`(^|[\s\p{Sc}−-])[.,]$`) // ".50"
)

// Decimal returns the first number in s as digits with a point before the decimals:
// "1234.50" for "kr. 1.234,50", "1,234.50 USD" and "1 234,50". One sign before
// exactly three digits divides thousands ("1.234" is 1234), unless it stands after
// a zero. ok is false when there is no number, or one that is not clear ("1.2.3").
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
		whole := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, m[1])
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

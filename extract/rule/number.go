package rule

import (
	"regexp"
	"strings"
)

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
		decimal = digits(m[1])
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

// digits returns the digits of s without those that mean nothing.
func digits(s string) string {
	only := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
	if only = strings.TrimLeft(only, "0"); only == "" {
		return "0"
	}
	return only
}

package office

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// format is a number format (ISO/IEC 29500-1, 18.8.31) by its sections: for all numbers or
// the positive ones, for negative ones, for zero.
type format []section

// section is what a format makes of a number.
type section struct {
	before, pattern, after string // words; digits, or the letters of a date; words
	elapsed                bool   // hours are counted on, over days
}

const maxFormat = 255 // bytes; Excel writes none that is longer

// formatPart finds one part of a format: words, a currency, elapsed time, a colour or a
// condition, room for a character, a half of the day, a name, any character.
var formatPart = regexp.MustCompile(`(?i)"([^"]*)"?|\\(.)|` +
	`\[\$([^\]-]*)[^\]]*\]|\[(h+|m+|s+)\]|\[[^\]]*\]|[_*].|am/pm|a/p|(general)|(.)`)

func formatOf(code string) format {
	if code == "" {
		return nil
	}
	all := format{{}}
	for _, part := range formatPart.FindAllStringSubmatch(code[:min(len(code), maxFormat)], -1) {
		s, words, sign := &all[len(all)-1], part[1]+part[2]+part[3], part[4]+part[5]
		switch {
		case part[6] == ";":
			all = append(all, section{})
			continue
		case part[6] != "" && strings.Contains("0#?.,%ymdhse/@", strings.ToLower(part[6])):
			sign = part[6]
		default:
			words += part[6]
		}
		s.elapsed = s.elapsed || part[4] != ""
		if s.pattern += strings.ToLower(sign); sign != "" {
			s.after = "" // words between digits are left out
		} else if s.pattern == "" {
			s.before += words
		} else {
			s.after += words
		}
	}
	return all
}

// shown returns a number as a cell of that format shows it, a day and a time in the forms of
// ISO 8601 whatever theirs. Days are counted from day zero.
func (f format) shown(value string, zero time.Time) string {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || !(math.Abs(n) < 1e15) {
		return value
	}
	s := section{pattern: "general"}
	switch {
	case n < 0 && len(f) > 1:
		s, n = f[1], -n
	case n == 0 && len(f) > 2:
		s = f[2]
	case len(f) > 0:
		s = f[0]
	}
	switch {
	case strings.ContainsAny(s.pattern, "ymdhs"):
		return s.moment(n, zero)
	case strings.ContainsAny(s.pattern, "e/@"):
		return s.before + general(n) + s.after
	case s.pattern == "":
		return s.before
	}
	return s.before + s.digits(n) + s.after
}

// moment returns a day, a time or both.
func (s section) moment(n float64, zero time.Time) string {
	const day, last = 24 * 60 * 60, 2_958_466 // of year 9999
	if n < 0 || n >= last {
		return general(n)
	}
	seconds := int(math.Round(n * day))
	at := zero.AddDate(0, 0, seconds/day).Add(time.Duration(seconds%day) * time.Second)
	has := func(letter string) bool { return strings.Contains(s.pattern, letter) }
	layout := ""
	switch {
	case has("d"), has("m") && !has("y") && !has("h") && !has("s"):
		layout = "2006-01-02 "
	case has("y") && has("m"):
		layout = "2006-01 "
	case has("y"):
		layout = "2006 "
	}
	switch {
	case s.elapsed && has("h"):
		layout = ":04"
	case has("h"):
		layout += "15:04"
	case has("s"):
		layout += "04"
	}
	if has("s") {
		layout += ":05"
	}
	text := strings.TrimSpace(at.Format(layout))
	if strings.HasPrefix(text, ":") {
		text = strconv.Itoa(seconds/3600) + text
	}
	return text
}

// digits returns a number with the places that the pattern has for it.
func (s section) digits(n float64) string {
	pattern := strings.ReplaceAll(s.pattern, "%", "")
	n *= math.Pow10(2*strings.Count(s.pattern, "%") - 3*(len(pattern)-len(strings.TrimRight(pattern, ","))))
	whole, places, _ := strings.Cut(strings.TrimRight(pattern, ","), ".")
	unit := math.Pow10(min(len(places), 15))
	n = math.Round(n*unit) / unit // a half goes up, as nobody's float does
	text := strconv.FormatFloat(math.Abs(n), 'f', len(places), 64)
	digits, fraction, _ := strings.Cut(text, ".")
	for len(fraction) > strings.Count(places, "0") && strings.HasSuffix(fraction, "0") {
		fraction = fraction[:len(fraction)-1]
	}
	digits = strings.Repeat("0", max(0, strings.Count(whole, "0")-len(digits))) + digits
	if strings.Contains(whole, ",") {
		for at := len(digits) - 3; at > 0; at -= 3 {
			digits = digits[:at] + "," + digits[at:]
		}
	}
	if fraction != "" {
		digits += "." + fraction
	}
	if n < 0 && strings.ContainsAny(digits, "123456789") {
		digits = "-" + digits
	}
	return digits + strings.Repeat("%", strings.Count(s.pattern, "%"))
}

// general returns a number in at most eleven characters, without what computing left in the
// last places; a whole number as it is.
func general(n float64) string {
	if n != 0 && math.Abs(n) < 1e-4 {
		return strings.ToUpper(strconv.FormatFloat(n, 'g', 6, 64))
	}
	places := 10 - len(strconv.FormatFloat(math.Trunc(math.Abs(n)), 'f', 0, 64))
	text := strconv.FormatFloat(n, 'f', max(0, places), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

package rule

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// Layout is a form in which people write a day: "D. MMMM YYYY", "DD/MM/YY".
type Layout struct {
	re               *regexp.Regexp
	year, month, day int // groups of re
}

const (
	tokens   = `YYYY|yyyy|YY|yy|MMMM|MMM|MM|M|DD|dd|D|d|HH|hh|H|h|mm|ss`
	maxFinds = 20 // places in one text where a layout is tried
)

var (
	layoutPart  = regexp.MustCompile(`(?s)\pL+|\s+|.`)
	layoutToken = regexp.MustCompile(tokens)
	tokensOnly  = regexp.MustCompile(`^(` + tokens + `)+$`)
)

// parseLayout reads a layout. A word made of tokens alone stands for those, any
// other for itself, in any case. Year, month and day must be there, once each: a
// month without a day is no date.
func parseLayout(text string) (Layout, error) {
	var re strings.Builder
	re.WriteString(`(?i)(?:^|[^0-9])`)
	for _, part := range layoutPart.FindAllString(text, -1) {
		switch {
		case strings.TrimSpace(part) == "":
			re.WriteString(`[\s\pZ]+`)
		case tokensOnly.MatchString(part):
			for _, token := range layoutToken.FindAllString(part, -1) {
				re.WriteString(pattern(token))
			}
		case strings.Trim(part, "YyMDdHhms") == "":
			return Layout{}, errors.New("must be made of YYYY YY MMMM MMM MM M DD D HH H mm ss and of what stands between them, after \"date:\"")
		default:
			re.WriteString(regexp.QuoteMeta(part))
		}
	}
	re.WriteString(`(?:[^0-9]|$)`)
	written := re.String()
	for _, group := range []string{"(?P<y>", "(?P<m>", "(?P<d>"} {
		if strings.Count(written, group) != 1 {
			return Layout{}, errors.New(`must hold year, month and day after "date:", once each: YYYY, MMMM (a name) or MM, DD; small mm are minutes`)
		}
	}
	compiled := regexp.MustCompile(written)
	return Layout{compiled, compiled.SubexpIndex("y"), compiled.SubexpIndex("m"), compiled.SubexpIndex("d")}, nil
}

func pattern(token string) string {
	switch token {
	case "YYYY", "yyyy":
		return `(?P<y>[0-9]{4})`
	case "YY", "yy":
		return `(?P<y>[0-9]{2})`
	case "MMMM", "MMM":
		return `(?P<m>\pL+)\.?`
	case "MM":
		return `(?P<m>[0-9]{2})`
	case "M":
		return `(?P<m>[0-9]{1,2})`
	case "DD", "dd":
		return `(?P<d>[0-9]{2})`
	case "D", "d":
		return `(?P<d>[0-9]{1,2})(?:st|nd|rd|th|er|º|ª)?`
	case "H", "h":
		return `[0-9]{1,2}`
	}
	return `[0-9]{2}`
}

// Day returns the first day that s names in this layout, wherever it stands in s,
// at midnight UTC; ok is false when there is none. Of YY, 69 to 99 are of the last
// century.
func (l Layout) Day(s string) (day time.Time, ok bool) {
	for _, found := range l.re.FindAllStringSubmatch(norm.NFC.String(s), maxFinds) {
		year, _ := strconv.Atoi(found[l.year])
		month, err := strconv.Atoi(found[l.month])
		if err != nil {
			month = monthOf(found[l.month])
		}
		dayOfMonth, _ := strconv.Atoi(found[l.day])
		switch {
		case len(found[l.year]) == 4:
		case year < 69:
			year += 2000
		default:
			year += 1900
		}
		day = time.Date(year, time.Month(month), dayOfMonth, 0, 0, 0, 0, time.UTC)
		if day.Year() == year && day.Month() == time.Month(month) && day.Day() == dayOfMonth {
			return day, true
		}
	}
	return time.Time{}, false
}

package rule

import (
	"cmp"
	_ "embed"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// DayLayout is the form of a date field (section 2.3 of the search service's specification).
const DayLayout = "2006/01/02"

// The forms in which machines write a moment or a day: RFC 3339, RFC 1123, Go's templates, and similar ones.
var (
	zonedLayouts = [...]string{
		time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00",
		"2006-01-02 15:04:05 -0700 MST", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 MST",
		time.RFC1123, time.RFC1123Z,
	}
	dayLayouts = [...]string{"2006-01-02", "2006-1-2", "2006/01/02", "2006/1/2", "2006.01.02", "20060102"}
)

// DayOf returns the day of s as YYYY/MM/DD; "" if s is no machine-readable date (see zonedLayouts and
// dayLayouts). A time in UTC counts as a day in the zone loc; any other time counts as the day written in s.
// site is the day that the page gives elsewhere, such as in its URL, or "". If s is a time in UTC, and its
// day in loc is at most one day away from site, DayOf returns site.
func DayOf(s string, loc *time.Location, site string) string {
	s = strings.TrimSpace(s)
	if len(s) < 8 || len(s) > 64 {
		return ""
	}
	if len(s) > 10 {
		for _, layout := range zonedLayouts {
			t, err := time.ParseInLocation(layout, s, time.UTC)
			if err != nil {
				continue
			}
			if name, offset := t.Zone(); offset == 0 && (name == "" || name == "UTC" || name == "GMT") {
				own, err := time.ParseInLocation(DayLayout, site, loc)
				if since := t.Sub(own); err == nil && since > -24*time.Hour && since < 48*time.Hour {
					return site
				}
				t = t.In(loc)
			}
			return FormatDay(t)
		}
		s, _, _ = strings.Cut(strings.Replace(s, "T", " ", 1), " ")
	}
	for _, layout := range dayLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return FormatDay(t)
		}
	}
	return ""
}

// FormatDay returns the day of t in DayLayout. It returns "" for years outside 1900 to 2099, and for 1
// January 1970, which software writes for a missing date.
func FormatDay(t time.Time) string {
	if t.Year() < 1900 || t.Year() > 2099 || t.Year() == 1970 && t.YearDay() == 1 {
		return ""
	}
	return t.Format(DayLayout)
}

// Layout is a form in which people write a day, such as "D. MMMM YYYY" or "DD/MM/YY".
type Layout struct {
	re               *regexp.Regexp
	year, month, day int
}

const (
	tokens   = `YYYY|yyyy|YY|yy|MMMM|MMM|MM|M|DD|dd|D|d|HH|hh|H|h|mm|ss`
	ordinal  = `(?P<d>[0-9]{1,2})(?:st|nd|rd|th|er|º|ª)?`
	maxFinds = 20
)

var (
	layoutPart  = regexp.MustCompile(`(?s)\pL+|\s+|.`)
	layoutToken = regexp.MustCompile(tokens)
	tokensOnly  = regexp.MustCompile(`^(` + tokens + `)+$`)
)

// parseLayout reads a layout. A word made only of tokens, such as "YYYY", stands for a part of a date. Any
// other word stands for itself, in upper or lower case. Year, month and day must each occur once.
func parseLayout(text string) (Layout, error) {
	var re strings.Builder
	re.WriteString(`(?i)(?:^|[^0-9])`)
	for _, part := range layoutPart.FindAllString(text, -1) {
		switch {
		case strings.TrimSpace(part) == "":
			re.WriteString(`[\s\pZ]+`)
		case tokensOnly.MatchString(part):
			for _, token := range layoutToken.FindAllString(part, -1) {
				re.WriteString(cmp.Or(patterns[token], `[0-9]{2}`))
			}
		case strings.Trim(part, "YyMDdHhms") == "":
			return Layout{}, errors.New("must be made of YYYY YY MMMM MMM MM M DD D HH H mm ss " +
				"and of what stands between them, after \"date:\"")
		default:
			re.WriteString(regexp.QuoteMeta(part))
		}
	}
	re.WriteString(`(?:[^0-9]|$)`)
	written := re.String()
	for _, group := range []string{"(?P<y>", "(?P<m>", "(?P<d>"} {
		if strings.Count(written, group) != 1 {
			return Layout{}, errors.New("must hold year, month and day after \"date:\", once each: " +
				"YYYY, MMMM (a name) or MM, DD; small mm are minutes")
		}
	}
	return newLayout(written), nil
}

// patterns maps tokens of layouts to regular expressions. Any other token matches two digits that are
// ignored.
var patterns = map[string]string{
	"YYYY": `(?P<y>[0-9]{4})`, "yyyy": `(?P<y>[0-9]{4})`, "YY": `(?P<y>[0-9]{2})`, "yy": `(?P<y>[0-9]{2})`,
	"MMMM": `(?P<m>\pL+)\.?`, "MMM": `(?P<m>\pL+)\.?`, "MM": `(?P<m>[0-9]{2})`, "M": `(?P<m>[0-9]{1,2})`,
	"DD": `(?P<d>[0-9]{2})`, "dd": `(?P<d>[0-9]{2})`, "D": ordinal, "d": ordinal, "H": `[0-9]{1,2}`, "h": `[0-9]{1,2}`,
}

// find returns the first day in s that has this layout, at midnight UTC. index is the position of the day in
// s, in bytes; -1 if s has no date. Years with two digits are from 1969 to 2068.
func (l Layout) find(s string) (day time.Time, index int) {
	for _, found := range l.re.FindAllStringSubmatchIndex(s, maxFinds) {
		group := func(i int) string { return s[found[2*i]:found[2*i+1]] }
		year, _ := strconv.Atoi(group(l.year))
		month, err := strconv.Atoi(group(l.month))
		if err != nil {
			name := strings.ReplaceAll(strings.ToLower(group(l.month)), " ", "")
			month = months[name]
			// in some languages an ordinal number changes the meaning of the name after it ("5. listopada")
			if strings.HasSuffix(strings.TrimSpace(s[:found[2*l.month]]), ".") {
				month = cmp.Or(months["."+name], month)
			}
		}
		dayOfMonth, _ := strconv.Atoi(group(l.day))
		switch {
		case len(group(l.year)) == 4:
		case year < 69:
			year += 2000
		default:
			year += 1900
		}
		day = time.Date(year, time.Month(month), dayOfMonth, 0, 0, 0, 0, time.UTC)
		if day.Year() == year && day.Month() == time.Month(month) && day.Day() == dayOfMonth {
			return day, min(found[2*l.year], found[2*l.month], found[2*l.day])
		}
	}
	return time.Time{}, -1
}

// monthNames has a line for each month, with its names and abbreviations in 31 languages. They are in the
// grammatical cases of dates, without spaces. No entry stands for two months: "listopada" is the Polish
// November. The Croatian October follows a point ("5. listopada"), so its entry is ".listopada".
//
//go:embed months.txt
var monthNames string

var months = func() map[string]int {
	numbers := map[string]int{}
	for i, names := range strings.Split(monthNames, "\n") {
		for name := range strings.FieldsSeq(names) {
			numbers[name] = i + 1
		}
	}
	return numbers
}()

const (
	aYear  = `(?P<y>(?:19|20)[0-9]{2})`
	aMonth = `(?P<m>[\pL\pM]{2,})`
	aDay   = `(?P<d>[0-9]{1,2})`
	before = `(?:^|[^0-9.])`
	after  = `(?:[^0-9]|$)`
)

// writtenLayouts are compiled at the first use, so that a child process, which never uses them, starts fast.
var writtenLayouts = sync.OnceValue(func() []Layout {
	return []Layout{
		newLayout(before + aYear + ` ?[-/.年년] ?(?P<m>[0-9]{1,2}) ?[-/.月월] ?` + aDay + after),
		newLayout(before + aDay + `(?i:st|nd|rd|th|er|º|ª|\.)?[ ,-]*(?i:of |de |d['’])?` + aMonth +
			`[.,]*[ -]*(?i:de |of |del )?` + aYear + after),
		newLayout(`(?:^|[^\pL\pM])` + aMonth + `\.? *` + aDay + `(?i:st|nd|rd|th)?[ ,]+` + aYear + after),
		newLayout(before + aYear + `[., ]+(?:m\. )?` + aMonth + `\.? ` + aDay + after),
		newLayout(before + aYear + `\. gada ` + aDay + `\. ` + aMonth),
		newLayout(before + aDay + `(?i:,? tháng (?P<m>\d+|mười (?:một|hai)|\pL+),?(?: năm)?) ` + aYear + after),
		newLayout(before + aDay + `\. ?(?P<m>[0-9]{1,2})\. ?` + aYear + after),
		newLayout(before + `(?P<d>[0-9]{2})\.(?P<m>[0-9]{2})\.(?P<y>[0-9]{2})(?:[^0-9.]|$)`),
	}
})

var slashed = sync.OnceValue(func() Layout {
	return newLayout(before + aDay + `[/-](?P<m>[0-9]{1,2})[/-]` + aYear + after)
})

func newLayout(re string) Layout {
	compiled := regexp.MustCompile(re)
	return Layout{compiled, compiled.SubexpIndex("y"), compiled.SubexpIndex("m"), compiled.SubexpIndex("d")}
}

// Written returns the first day in a line of text, in DayLayout, and the text before that day. Both are "" if
// the line has no day. A date such as 04/05/2026 may be in April or May. It is read as 4 May if people who
// write lang, the page's language tag, put the day first. Otherwise it is ignored.
func Written(s, lang string) (day, before string) {
	var first time.Time
	at := -1
	try := func(l Layout) {
		if found, place := l.find(s); place >= 0 && (at < 0 || place < at) {
			first, at = found, place
		}
	}
	for _, l := range writtenLayouts() {
		try(l)
	}
	if at < 0 {
		dayFirst := slashed()
		monthFirst := Layout{dayFirst.re, dayFirst.year, dayFirst.day, dayFirst.month}
		other, _ := monthFirst.find(s)
		try(dayFirst)
		if at < 0 {
			try(monthFirst)
		} else if !other.IsZero() && !other.Equal(first) && !hasDayFirst(lang) {
			at = -1
		}
	}
	if at < 0 {
		return "", ""
	}
	return FormatDay(first), s[:at]
}

// hasDayFirst reports whether people who write a language put the day before the month. For English without a
// region it returns false, because many templates declare English for any language.
func hasDayFirst(lang string) bool {
	lang, region, _ := strings.Cut(strings.ToLower(lang), "-")
	switch lang {
	case "en":
		return slices.Contains([]string{"gb", "au", "nz", "ie", "in", "za"}, region)
	case "", "zh", "ja", "ko", "hu", "lt", "fa", "tl", "fil":
		return false
	}
	return true
}

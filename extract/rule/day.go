package rule

import (
	"strings"
	"time"
)

// DayLayout is the form of a date field, specification section 2.3.
const DayLayout = "2006/01/02"

// The forms in which pages give a moment: RFC 3339 and its relatives, what
// Go templates print, and RFC 1123. Those without a zone name a day as it stands.
var (
	zonedLayouts = [...]string{
		time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00",
		"2006-01-02 15:04:05 -0700 MST", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 MST", time.RFC1123, time.RFC1123Z,
	}
	dayLayouts = [...]string{"2006-01-02", "2006-1-2", "2006/01/02", "2006/1/2", "2006.01.02", "20060102"}
)

// DayOf returns the day of a date as pages write it, or "" where it names none:
// YYYY/MM/DD in loc for a moment, the day as written where no zone is given.
// Orders other than year, month, day are ambiguous and give none.
func DayOf(s string, loc *time.Location) string {
	s = strings.TrimSpace(s)
	if len(s) < 8 || len(s) > 64 {
		return ""
	}
	if len(s) > 10 {
		for _, layout := range zonedLayouts {
			if t, err := time.ParseInLocation(layout, s, time.UTC); err == nil {
				return FormatDay(inZone(t, loc))
			}
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

// inZone returns t as seen in loc. Of zones that are named by letters only UTC is
// known, and GMT: what others mean depends on where one asks, so that their day
// stands as written.
func inZone(t time.Time, loc *time.Location) time.Time {
	if name, offset := t.Zone(); offset == 0 && name != "" && name != "UTC" && name != "GMT" {
		return t
	}
	return t.In(loc)
}

// FormatDay returns the day of t in DayLayout; "" for what software writes where it has
// no date.
func FormatDay(t time.Time) string {
	if t.Year() < 1900 || t.Year() > 2099 || t.Year() == 1970 && t.YearDay() == 1 {
		return ""
	}
	return t.Format(DayLayout)
}

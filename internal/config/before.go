package config

import (
	"regexp"
	"strconv"
	"time"
)

// Before is a calendar day, fixed ("2024/01/01") or counted back from today
// ("2y", "180d"). The zero Before expires nothing.
type Before struct {
	Years, Days int
	Fixed       time.Time // midnight UTC of the day; zero when counted back
}

// DateLayout is how days are written in the configuration and in the field
// Date, specification section 2.3.
const DateLayout = "2006/01/02"

// String returns b as the configuration writes it.
func (b Before) String() string {
	switch {
	case b.Years > 0:
		return strconv.Itoa(b.Years) + "y"
	case b.Days > 0:
		return strconv.Itoa(b.Days) + "d"
	}
	return b.Fixed.Format(DateLayout)
}

var ageForm = regexp.MustCompile(`^(?:([1-9][0-9]{0,2})y|([1-9][0-9]{0,4})d)$`)

func parseBefore(s string) (b Before, err error) {
	if date, err := time.Parse(DateLayout, s); err == nil && !date.IsZero() {
		return Before{Fixed: date}, nil
	}
	age := ageForm.FindStringSubmatch(s)
	if age == nil {
		return b, strconv.ErrSyntax
	}
	b.Years, _ = strconv.Atoi(age[1]) // one of the two is empty, and 0
	b.Days, _ = strconv.Atoi(age[2])
	return b, nil
}

// Cutoff returns the first day that is kept, as midnight UTC of that calendar
// day: a document dated earlier is expired. "Today" is the day of now in zone
// (extract.timezone); it is reckoned in days, not hours, so that a change of the
// clocks moves nothing. A day that the target year lacks (29 February) becomes
// the day before it, which deletes less.
func (b Before) Cutoff(now time.Time, zone *time.Location) time.Time {
	if b.Years == 0 && b.Days == 0 {
		return b.Fixed
	}
	year, month, dayOfMonth := now.In(zone).Date()
	cutoff := time.Date(year-b.Years, month, dayOfMonth-b.Days, 0, 0, 0, 0, time.UTC)
	if b.Years > 0 && cutoff.Month() != month {
		return cutoff.AddDate(0, 0, -1)
	}
	return cutoff
}

package page

import (
	"regexp"
	"strings"
	"time"
)

// untilPattern finds unavailable_after with its day, in the forms that search engines
// take: RFC 822, RFC 850, ISO 8601. What follows the day is the time and its zone.
var untilPattern = regexp.MustCompile(`(?i)\bunavailable_after ?: ?(?:[a-z]+,? )?` +
	`(\d{4}-\d\d?-\d\d?|\d\d?[ -][a-z]+[ -]\d{2,4}|[a-z]+ \d\d?,? \d{4})` +
	`(?:(?:T|,? )(\d\d?:\d\d)(?::\d\d)?(?:[.,]\d+)? ?([a-z]+|[+-]\d\d:?\d\d)?)?`)

var untilDays = []string{"2006-1-2", "2 Jan 2006", "2 Jan 06", "2 January 2006", "2 January 06", "Jan 2 2006", "January 2 2006"}

// untilZones are the zones of RFC 822 and those of Europe, in hours from UTC. The time
// package takes every name that it does not know for UTC.
var untilZones = map[string]int{
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"BST": 1, "WEST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3,
}

// unavailableAfter returns the moment that a list of directives names with
// unavailable_after; the zero time when the list names no moment, or one that can't be read.
// A day without a time ends at midnight, and a time without a known zone is in UTC.
func unavailableAfter(list string) time.Time {
	match := untilPattern.FindStringSubmatch(strings.Join(strings.Fields(list), " "))
	if match == nil {
		return time.Time{}
	}
	day, clock, zone := match[1], match[2], strings.ToUpper(match[3])
	if day[4] != '-' { // it is not ISO 8601
		day = strings.NewReplacer("-", " ", ",", "").Replace(day)
	}
	for _, layout := range untilDays {
		at, err := time.Parse(layout, day)
		if err != nil {
			continue
		}
		if clock == "" {
			return at.AddDate(0, 0, 1)
		}
		since := 24 * time.Hour // where there is no such time: the day is over then
		if of, err := time.Parse("15:04", clock); err == nil {
			since = time.Duration(of.Hour())*time.Hour + time.Duration(of.Minute())*time.Minute
		}
		seconds := untilZones[zone] * 60 * 60
		if in, err := time.Parse("-0700", strings.ReplaceAll(zone, ":", "")); err == nil {
			_, seconds = in.Zone()
		}
		return at.Add(since - time.Duration(seconds)*time.Second)
	}
	return time.Time{}
}

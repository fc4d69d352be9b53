package sitemap

import (
	"net/mail"
	"strings"
	"time"
)

// w3cLayouts are the precisions of a W3C date, with the zone as files write it,
// the most common first. Seconds may have a fraction in each.
var w3cLayouts = [...]string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04Z0700", "2006-01-02T15:04", "2006-01", "2006",
}

// namedZones are the offsets of the zones that RFC 822 names. A parser of dates
// would take them as UTC.
var namedZones = map[string]string{
	"UT": "+0000", "UTC": "+0000", "Z": "+0000", "EDT": "-0400", "EST": "-0500", "CDT": "-0500",
	"CST": "-0600", "MDT": "-0600", "MST": "-0700", "PDT": "-0700", "PST": "-0800",
}

// parseDate returns a W3C date, in any of its precisions, or an RFC 822 one (RSS)
// in Unix seconds; 0 when text is neither. A time without zone is taken as UTC.
func parseDate(text string) int64 {
	w3c := strings.ToUpper(text)
	if len(w3c) > len(time.DateOnly) && w3c[len(time.DateOnly)] == ' ' {
		w3c = w3c[:len(time.DateOnly)] + "T" + strings.ReplaceAll(w3c[len(time.DateOnly)+1:], " ", "")
	}
	for _, layout := range w3cLayouts {
		if at, err := time.Parse(layout, w3c); err == nil {
			return max(at.Unix(), 0)
		}
	}
	space := strings.LastIndexByte(text, ' ')
	if offset, named := namedZones[text[space+1:]]; named {
		text = text[:space+1] + offset
	}
	if at, err := mail.ParseDate(text); err == nil {
		return max(at.Unix(), 0)
	}
	return 0
}

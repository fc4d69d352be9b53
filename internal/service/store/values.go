package store

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseNumber parses a finite number. It returns false for any other value.
func ParseNumber(value string) (float64, bool) {
	number, err := strconv.ParseFloat(value, 64)
	return number, err == nil && !math.IsInf(number, 0) && !math.IsNaN(number)
}

// ParseDates returns the first and the last moment of an ISO 8601 date or time, in Unix seconds. For example,
// "2026-08" is the whole month. A time without a zone is UTC. ok is false if value is invalid.
func ParseDates(value string) (from, to float64, ok bool) {
	if len(value) < 4 || len(value) > len(time.RFC3339Nano) || strings.Trim(value[:4], "0123456789") != "" {
		return 0, 0, false
	}
	for _, form := range []struct {
		layout              string
		years, months, days int
		rest                time.Duration
	}{
		{time.DateOnly, 0, 0, 1, 0}, {"2006/01/02", 0, 0, 1, 0}, {time.RFC3339, 0, 0, 0, 0},
		{"2006-01-02T15:04:05", 0, 0, 0, time.Second}, {"2006-01-02T15:04", 0, 0, 0, time.Minute},
		{"20060102", 0, 0, 1, 0}, {"20060102T150405Z0700", 0, 0, 0, time.Second},
		{"2006-01", 0, 1, 0, 0}, {"2006", 1, 0, 0, 0},
	} {
		if at, err := time.Parse(form.layout, value); err == nil {
			end := at.AddDate(form.years, form.months, form.days).Add(form.rest)
			from, to = Seconds(at), Seconds(end)
			if end.After(at) {
				to = math.Nextafter(to, from)
			}
			return from, to, true
		}
	}
	return 0, 0, false
}

// Seconds returns a time in Unix seconds, exact to the microsecond.
func Seconds(at time.Time) float64 { return float64(at.UnixMicro()) / 1e6 }

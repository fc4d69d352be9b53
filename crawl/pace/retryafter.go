package pace

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter returns the wait that a Retry-After field asks for, in seconds or as a
// date (RFC 9110, section 10.2.3): 0 when it is absent, past or unreadable, a day at
// most.
func RetryAfter(header http.Header, now func() time.Time) time.Duration {
	const most = 24 * time.Hour
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" {
		return 0
	}
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(most/time.Second))) * time.Second
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(date.Sub(now()), 0), most)
}

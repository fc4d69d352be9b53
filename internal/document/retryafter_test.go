package document

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                               0,
		"0":                              0,
		"7":                              7 * time.Second,
		" 7 ":                            7 * time.Second,
		"300":                            5 * time.Minute,
		"86399":                          MaxRetryAfter - time.Second,
		"86400":                          MaxRetryAfter,
		"99999999999999999999999":        MaxRetryAfter,
		"-5":                             0,
		"1.5":                            0,
		"+5":                             0,
		"soon":                           0,
		"Sun, 01 Mar 2026 12:00:30 GMT":  30 * time.Second,
		"Sunday, 01-Mar-26 12:00:30 GMT": 30 * time.Second,
		"Sun Mar  1 12:00:30 2026":       30 * time.Second,
		"Sun, 01 Mar 2026 11:00:00 GMT":  0,
		"Fri, 01 Jan 2100 00:00:00 GMT":  MaxRetryAfter,
		"Thu, 01 Jan 9999 00:00:00 GMT":  MaxRetryAfter,
	} {
		if got := RetryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

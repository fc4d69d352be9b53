package page

import (
	"net/http"
	"testing"
	"time"
)

// TestUnavailableAfter: the day is read in every form that search engines take, and what
// is no day is ignored.
func TestUnavailableAfter(t *testing.T) {
	const afternoon = "2010-06-25T15:00:00Z"
	for list, want := range map[string]string{
		"unavailable_after: 25 Jun 2010 15:00:00":                      afternoon,
		"unavailable_after: 25 Jun 2010 07:00:00 PST":                  afternoon,
		"unavailable_after: 25-Jun-2010 11:00 EDT":                     afternoon,
		"unavailable_after: Friday, 25-Jun-10 15:00:00 UTC":            afternoon,
		"unavailable_after: Fri, 25 Jun 10 15:00 UT":                   afternoon,
		"unavailable_after: Fri, 25 June 2010 17:00:00 +0200":          afternoon,
		"unavailable_after: 25 Jun 2010 17:00:00 CEST":                 afternoon,
		"unavailable_after: 2010-06-25T15:00:00.000Z":                  afternoon,
		"unavailable_after: 2010-06-25T17:00:00+02:00":                 afternoon,
		"unavailable_after:2010-06-25 15:00":                           afternoon,
		"unavailable_after: June 25, 2010, 15:00":                      afternoon,
		"NoArchive,\n\tUNAVAILABLE_AFTER :  25  JUN 2010 15:00:00 utc": afternoon,
		"unavailable_after: Fri, 25 Jun 2010 15:00:00 UTC, nofollow":   afternoon,
		"unavailable_after: 25 Jun 2010, noarchive":                    "2010-06-26T00:00:00Z",
		"unavailable_after: 25 Jun 2010 25:61":                         "2010-06-26T00:00:00Z",
		"unavailable_after: 31 Feb 2010":                               "",
		"unavailable_after: 25/06/2010":                                "",
		"unavailable_after: 25. Juni 2010":                             "",
		"unavailable_after 25 Jun 2010":                                "",
		"not_unavailable_after: 25 Jun 2010":                           "",
		"25 Jun 2010 15:00:00 UTC":                                     "",
	} {
		got := ""
		if at := unavailableAfter(list); !at.IsZero() {
			got = at.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", list, got, want)
		}
	}
}

// TestUntil: the directive counts in the page and in the header, where it is for all or
// for us, beside others; the earliest day wins.
func TestUntil(t *testing.T) {
	for _, c := range []struct {
		name, body string
		headers    []string
		says       string
		noFollow   bool
	}{
		{"meta", `<meta name=robots content="unavailable_after: 2010-06-25">`, nil, "meta robots: unavailable_after: 2010-06-25", false},
		{"meta for others", `<meta name=googlebot content="unavailable_after: 2010-06-25">`, nil, "", false},
		{"a comma inside the day", `<meta name=robots content="unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow">`, nil,
			"meta robots: unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow", true},
		{"header", "", []string{"unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow"}, "X-Robots-Tag: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow", true},
		{"header for others", "", []string{"googlebot: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow"}, "", false},
		{"the earliest", `<meta name=robots content="unavailable_after: 2012-01-01">`, []string{"unavailable_after: 2011-01-01", "unavailable_after: 2013-01-01"},
			"X-Robots-Tag: unavailable_after: 2011-01-01", false},
	} {
		got := readLinksOf(t, c.body, http.Header{"X-Robots-Tag": c.headers})
		if got.UntilSays != c.says || got.Until.IsZero() != (c.says == "") || got.NoIndex != "" || (got.NoFollow != "") != c.noFollow {
			t.Errorf("%s: %s %q, nofollow %q", c.name, got.Until, got.UntilSays, got.NoFollow)
		}
	}
	if got := readLinksOf(t, "", http.Header{"X-Robots-Tag": {"noindex"}}); !got.ByHeader {
		t.Error("a noindex of the header alone is not told")
	}
	if got := readLinksOf(t, "<meta name=robots content=noindex>", http.Header{"X-Robots-Tag": {"noindex"}}); got.ByHeader {
		t.Error("the page forbids it as well")
	}
}

// FuzzUnavailableAfter: whatever stands there is a moment that the calendar has, or none.
func FuzzUnavailableAfter(f *testing.F) {
	f.Add("unavailable_after: Friday, 25-Jun-10 15:00:00 PST")
	f.Add("noindex, unavailable_after: 2010-06-25T15:00:00+02:00")
	f.Fuzz(func(t *testing.T, list string) {
		if at := unavailableAfter(list); !at.IsZero() && (at.Year() < -1 || at.Year() > 10_000) {
			t.Errorf("%q: %s", list, at)
		}
	})
}

package robots

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
)

var (
	began = time.Date(2026, 3, 4, 2, 0, 0, 0, time.UTC)
	good  = document.RobotsCopy{File: []byte("User-agent: *\nDisallow: /private\nSitemap: /maps.xml\n"), Read: began.Unix()}
)

// TestLost: what stops being a robots.txt is an outage for two runs, and then believed. A file
// with a line of a robots.txt counts at once.
func TestLost(t *testing.T) {
	for _, c := range []struct {
		file File
		why  string // why it is not a robots.txt; empty: it is
		open bool   // it opens /private
	}{
		{File{Fault: "answered 404"}, "answered 404", true},
		{File{}, "is empty", true},
		{File{Body: []byte("\xEF\xBB \n")}, "is empty", true},
		{File{Body: []byte("\uFEFF \r\n\t")}, "is empty", true},
		{File{Body: []byte("\n<!doctype html><p>Allow: me to explain")}, "is an HTML page", true},
		{File{Body: []byte("not found")}, "holds no line of a robots.txt", true},
		{File{Body: []byte("# nothing here")}, "holds no line of a robots.txt", true},
		{File{Body: []byte("User-agent: *\nDisallow:")}, "", true},
		{File{Body: []byte("Sitemap: /maps.xml")}, "", true},
		{File{Body: []byte("User-agent: other\nDisallow: /")}, "", true},
		{File{Body: []byte("User-agent: *\nDisallow: /p")}, "", false},
	} {
		copied := good
		for run := 1; run <= 4; run++ {
			rules, next, outage := Believe(c.file, copied, "sitesync", began)
			open, _ := rules.Allowed("/private/a?b")
			holds := c.why != "" && run <= lostRuns
			switch {
			case holds && (open || !strings.Contains(outage, c.why) || next.Lost != run || len(rules.Sitemaps) != 1):
				t.Errorf("%q, run %d: open %t, %q, %+v", c.file, run, open, outage, next)
			case !holds && (outage != "" || next.Lost != 0 || (len(next.File) > 0) != (c.why == "")):
				t.Errorf("%q, run %d: %q, %+v", c.file, run, outage, next)
			case !holds && open != c.open:
				t.Errorf("%q, run %d: open %t", c.file, run, open)
			}
			if back, copy, outage := Believe(File{Body: good.File}, next, "sitesync", began); outage != "" || copy.Lost != 0 || len(back.Disallows()) != 1 {
				t.Errorf("%q, back after run %d: %+v, %q", c.file, run, copy, outage)
			}
			copied = next
		}
	}
	copied := document.RobotsCopy{File: []byte("User-agent: *\nDisallow:"), Read: began.Unix()}
	if _, _, outage := Believe(File{Fault: "answered 404"}, copied, "sitesync", began); outage != "" {
		t.Errorf("a file that closed nothing was lost: %s", outage)
	}
}

// TestOutage: where robots.txt can't be had, its last good copy serves for thirty days, and
// nothing may be asked without one. An outage does not count as a run without robots.txt.
func TestOutage(t *testing.T) {
	down := File{Outage: "robots.txt answered 503"}
	for age, serves := range map[time.Duration]bool{time.Hour: true, 29 * 24 * time.Hour: true, 31 * 24 * time.Hour: false, -time.Hour: true} {
		rules, next, outage := Believe(down, good, "sitesync", began.Add(age))
		if (rules != nil) != serves || next.Lost != 0 || !bytes.Equal(next.File, good.File) || !strings.HasPrefix(outage, down.Outage) {
			t.Errorf("after %s: %v, %+v, %q", age, rules, next, outage)
		}
		if serves && (len(rules.Disallows()) != 1 || !strings.HasSuffix(outage, "the copy of 2026-03-04T02:00:00Z serves")) {
			t.Errorf("after %s: %v, %q", age, rules.Disallows(), outage)
		}
	}
	if rules, _, outage := Believe(down, document.RobotsCopy{}, "sitesync", began); rules != nil || outage != down.Outage {
		t.Errorf("without a copy: %v, %q", rules, outage)
	}
}

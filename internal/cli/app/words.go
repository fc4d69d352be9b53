package app

import (
	"fmt"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/plan"
	"sitesync/internal/report"
)

// OneLine returns the text of an error in one line.
func OneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

func Or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func Shorten(s string) string {
	const most = 160
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func Trust(b plan.Belief) string {
	word := "not believed"
	if b.Believed {
		word = "believed"
	}
	return fmt.Sprintf("%s (%d lies in %d checks)", word, b.Lies, b.Checks)
}

func Day(unix int64) string { return time.Unix(unix, 0).UTC().Format(time.DateOnly) }

func RunLine(run *document.Summary) string {
	head := fmt.Sprintf("%s %s: ", run.Run, time.Unix(run.Start, 0).UTC().Format(time.RFC3339))
	switch {
	case run.Unsent:
		return head + report.Ending(run)
	case run.Stopped != "": // which the totals say
		return head + report.Totals(&report.Run{Summary: *run})
	}
	return head + report.Totals(&report.Run{Summary: *run}) + "; " + report.Ending(run)
}

package inspect

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sitesync/crawl"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/plan"
)

func printExplanation(a *app.App, url string, e *explanation) {
	a.Print("%s", url)
	printFound(a, e.Found)
	if e.Trace != nil {
		printTrace(a, e.Trace)
	}
	if e.Document != nil {
		told(a, "type", string(e.Document.Type))
	}
	printFields(a, e)
	told(a, "hash", e.Hash)
	for _, warning := range e.Warnings {
		told(a, "warning", warning)
	}
	printRecord(a, e.Record)
	if e.Hints != nil {
		printHints(a, e.Record, e.Hints)
	}
	printPast(a, e.Last)
	if e.Due != nil {
		a.Print("  %-11s %s (%s): %s", "due", e.Due.Op, e.Due.Cause, e.Due.Evidence)
	}
	a.Print("  %-11s %s", "verdict", e.Verdict)
}

// told prints what there is to tell under a name; nothing when there is nothing.
func told(a *app.App, name, text string) {
	if text != "" {
		a.Print("  %-11s %s", name, app.Shorten(text))
	}
}

func printFound(a *app.App, steps []step) {
	for i, s := range steps {
		switch s.By {
		case byPage:
			if i+1 == len(steps) {
				told(a, "found on", "… a longer chain")
				continue
			}
			told(a, "found on", steps[i+1].URL)
		case byStart:
			told(a, "found", "a start address")
		case bySitemap:
			told(a, "found", "in a sitemap")
		case byItself:
			told(a, "found", "by a page that it led to itself")
		default:
			told(a, "found", "the ledger does not tell how")
		}
	}
}

func printTrace(a *app.App, t *crawl.Trace) {
	scope := "out: "
	if t.InScope {
		scope = "in: "
	}
	told(a, "scope", scope+app.Or(t.Scope, "of a start address, and no rule excludes it"))
	switch {
	case t.Allowed:
		told(a, "robots", "allowed: "+app.Or(t.Robots, "no line of robots.txt matches"))
	case t.Robots != "":
		told(a, "robots", "not allowed: "+t.Robots)
	}
	for _, hop := range t.Hops {
		printHop(a, &hop)
	}
	if d := t.Directives; d != nil {
		told(a, "noindex", d.NoIndex)
		told(a, "nofollow", d.NoFollow)
		told(a, "canonical", app.Or(d.Canonical, d.BadCanonical))
		told(a, "refresh", d.Refresh)
		told(a, "links", fmt.Sprintf("%d to other addresses", d.Links))
	}
}

func printHop(a *app.App, hop *crawl.Hop) {
	line := fmt.Sprintf("%s: %d, %s %s", hop.URL, hop.Status, hop.Seen, hop.Why)
	if hop.Location != "" {
		line = strings.TrimRight(line, " ") + " → " + hop.Location
	}
	a.Print("  %-11s %s", "asked", line)
	for _, name := range slices.Sorted(maps.Keys(hop.Headers)) {
		told(a, "", name+": "+strings.Join(hop.Headers[name], ", "))
	}
}

func printRecord(a *app.App, r *document.Record) {
	if r == nil {
		told(a, "ledger", "nothing is known of it")
		return
	}
	line := fmt.Sprintf("%s, last read in full %s", strings.TrimSpace(app.Or(string(r.Push), "no document")+" "+r.Reason), app.Day(r.Fetched))
	for _, more := range []struct {
		there bool
		text  string
	}{
		{r.Listed, "in the sitemap"},
		{r.Canonical != "", "folded into " + r.Canonical},
		{r.Misses > 0, fmt.Sprintf("missing %d times", r.Misses)},
		{!r.Suspect.IsZero(), "looked ill"},
		{r.Since != "", "failing since run " + r.Since},
	} {
		if more.there {
			line += ", " + more.text
		}
	}
	a.Print("  %-11s %s", "ledger", line)
	for _, look := range r.Looks {
		a.Print("  %-11s run %s: %s %d %s", "look", look.Run, look.Seen, look.Status, look.Why)
	}
}

func printHints(a *app.App, r *document.Record, h *plan.Hints) {
	var hints []string
	add := func(there bool, text string) {
		if there {
			hints = append(hints, text)
		}
	}
	add(r.Hints.ETag != "", "ETag "+r.Hints.ETag)
	add(r.Hints.LastModified != "", "Last-Modified "+r.Hints.LastModified)
	add(r.Hints.Lastmod != 0, "lastmod "+time.Unix(r.Hints.Lastmod, 0).UTC().Format(time.RFC3339))
	told(a, "hints", app.Or(strings.Join(hints, "; "), "none"))
	told(a, "trust", "validators "+app.Trust(h.Validators)+"; lastmod "+app.Trust(h.Lastmod))
	tonight := map[string]string{"full": "read in full", "conditional": "asked conditionally", "skip": "not asked"}[h.Tonight]
	told(a, "next run", tonight+": "+h.Why)
}

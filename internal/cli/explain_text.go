package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sitesync/crawl"
	"sitesync/internal/document"
	"sitesync/internal/plan"
)

func (a *app) printExplanation(url string, e *explanation) {
	a.print("%s", url)
	a.printFound(e.Found)
	if e.Trace != nil {
		a.printTrace(e.Trace)
	}
	if e.Document != nil {
		a.told("type", string(e.Document.Type))
	}
	a.printFields(e)
	a.told("hash", e.Hash)
	for _, warning := range e.Warnings {
		a.told("warning", warning)
	}
	a.printRecord(e.Record)
	if e.Hints != nil {
		a.printHints(e.Record, e.Hints)
	}
	a.printPast(e.Last)
	if e.Due != nil {
		a.print("  %-11s %s (%s): %s", "due", e.Due.Op, e.Due.Cause, e.Due.Evidence)
	}
	a.print("  %-11s %s", "verdict", e.Verdict)
}

// told prints what there is to tell under a name; nothing when there is nothing.
func (a *app) told(name, text string) {
	if text != "" {
		a.print("  %-11s %s", name, shorten(text))
	}
}

func (a *app) printFound(steps []step) {
	for i, s := range steps {
		switch s.By {
		case byPage:
			if i+1 == len(steps) {
				a.told("found on", "… a longer chain")
				continue
			}
			a.told("found on", steps[i+1].URL)
		case byStart:
			a.told("found", "a start address")
		case bySitemap:
			a.told("found", "in a sitemap")
		case byItself:
			a.told("found", "by a page that it led to itself")
		default:
			a.told("found", "the ledger does not tell how")
		}
	}
}

func (a *app) printTrace(t *crawl.Trace) {
	scope := "out: "
	if t.InScope {
		scope = "in: "
	}
	a.told("scope", scope+or(t.Scope, "of a start address, and no rule excludes it"))
	switch {
	case t.Allowed:
		a.told("robots", "allowed: "+or(t.Robots, "no line of robots.txt matches"))
	case t.Robots != "":
		a.told("robots", "not allowed: "+t.Robots)
	}
	for _, hop := range t.Hops {
		a.printHop(&hop)
	}
	if d := t.Directives; d != nil {
		a.told("noindex", d.NoIndex)
		a.told("nofollow", d.NoFollow)
		a.told("canonical", or(d.Canonical, d.BadCanonical))
		a.told("refresh", d.Refresh)
		a.told("links", fmt.Sprintf("%d to other addresses", d.Links))
	}
}

func (a *app) printHop(hop *crawl.Hop) {
	line := fmt.Sprintf("%s: %d, %s %s", hop.URL, hop.Status, hop.Seen, hop.Why)
	if hop.Location != "" {
		line = strings.TrimRight(line, " ") + " → " + hop.Location
	}
	a.print("  %-11s %s", "asked", line)
	for _, name := range slices.Sorted(maps.Keys(hop.Headers)) {
		a.told("", name+": "+strings.Join(hop.Headers[name], ", "))
	}
}

func (a *app) printRecord(r *document.Record) {
	if r == nil {
		a.told("ledger", "nothing is known of it")
		return
	}
	line := fmt.Sprintf("%s, last read in full %s", strings.TrimSpace(or(string(r.Push), "no document")+" "+r.Reason), day(r.Fetched))
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
	a.print("  %-11s %s", "ledger", line)
	for _, look := range r.Looks {
		a.print("  %-11s run %s: %s %d %s", "look", look.Run, look.Seen, look.Status, look.Why)
	}
}

func (a *app) printHints(r *document.Record, h *plan.Hints) {
	var hints []string
	add := func(there bool, text string) {
		if there {
			hints = append(hints, text)
		}
	}
	add(r.Hints.ETag != "", "ETag "+r.Hints.ETag)
	add(r.Hints.LastModified != "", "Last-Modified "+r.Hints.LastModified)
	add(r.Hints.Lastmod != 0, "lastmod "+time.Unix(r.Hints.Lastmod, 0).UTC().Format(time.RFC3339))
	a.told("hints", or(strings.Join(hints, "; "), "none"))
	a.told("trust", "validators "+trust(h.Validators)+"; lastmod "+trust(h.Lastmod))
	tonight := map[string]string{"full": "read in full", "conditional": "asked conditionally", "skip": "not asked"}[h.Tonight]
	a.told("next run", tonight+": "+h.Why)
}

func trust(b plan.Belief) string {
	word := "not believed"
	if b.Believed {
		word = "believed"
	}
	return fmt.Sprintf("%s (%d lies in %d checks)", word, b.Lies, b.Checks)
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func shorten(s string) string {
	const most = 160
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

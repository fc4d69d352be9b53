package inspect

import (
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/report"
)

// due returns the delete that a run would find due, as the judge says of this one look;
// nil where there is none, or where it takes more to know.
func (e *explanation) due(p judge.Policy) *document.Entry {
	seen := e.sighting()
	if seen == nil || !e.Record.IsDocument() {
		return nil
	}
	p.Run, p.RecheckDue = "", func(string, *document.Record) bool { return false }
	change := judge.Judge(judge.Facts{URL: e.Record.ID, Record: e.Record, Sighting: seen}, p).Change
	if change == nil || change.Op != document.Delete {
		return nil
	}
	entry := change.Entry(change.State, "")
	return &entry
}

// sighting returns what was seen of a page that is not there, or not to be indexed.
func (e *explanation) sighting() *document.Sighting {
	s := &document.Sighting{InSitemap: e.Record != nil && e.Record.Listed}
	switch t := e.Trace; {
	case t == nil:
		return nil
	case len(t.Hops) == 1 && (t.Hops[0].Seen == document.Gone || t.Hops[0].Seen == document.Missing || t.Hops[0].Seen == document.NoIndex):
		hop := t.Hops[0]
		s.URL, s.Seen, s.Status, s.Why = hop.URL, hop.Seen, hop.Status, hop.Why
	case len(t.Hops) == 0 && !t.InScope:
		s.URL, s.Seen, s.Why = t.URL, document.OutOfScope, t.Scope
	case len(t.Hops) == 0 && !t.Allowed && t.LinkRules != "": // robots.txt was read
		s.URL, s.Seen, s.Why = t.URL, document.Disallowed, "robots.txt: "+t.Robots
	default:
		return nil
	}
	return s
}

func printPast(a *app.App, c *app.PastChange) {
	if c == nil {
		return
	}
	if c.State == document.Held {
		a.Print("  %-11s run %s held: %s", "last change", c.Run, report.HeldLine(&c.Entry))
		return
	}
	a.Print("  %-11s run %s: %s", "last change", c.Run, report.EntryLine(&c.Entry))
	if proof := report.EvidenceLine(&c.Entry); proof != "" {
		a.Print("       %s", proof)
	}
}

package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/spool"
)

func (e *explanation) fact(url string) *fact { return cmp.Or(e.facts[url], &fact{}) }

func (e *explanation) Page(p document.SitePage) error {
	e.fact(p.URL).page = p
	return nil
}

// Change stores a change that is due or held by a brake (a limit on suspicious changes).
func (e *explanation) Change(c document.Change) error {
	e.fact(c.ID).change = &c
	return nil
}

// Observe stores a record that a run would write to the ledger (the record of what the index holds), without a
// change of the index.
func (e *explanation) Observe(o document.Observation) error {
	e.fact(o.ID).next = o.Next
	return nil
}

func (e *explanation) Warning(w document.Warning) error {
	e.fact(w.URL).warning = w.Text
	if w.URL == e.url || w.URL == e.last {
		// Extraction has already added a warning of this kind, but without the text.
		known := func(one string) bool { return strings.HasPrefix(one, w.Kind) }
		e.Warnings = append(slices.DeleteFunc(e.Warnings, known), strings.TrimSuffix(w.Kind+": "+w.Text, ": "))
	}
	return nil
}

// Failure does nothing: the method Page has already stored that the page is unread.
func (e *explanation) Failure(document.Failure) error { return nil }

// Move does nothing: the stored change of the page already names the new address.
func (e *explanation) Move(document.Move) error { return nil }

// conclude sets the verdict from the planner's decisions. If a brake (a limit on suspicious changes) held the
// change in the last run, conclude holds it until it is approved. The planner can't decide this: it sees only
// one page, and one page seldom exceeds a limit.
func (e *explanation) conclude() (err error) {
	c := e.fact(e.url).change
	flags, _ := e.session.work.Table.Get(spool.Fingerprint(e.url))
	held := flags&spool.Held != 0 && e.latest != nil && e.latest.State == document.Held
	if held && c != nil && c.State == document.Planned {
		change := *c
		change.Brake, change.Group = e.latest.Brake, e.latest.Group
		entry := change.Entry(document.Held, "")
		released, err := e.ledger.Approved(&entry)
		if err != nil {
			return err
		}
		if !released {
			change.State = document.Held
			*c = change
		}
	}
	e.Verdict, e.In = e.verdict(), "no"
	switch {
	case !e.Record.IsDocument():
	case e.Record.Push == document.PushOK:
		e.In = "yes"
	default:
		e.In = "not certain"
	}
	c = cmp.Or(c, e.fact(e.last).change)
	if c == nil {
		return nil
	}
	e.Due = &report.Change{Entry: c.Entry(c.State, "")}
	old, found, err := e.ledger.Text(c.ID)
	if err == nil && (found || c.Cause == document.CauseNew) {
		e.Due.Detail, err = report.NewDetail(c, old)
	}
	return err
}

func (e *explanation) verdict() string {
	t, how := e.Trace, "not crawled: "
	if t != nil && len(t.Hops) > 0 {
		how = "leads to what is not crawled: "
	}
	switch {
	case t == nil:
		return e.outcome(e.url)
	case !t.InScope:
		return how + t.Scope + e.fate(e.url)
	case !t.Allowed && t.LinkRules == "": // robots.txt could not be read
		return how + t.Robots + e.fate(e.url)
	case !t.Allowed:
		return how + "robots.txt: " + t.Robots + e.fate(e.url)
	case t.Directives == nil:
		return "moved: no page after " + document.Count(len(t.Hops), "redirect") + e.fate(e.url)
	case len(t.Hops) > 1:
		return "leads to " + e.last + "; there: " + e.outcome(e.last) + e.fate(e.url)
	}
	return e.outcome(e.url)
}

func (e *explanation) outcome(url string) string {
	f := e.fact(url)
	c, page, kept := f.change, f.page, cmp.Or(f.next, f.record)
	switch {
	case page.Seen != document.Read:
		why := page.Why
		if page.Status != 0 && !strings.HasPrefix(why, "HTTP status") && page.Seen != document.Unread {
			why = strings.TrimSpace(fmt.Sprintf("HTTP status %d %s", page.Status, why))
		}
		return fmt.Sprintf("%s: %s", page.Seen, why) + e.fate(url)
	case c != nil && c.State == document.Refused:
		return c.Evidence
	case c != nil && c.State == document.Held:
		return fmt.Sprintf("held by the brake %q: %s", c.Brake, call(c))
	case c != nil:
		return call(c)
	case kept != nil && kept.Suspect.How != "":
		return "kept: " + f.warning
	case f.record.IsDocument():
		return "unchanged"
	case kept != nil && kept.Canonical != "":
		return "not indexed: its text stands at " + kept.Canonical
	case kept != nil && kept.Date != "":
		return "not indexed: it is dated " + kept.Date + ", which a retention rule covers"
	}
	return "not indexed: the page that it names as canonical was not read"
}

// call describes the call by which "sync" would send the change c to the service, and the reason.
func call(c *document.Change) string {
	switch {
	case c.Op == document.Delete:
		return fmt.Sprintf("delete (%s)", c.Cause)
	case c.Cause == document.CauseNew:
		return string(c.Op) + ": the index does not hold it"
	}
	return string(c.Op) + ": " + cmp.Or(strings.Join(c.Fields, ", "), c.Evidence)
}

// fate describes what "sync" does with the document of a missing or unread page. It is empty if the index
// holds no document of the page.
func (e *explanation) fate(url string) string {
	f := e.fact(url)
	c, rec := f.change, f.record
	if url == e.url {
		rec = e.Record
	}
	const holds = "; the index holds it, and "
	switch {
	case !rec.IsDocument():
		return ""
	case c == nil && f.next != nil && f.next.Misses > 0:
		return holds + "sync deletes it when delete.confirm runs agree"
	case c == nil:
		return holds + "it stays"
	case c.State == document.Held:
		return fmt.Sprintf("%sthe brake %q holds its delete", holds, c.Brake)
	case c.Op == document.Queue:
		return holds + "sync tells the hosted crawler"
	case c.Needs != "":
		return holds + "sync deletes it once that page is there"
	}
	return holds + "sync deletes it"
}

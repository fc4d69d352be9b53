package judge

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"sitesync/internal/document"
)

// Invariant 3: nothing is deleted on silence, whatever the facts are; and no verdict says more than its facts.
func TestNothingIsDeletedOnSilence(t *testing.T) {
	for seed := range uint64(20_000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		policy := tonight(anyPolicy(rng))
		facts := anyFacts(rng)
		v := Judge(facts, policy)
		for _, fault := range faults(facts, v) {
			t.Errorf("seed %d: %s: %s", seed, fault, sketch(v))
		}
		rng = rand.New(rand.NewPCG(seed, 1))
		anyPolicy(rng)
		again := anyFacts(rng)
		if !reflect.DeepEqual(facts, again) {
			t.Errorf("seed %d: the facts were written to", seed)
		}
		if !reflect.DeepEqual(v, Judge(again, policy)) {
			t.Errorf("seed %d: the same facts got another verdict", seed)
		}
		if t.Failed() {
			return
		}
	}
}

// faults returns in which ways a verdict breaks what holds for every verdict.
func faults(f Facts, v Verdict) []string {
	var all []string
	must := func(ok bool, format string, args ...any) {
		if !ok {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	if c := v.Change; c != nil {
		must(v.Next == nil && !v.Drop, "a change and an observation of one record")
		must(c.ID == f.URL, "a change of %s", c.ID)
		must(c.Cause != "", "a change without a cause")
		must(c.Next == nil || c.Next.ID == f.URL, "a change that leaves another record")
		must(c.Op != document.Patch || f.Record != nil && f.Record.Push == document.PushOK, "a patch of a document that is not acknowledged")
		must(c.Op != document.Delete || mayDelete(f), "a delete on silence")
		must(c.Op != document.Delete || c.Evidence != "", "a delete without evidence")
		must(c.Op != document.Delete || !c.Next.IsDocument(), "a delete that leaves a document")
		must(c.Op == document.Delete || acknowledges(f, c.Next), "a %s that would acknowledge something else", c.Op)
		must((c.Needs != "") == (c.Cause == document.CauseMoved || c.Cause == document.CauseDuplicate || c.Cause == document.CauseRedirected && f.Target.State == TargetLive), "cause %s with need %q", c.Cause, c.Needs)
		must(c.Doubt == (f.Record != nil && (f.Record.Push == document.PushDoubt || c.Op == document.Delete && f.Record.Push == document.PushRefused)), "a doubt that the record does not share")
	}
	if f.Record.IsDocument() {
		must(!v.Drop, "a document forgotten without a call")
		must(v.Next == nil || stays(f.Record, v.Next), "a document changed without a call")
	} else {
		must(!v.Next.IsDocument(), "a document made without a call")
	}
	if v.Next != nil {
		must(v.Next.ID == f.URL && len(v.Next.Looks) <= document.MaxLooks, "a bad record is kept")
	}
	must(!v.Unseen || f.Record.IsDocument() && (v.Change == nil || f.Sighting.Canonical != ""), "what is no document, or changes, is unseen")
	must((v.Failure != nil) == (f.Sighting != nil && unread(f.Sighting) && v.Change == nil && !v.Drop), "a failure without an unread page, or the reverse")
	return all
}

// mayDelete reports whether the facts hold more than silence: an answer that says
// that the document is to go, or a page that is there and gives way.
func mayDelete(f Facts) bool {
	s := f.Sighting
	switch {
	case s == nil || !f.Record.IsDocument():
		return false
	case unread(s), s.Seen == document.Elsewhere:
		return f.Record.Standing.All >= refusedNights || s.Refusal != "" && f.Target.State == TargetLive
	}
	givesWay := f.Expired != "" || s.Canonical != "" && f.Target.State == TargetLive && f.Target.Alike
	switch s.Seen {
	case document.Kept:
		return givesWay
	case document.Read:
		return givesWay || f.HostFull && !f.Linked && !s.InSitemap
	case document.Moved:
		return f.Target.State == TargetLive || f.Target.State == TargetForeign || f.Target.State == TargetDead || f.Record.Standing.All >= refusedNights
	}
	return true
}

func unread(s *document.Sighting) bool {
	return !slices.Contains([]document.Seen{
		document.Read, document.Kept, document.Gone, document.Missing, document.Moved,
		document.Elsewhere, document.NoIndex, document.OutOfScope, document.Disallowed,
	}, s.Seen)
}

// acknowledges reports whether next is the record of the very content that was
// read, with the hints that came with it.
func acknowledges(f Facts, next *document.Record) bool {
	return f.Sighting.Seen == document.Read && f.Content != nil && next != nil && next.Push == document.PushOK &&
		maps.Equal(next.Fields, f.Content.Fields) && next.Hints == f.Sighting.Hints && next.Rules == f.Content.Rules
}

// stays reports whether next says of the index what rec says.
func stays(rec, next *document.Record) bool {
	return next.Push == rec.Push && next.Type == rec.Type && maps.Equal(next.Fields, rec.Fields) &&
		next.Strikes == rec.Strikes && next.Date == rec.Date
}

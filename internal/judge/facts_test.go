package judge

import (
	"math/rand/v2"

	"sitesync/internal/document"
)

func one[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

func coin(rng *rand.Rand) bool { return rng.IntN(2) == 0 }

func anyPolicy(rng *rand.Rand) Policy {
	due := coin(rng)
	return Policy{
		Confirm: rng.IntN(4), OutOfScope: coin(rng), Orphans: coin(rng), MovedAway: coin(rng), RetryParked: coin(rng),
		RecheckDue: func(string, *document.Record) bool { return due },
	}
}

// anyFacts returns facts as a run could gather them: a page that was read and is
// not equal has content, and the delta is that of content and record.
func anyFacts(rng *rand.Rand) Facts {
	f := Facts{
		URL: page, Record: anyRecord(rng), Sighting: anySighting(rng), HostFull: coin(rng), Linked: coin(rng), Expired: one(rng, "", "two years"), Alone: coin(rng),
		Target: Target{
			URL: other, Hops: 1 + rng.IntN(2), Sole: coin(rng), Alike: coin(rng),
			State: one(rng, TargetLive, TargetLive, TargetUnread, TargetDead, TargetForeign, TargetLoop),
		},
	}
	if f.Sighting == nil || f.Sighting.Seen != document.Read {
		return f
	}
	if f.Record != nil && f.Record.Push == document.PushOK && coin(rng) {
		f.Sighting.Same = true
		return f
	}
	f.Content = &Content{
		Type: one(rng, document.PageContent, document.FileContent), Fields: anyFields(rng), Length: rng.IntN(2000),
		Rules: f.Sighting.Rules, Warn: one(rng, nil, []string{"empty-shell"}, []string{"file-without-text"}),
	}
	if f.Record != nil {
		f.Delta = delta(f.Content, f.Record)
	}
	return f
}

func anyRecord(rng *rand.Rand) *document.Record {
	push := one(rng, document.PushNone, document.PushOK, document.PushOK, document.PushDoubt, document.PushRefused)
	r := known(push, misses(rng.IntN(3)), since(one(rng, "", "r1")), hinted(one(rng, "", "e1", "e2")), foldedInto(one(rng, "", other)))
	stood(one(rng, document.RefusedNot, document.RefusedClient, document.LedOut), rng.IntN(40), start-int64(rng.IntN(2)*halfDay))(r)
	r.Fields, r.Listed, r.Rules = anyFields(rng), coin(rng), rules+uint64(rng.IntN(2))
	if push == document.PushNone || push != document.PushOK && coin(rng) {
		one(rng, neverHeld, onceInDoubt)(r)
	}
	if push == document.PushRefused {
		r.Strikes = 1 + rng.IntN(4)
	}
	if push == document.PushOK {
		one(rng, suspect, suspectElse, func(*document.Record) {})(r)
	}
	for range rng.IntN(document.MaxLooks + 1) {
		looked(one(rng, document.Moved, document.Moved, document.Elsewhere, document.Missing, document.Unread, document.Read))(r)
	}
	return one(rng, r, r, r, nil)
}

func anySighting(rng *rand.Rand) *document.Sighting {
	s := saw(one(rng, document.Read, document.Read, document.Kept, document.Gone, document.Missing, document.Moved, document.Elsewhere,
		document.NoIndex, document.OutOfScope, document.Disallowed, document.Unread, "puzzling"))
	s.InSitemap, s.Hints.ETag = coin(rng), one(rng, "", "e1", "e2")
	if s.Seen == document.Unread || s.Seen == document.Elsewhere {
		s.Refusal = one(rng, document.RefusedNot, document.RefusedClient, document.RefusedServer)
	}
	if s.Seen == document.Read {
		s.Rules += uint64(rng.IntN(2))
	}
	if s.Seen == document.Read || s.Seen == document.Kept {
		s.Canonical = one(rng, "", other)
	}
	return one(rng, s, s, s, s, s, s, s, nil)
}

func anyFields(rng *rand.Rand) map[string]document.Hash {
	fields := map[string]document.Hash{}
	for _, name := range []string{"Title", "Content", "Category"} {
		if rng.IntN(4) > 0 {
			fields[name] = document.HashOf(one(rng, name, name+" changed"))
		}
	}
	return fields
}

func delta(c *Content, rec *document.Record) document.Delta {
	var d document.Delta
	for _, name := range []string{"Category", "Content", "Title"} {
		held, was := rec.Fields[name]
		has, is := c.Fields[name]
		switch {
		case was && !is:
			d.Lost = append(d.Lost, name)
		case is && has != held:
			d.Changed = append(d.Changed, name)
		}
	}
	d.Type = c.Type != rec.Type
	return d
}

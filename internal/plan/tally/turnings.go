package tally

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
)

// Turnings counts what changed pages turn to: exactly, on disk.
type Turnings struct {
	sorted *spool.Sorter   // by what they turn to and URL
	mass   []judge.Turning // those that are no coincidence: a few, each being a fifth or 1 % of a host
}

// NewTurnings returns turnings that are sorted in s.
func NewTurnings(s *spool.Scratch) Turnings { return Turnings{sorted: s.Sorter()} }

// Add takes in a page that turns to something that others may turn to as well.
func (t *Turnings) Add(to, url string) { t.sorted.Add(spool.GroupKey(to, url), 0) }

// First returns the first of the masses of pages that turn to what a page does, or to
// nearly the same text.
func (t *Turnings) First(turned []string) judge.Turning {
	for _, to := range turned {
		for _, mass := range t.mass {
			if mass.To == to || mass.Near(to) {
				return mass
			}
		}
	}
	return judge.Turning{}
}

// samples is how many pages of a mass are looked at for what they were alike before.
const samples = 20

// Conclude finds what a mass of all changed pages turns to. documents tells how many a
// URL's host has; saidThat, whether pages said nearly the same before: then nothing took
// their place.
func (t *Turnings) Conclude(changed int, documents func(url string) int, saidThat func(body document.Print, urls []string) (bool, error)) error {
	for to, urls := range spool.Grouped(t.sorted) {
		turning := judge.Turning{To: to}
		var first []string
		for url := range urls {
			turning.Pages++
			if len(first) < samples {
				first = append(first, url)
			}
		}
		turning.First, turning.Documents = first[0], documents(first[0])
		if !turning.Mass(changed) {
			continue
		}
		if !turning.IsPage() {
			alike, err := saidThat(turning.Print(), first)
			if err != nil {
				return err
			}
			if alike {
				continue
			}
		}
		t.mass = append(t.mass, turning)
	}
	return nil
}

// keptTrips is how many reasons for holding something a run names one by one: those
// that hold most.
const keptTrips = 100

// Trips sums up what brakes hold, by reason.
type Trips map[tripKey]*document.Tripped

// tripKey is what the changes have in common that one reason holds. The release has
// the cause of a change where it matters.
type tripKey struct {
	brake   document.Brake
	group   string
	release document.Command
}

// Count counts one held change; the first names what there is to say of its reason.
func (t Trips) Count(held document.Tripped) {
	key := tripKey{held.Brake, held.Group, held.Release}
	if t[key] == nil {
		t[key] = &held
	}
	t[key].Held++
}

// Sums returns the reasons, those that hold most first, given those of the last runs and the
// start of this one. Beyond keptTrips one line for
// each brake stands for the others, two where only a part of them can be released.
func (t Trips) Sums(before []document.Tripped, start int64) []document.Tripped {
	since := map[tripKey]int64{}
	for _, trip := range before {
		since[tripKey{trip.Brake, trip.Group, trip.Release}] = trip.Since
	}
	var all []document.Tripped
	for key, trip := range t {
		trip.Since = cmp.Or(since[key], start)
		all = append(all, *trip)
	}
	slices.SortFunc(all, func(a, b document.Tripped) int {
		return cmp.Or(cmp.Compare(b.Held, a.Held), cmp.Compare(a.Brake, b.Brake), strings.Compare(a.Group, b.Group), cmp.Compare(a.Release, b.Release))
	})
	if len(all) <= keptTrips {
		return all
	}
	kept := all[:keptTrips:keptTrips]
	for _, trip := range all[keptTrips:] {
		release := document.Command("sitesync approve --all")
		if trip.Release == "" {
			release = ""
		}
		at := slices.IndexFunc(kept, func(k document.Tripped) bool {
			return k.Group == document.OtherGroups && k.Brake == trip.Brake && k.Release == release
		})
		if at < 0 {
			at = len(kept)
			kept = append(kept, document.Tripped{Brake: trip.Brake, Group: document.OtherGroups, Why: "more groups of this kind, with fewer changes each", Release: release})
		}
		kept[at].Held += trip.Held
	}
	return kept
}

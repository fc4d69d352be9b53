package tally

import (
	"cmp"
	"fmt"
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
func (t *Turnings) Add(to judge.Turn, url string) {
	t.sorted.Add(spool.GroupKey(cmp.Or(to.Page, fmt.Sprintf("%016x", uint64(to.Text))), url), int64(to.Text))
}

// First returns the first of the masses of pages that turn to what a page does, or to
// nearly the same text.
func (t *Turnings) First(turned []judge.Turn) judge.Turning {
	for _, to := range turned {
		for _, mass := range t.mass {
			if mass.Takes(to) {
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
		var turning judge.Turning
		var first []string
		for url, text := range urls {
			turning.Pages++
			turning.To.Text = document.Print(text)
			if len(first) < samples {
				first = append(first, url)
			}
		}
		if turning.To.Text == 0 {
			turning.To.Page = to
		}
		turning.First, turning.Documents = first[0], documents(first[0])
		if !turning.Mass(changed) {
			continue
		}
		if turning.To.Page == "" {
			alike, err := saidThat(turning.To.Text, first)
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

// Trips sums up what brakes hold, by what the changes have in common that one command releases.
type Trips map[judge.Hold]*trip

type trip struct {
	hold judge.Hold // of the first change
	held int
}

// Count counts one held change; the first names what there is to say of its reason.
func (t Trips) Count(h judge.Hold) {
	key := judge.Hold{Brake: h.Brake, Place: h.Place, Release: h.Release}
	if h.Release == judge.ReleaseCause {
		key.Cause = h.Cause
	}
	if t[key] == nil {
		t[key] = &trip{hold: h}
	}
	t[key].held++
}

// Sums returns the reasons in words, those that hold most first, given those of the last runs
// and the start of this one.
func (t Trips) Sums(tell func(judge.Hold) document.Tripped, before []document.Tripped, start int64) (all []document.Tripped) {
	reason := func(t *document.Tripped) document.Tripped {
		return document.Tripped{Brake: t.Brake, Group: t.Group, Release: t.Release}
	}
	since := map[document.Tripped]int64{}
	for i := range before {
		since[reason(&before[i])] = before[i].Since
	}
	for _, trip := range t {
		told := tell(trip.hold)
		told.Held, told.Since = trip.held, cmp.Or(since[reason(&told)], start)
		all = append(all, told)
	}
	slices.SortFunc(all, func(a, b document.Tripped) int {
		return cmp.Or(cmp.Compare(b.Held, a.Held), cmp.Compare(a.Brake, b.Brake), strings.Compare(a.Group, b.Group), cmp.Compare(a.Release, b.Release))
	})
	return all
}

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

// Turnings counts on disk the pages of each turning: one text or address that several changed pages now show.
type Turnings struct {
	sorted *spool.Sorter   // texts and addresses that pages now show, each with the page's URL
	mass   []judge.Turning // the few turnings with too many pages for a coincidence
}

// NewTurnings returns Turnings that use temporary files in s.
func NewTurnings(s *spool.Scratch) Turnings { return Turnings{sorted: s.Sorter()} }

// Add adds a changed page that now shows a text or leads to an address.
func (t *Turnings) Add(to judge.Turn, url string) {
	t.sorted.Add(spool.GroupKey(cmp.Or(to.Page, fmt.Sprintf("%016x", uint64(to.Text))), url), int64(to.Text))
}

// First returns a mass turning (a turning of too many pages) to one of the given addresses, or to nearly the
// same text as a given one. It returns the zero value if no mass turning fits.
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

const samples = 20

// Conclude finds the mass turnings: those with too many pages for a coincidence. changed is the number of all
// changed pages. documents returns the number of documents of a URL's host. saidThat reports whether the
// pages at urls had similar texts before this run; if so, Conclude ignores their turning.
func (t *Turnings) Conclude(
	changed int, documents func(url string) int, saidThat func(body document.Print, urls []string) (bool, error),
) error {
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

// Trips groups held changes by the brake (limit) that holds them. One command releases a whole group.
type Trips map[judge.Hold]*trip

type trip struct {
	first judge.Hold
	held  int
}

// Count adds one held change.
func (t Trips) Count(h judge.Hold) {
	key := judge.Hold{Brake: h.Brake, Place: h.Place, Release: h.Release}
	if h.Release == judge.ReleaseCause {
		key.Cause = h.Cause
	}
	if t[key] == nil {
		t[key] = &trip{first: h}
	}
	t[key].held++
}

// Sums returns the groups, the largest first. tell puts a reason into words. A group that is also
// in the list "before" keeps its Since. Any other group gets start, the start of this run in Unix seconds.
func (t Trips) Sums(
	tell func(judge.Hold) document.Tripped, before []document.Tripped, start int64,
) (all []document.Tripped) {
	reason := func(t *document.Tripped) document.Tripped {
		return document.Tripped{Brake: t.Brake, Group: t.Group, Release: t.Release}
	}
	since := map[document.Tripped]int64{}
	for i := range before {
		since[reason(&before[i])] = before[i].Since
	}
	for _, trip := range t {
		told := tell(trip.first)
		told.Held, told.Since = trip.held, cmp.Or(since[reason(&told)], start)
		all = append(all, told)
	}
	slices.SortFunc(all, func(a, b document.Tripped) int {
		return cmp.Or(cmp.Compare(b.Held, a.Held), cmp.Compare(a.Brake, b.Brake),
			strings.Compare(a.Group, b.Group), cmp.Compare(a.Release, b.Release))
	})
	return all
}

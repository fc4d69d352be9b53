package plan

import (
	"strings"

	"sitesync/internal/judge"
	"sitesync/internal/spool"
)

// turnings counts what changed pages turn to: exactly, on disk.
type turnings struct {
	sorted *spool.Sorter            // by what they turn to and URL
	mass   map[string]judge.Turning // those that are no coincidence: a few, each being a fifth
}

// add takes in a page that turns to something that others may turn to as well.
func (t *turnings) add(to, url string) error { return t.sorted.Add(to+"\x00"+url, 0) }

// first returns the first of what a page turns to that a mass of pages does.
func (t *turnings) first(turned []string) judge.Turning {
	for _, to := range turned {
		if mass, found := t.mass[to]; found {
			return mass
		}
	}
	return judge.Turning{}
}

// settle finds what a mass of all changed pages turns to.
func (t *turnings) settle(changed int) {
	t.mass = map[string]judge.Turning{}
	var run judge.Turning
	end := func() {
		if run.Mass(changed) {
			t.mass[run.To] = run
		}
	}
	for item := range t.sorted.All() {
		to, url, _ := strings.Cut(item.Key, "\x00")
		if to != run.To {
			end()
			run = judge.Turning{To: to, First: url}
		}
		run.Pages++
	}
	end()
}

package ledger

import (
	"cmp"
	_ "embed"
	"slices"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

// holding is what runs held, and why.
type holding struct {
	Groups   []*heldGroup                  `json:"groups"` // the largest first
	Changes  []*heldChange                 `json:"held"`   // in the order of the runs
	states   map[string]document.HostState // by origin
	Approved int                           `json:"-"` // of all
}

// heldGroup is what one brake holds for one cause.
type heldGroup struct {
	heldKey
	Count    int              `json:"count"`
	Approved int              `json:"approved"` // of those
	Why      string           `json:"why"`
	Release  document.Command `json:"release,omitempty"` // empty: nothing releases it
	Mend     string           `json:"mend,omitempty"`
	Since    int64            `json:"since,omitempty"` // Unix seconds
	Other    string           `json:"-"`               // since when, and what to do where the site is wrong

	Changes []*heldChange `json:"-"`
	Does    string        `json:"-"` // what the changes do
}

type heldKey struct {
	Op    document.Op    `json:"op"`
	Cause document.Cause `json:"cause"`
	Brake document.Brake `json:"brake"`
	Group string         `json:"group,omitempty"`
}

type heldChange struct {
	document.Entry
	Approved bool `json:"approved"` // the next run sends it, where it is still due
}

// heldNow returns what the runs of app.HoldingRuns held, with commands as they must be typed.
func heldNow(a *app.App, ledger *diffstore.Ledger) (*holding, error) {
	h := &holding{Groups: []*heldGroup{}, Changes: []*heldChange{}, states: map[string]document.HostState{}}
	runs, err := app.HoldingRuns(ledger)
	if err != nil {
		return h, err
	}
	var brakes []document.Tripped
	for _, run := range runs {
		brakes = append(brakes, run.Brakes...)
		for _, host := range run.Hosts {
			if h.states[host.Host] == "" {
				h.states[host.Host] = host.State
			}
		}
	}
	groups := map[heldKey]*heldGroup{}
	for e, err := range app.Held(ledger) {
		if err != nil {
			return nil, err
		}
		approved, err := ledger.Approved(&e)
		if err != nil {
			return nil, err
		}
		key := heldKey{e.Op, e.Cause, e.Brake, e.Group}
		group := groups[key]
		if group == nil {
			group = key.tripped(brakes)
			group.Release = a.Spell(group.Release)
			groups[key], h.Groups = group, append(h.Groups, group)
		}
		group.Count++
		if approved {
			group.Approved++
			h.Approved++
		}
		change := &heldChange{e, approved}
		group.Changes, h.Changes = append(group.Changes, change), append(h.Changes, change)
	}
	slices.SortStableFunc(h.Groups, func(a, b *heldGroup) int { return cmp.Compare(b.Count, a.Count) })
	return h, nil
}

// tripped returns a group without changes, with what the brakes of the runs say of it.
func (k heldKey) tripped(brakes []document.Tripped) *heldGroup {
	g, fit := &heldGroup{heldKey: k, Does: k.does()}, 0
	for _, trip := range brakes {
		this := 1
		switch {
		case trip.Brake != k.Brake, trip.Group != k.Group:
			continue
		case trip.Release == report.ApproveCause(k.Cause):
			this = 2
		}
		if this > fit {
			fit, g.Why, g.Release = this, trip.Why, trip.Release
			g.Mend, g.Since, g.Other = trip.Mend, trip.Since, report.MendLine(&trip)
		}
	}
	return g
}

// does says what changes of the group do.
func (k heldKey) does() string {
	if k.Op == document.Put && k.Cause == document.CauseNew {
		return "add"
	}
	return map[document.Op]string{document.Delete: "delete", document.BulkDelete: "delete", document.Put: "put", document.Patch: "update", document.Queue: "report"}[k.Op]
}

//go:embed held.txt
var heldPage string

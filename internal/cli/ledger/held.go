package ledger

import (
	_ "embed"
	"math"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

// holding is the set of changes that brakes (limits on suspicious changes) hold now, with the reasons.
type holding struct {
	Groups   []*report.Held `json:"groups"` // the largest first
	Changes  []*heldChange  `json:"held"`   // in the order of the runs
	states   map[string]document.HostState
	Approved int      `json:"-"` // number of approved changes
	Lines    []string `json:"-"` // text lines that describe Groups
}

type heldChange struct {
	document.Entry
	Approved bool `json:"approved"` // true: the next run sends the change if the change is still due
}

func heldNow(a *app.App, ledger *diffstore.Ledger) (*holding, error) {
	h := &holding{Changes: []*heldChange{}, states: map[string]document.HostState{}}
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
	sum := report.Holding{Brakes: a.Releases(brakes), Most: report.Few}
	if a.Verbose {
		sum.Most = math.MaxInt
	}
	for e, err := range app.Held(ledger) {
		if err != nil {
			return nil, err
		}
		approved, err := ledger.Approved(&e)
		if err != nil {
			return nil, err
		}
		sum.Add(&e, approved)
		if approved {
			h.Approved++
		}
		h.Changes = append(h.Changes, &heldChange{e, approved})
	}
	h.Groups = sum.Groups()
	for _, group := range h.Groups {
		lines := group.Lines(a.Spell("sitesync held -v"), a.Spell("sitesync explain -v"))
		h.Lines = append(append(h.Lines, ""), lines...)
	}
	return h, nil
}

//go:embed held.txt
var heldPage string

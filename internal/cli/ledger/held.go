package ledger

import (
	_ "embed"
	"math"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

// holding is what runs held, and why.
type holding struct {
	Groups   []*report.Held                `json:"groups"` // the largest first
	Changes  []*heldChange                 `json:"held"`   // in the order of the runs
	states   map[string]document.HostState // by origin
	Approved int                           `json:"-"` // of all
	Lines    []string                      `json:"-"` // that tell of the groups
}

type heldChange struct {
	document.Entry
	Approved bool `json:"approved"` // the next run sends it, where it is still due
}

// heldNow returns what the runs of app.HoldingRuns held, with commands as they must be typed.
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
		h.Lines = append(append(h.Lines, ""), group.Lines(a.Spell("sitesync held -v"), a.Spell("sitesync explain -v"))...)
	}
	return h, nil
}

//go:embed held.txt
var heldPage string

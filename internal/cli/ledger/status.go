package ledger

import (
	_ "embed"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
)

// Commands returns the commands of this package, such as status and held.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{
		showing(a, "status", "Show what the ledger holds and how the last run ended", statusPage, readStanding),
		showing(a, "held", "Show the changes that brakes hold, and what releases them", heldPage, heldNow),
		historyCommand(a), approveCommand(a), adoptCommand(a), backupCommand(a), restoreCommand(a),
	}
}

type standing struct {
	Target    *document.Target       `json:"target"` // nil: nothing was pushed yet
	Mode      string                 `json:"mode"`
	Documents tally                  `json:"documents"`
	Parked    []trouble              `json:"parked"`
	Doubt     []trouble              `json:"doubt"`
	Failing   []trouble              `json:"failing"` // pages that could not be read
	Held      map[document.Brake]int `json:"held"`    // held changes, by brake (limit on suspicious changes)
	Last      *document.Summary      `json:"last,omitempty"`
	LastSent  *document.Summary      `json:"last_sent,omitempty"` // last run that sent changes; nil if that is Last
	Ended     string                 `json:"-"`                   // how the last run ended
	ShowsHeld document.Command       `json:"-"`
}

type tally struct {
	Acknowledged int `json:"acknowledged"`
	Doubt        int `json:"doubt"`
	Refused      int `json:"refused"`
	Parked       int `json:"parked"`
	Other        int `json:"other"` // URLs without a document
}

type trouble struct {
	ID     string `json:"id"`
	Reason string `json:"reason,omitempty"`
	Since  string `json:"since,omitempty"` // ID of the run in which the trouble began
}

// showing returns a command that shows the result of read, as JSON or as text. page is the text's template.
func showing[T any](
	a *app.App, use, short, page string, read func(*app.App, *diffstore.Ledger) (T, error),
) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs}
	cmd.RunE = a.RunReading(func(ledger *diffstore.Ledger, _ []string) error {
		found, err := read(a, ledger)
		if err != nil {
			return err
		}
		return a.Show(found, page)
	})
	app.JSONFlag(cmd, &a.JSON)
	return cmd
}

func readStanding(a *app.App, ledger *diffstore.Ledger) (*standing, error) {
	s := &standing{
		ShowsHeld: a.Spell("sitesync held"), Held: map[document.Brake]int{},
		Parked: []trouble{}, Doubt: []trouble{}, Failing: []trouble{},
	}
	target, found, err := ledger.Target()
	if err != nil {
		return nil, err
	}
	if found {
		s.Target = &target
	}
	s.Mode, err = ledger.Mode()
	if err != nil {
		return nil, err
	}
	for rec, err := range ledger.Briefs() {
		if err != nil {
			return nil, err
		}
		s.count(rec)
	}
	held, err := heldNow(a, ledger)
	if err != nil {
		return nil, err
	}
	for _, g := range held.Groups {
		s.Held[g.Brake] += g.Count
	}
	s.Last, s.LastSent, err = lastRuns(ledger)
	if s.Last != nil {
		s.Ended = lastRun(s.Last)
	}
	return s, err
}

// lastRuns returns the newest run and, if that run sent nothing, the newest run that sent changes.
func lastRuns(ledger *diffstore.Ledger) (last, sent *document.Summary, err error) {
	for run, err := range ledger.History() {
		switch {
		case err != nil:
			return nil, nil, err
		case last == nil:
			last = &run
		case !run.Unsent:
			sent = &run
		}
		if !run.Unsent {
			break
		}
	}
	return last, sent, nil
}

func (s *standing) count(rec *document.Record) {
	this := trouble{ID: rec.ID, Reason: rec.Reason, Since: rec.Since}
	switch rec.Push {
	case document.PushOK:
		s.Documents.Acknowledged++
	case document.PushDoubt:
		s.Documents.Doubt++
		s.Doubt = append(s.Doubt, this)
	case document.PushRefused:
		s.Documents.Refused++
	default:
		s.Documents.Other++
	}
	switch {
	case rec.Parked():
		s.Documents.Parked++
		s.Parked = append(s.Parked, this)
	case rec.Since != "" && rec.Push != document.PushRefused:
		s.Failing = append(s.Failing, trouble{ID: rec.ID, Since: rec.Since})
	}
}

//go:embed status.txt
var statusPage string

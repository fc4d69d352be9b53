package ledger

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/plan/past"
	"sitesync/internal/report"
)

// Commands returns the commands of this package, which work on a.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{
		statusCommand(a), historyCommand(a), heldCommand(a), approveCommand(a),
		adoptCommand(a), backupCommand(a), restoreCommand(a), rebuildCommand(a),
	}
}

// standing is all that status tells.
type standing struct {
	Target    *document.Target       `json:"target"` // null: nothing was pushed yet
	Mode      string                 `json:"mode"`
	Documents tally                  `json:"documents"`
	Oldest    *oldest                `json:"oldest,omitempty"` // the document that was not read for the longest time
	Parked    []trouble              `json:"parked"`
	Doubt     []trouble              `json:"doubt"`
	Failing   []trouble              `json:"failing"` // pages that can't be read
	Held      map[document.Brake]int `json:"held"`    // by the last run that sent what was due
	Hosts     []hostTrust            `json:"hosts"`
	Last      *report.Past           `json:"last,omitempty"`
	LastSent  *report.Past           `json:"last_sent,omitempty"` // where the last one sent nothing
}

// tally counts the records by what the service said.
type tally struct {
	Acknowledged int `json:"acknowledged"`
	Doubt        int `json:"doubt"`
	Refused      int `json:"refused"`
	Parked       int `json:"parked"`
	Other        int `json:"other"` // URLs without a document
}

type oldest struct {
	URL     string `json:"url"`
	Fetched int64  `json:"fetched"` // start of the run that read it in full, Unix seconds
}

// trouble is a record that status names.
type trouble struct {
	ID     string `json:"id"`
	Reason string `json:"reason,omitempty"`
	Since  string `json:"since,omitempty"` // the run in which it began
}

// hostTrust is what a host's hints were worth so far.
type hostTrust struct {
	Host       string      `json:"host"`
	Validators past.Belief `json:"validators"`
	Lastmod    past.Belief `json:"lastmod"`
}

func statusCommand(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "status", Short: "Show what the ledger holds and how the last run ended", Args: cobra.NoArgs}
	cmd.RunE = a.RunReading(func(ledger *diffstore.Ledger, _ []string) error {
		s, err := readStanding(ledger)
		switch {
		case err != nil:
			return err
		case asJSON:
			return report.Object(a.Stdout, s)
		}
		s.print(a)
		return nil
	})
	app.JSONFlag(cmd, &asJSON)
	return cmd
}

func readStanding(ledger *diffstore.Ledger) (*standing, error) {
	s := &standing{Parked: []trouble{}, Doubt: []trouble{}, Failing: []trouble{}, Held: map[document.Brake]int{}, Hosts: []hostTrust{}}
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
	err = ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
		rec, err := decode(true)
		if err == nil {
			s.count(id, rec)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	held, err := heldNow(ledger)
	if err != nil {
		return nil, err
	}
	for _, g := range held.Groups {
		s.Held[g.Brake] += g.Count
	}
	hosts, err := ledger.Hosts()
	if err != nil {
		return nil, err
	}
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		validators, lastmod := past.Beliefs(hosts[host])
		s.Hosts = append(s.Hosts, hostTrust{host, validators, lastmod})
	}
	for run, err := range ledger.History() { // the last, and where that sent nothing the last that did
		if err != nil {
			return nil, err
		}
		if s.Last == nil {
			s.Last = report.NewPast(&run)
		} else if !run.Unsent {
			s.LastSent = report.NewPast(&run)
		}
		if !run.Unsent {
			break
		}
	}
	return s, nil
}

func (s *standing) count(id string, rec *document.Record) {
	this := trouble{ID: id, Reason: rec.Reason, Since: rec.Since}
	switch rec.Push {
	case document.PushOK:
		s.Documents.Acknowledged++
		if s.Oldest == nil || rec.Fetched < s.Oldest.Fetched {
			s.Oldest = &oldest{id, rec.Fetched}
		}
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
		s.Failing = append(s.Failing, trouble{ID: id, Since: rec.Since})
	}
}

func (s *standing) print(a *app.App) {
	head := document.Count(s.Documents.Acknowledged, "document")
	if s.Target == nil {
		head = "nothing was pushed yet"
	}
	if s.Last != nil {
		head += ", " + lastRun(s.Last.Summary)
	}
	a.Print("%s", head)
	if s.LastSent != nil {
		a.Print("last run that sent what was due: %s", report.PastLine(s.LastSent.Summary))
	}
	if s.Last != nil {
		for _, h := range s.Last.Hosts {
			for _, alarm := range h.Alarms {
				a.Print("  host %s: %s", h.Host, alarm)
			}
		}
	}
	for _, brake := range slices.Sorted(maps.Keys(s.Held)) {
		a.Print("held by the brake %q: %d; sitesync held shows them", brake, s.Held[brake])
	}
	printTroubles(a, "in doubt", "sent again by the next run", s.Doubt, a.Verbose)
	printTroubles(a, "parked", "sync --retry-parked tries them again", s.Parked, true)
	printTroubles(a, "failing", "their documents stay in the index", s.Failing, a.Verbose)
	if t, d := s.Target, s.Documents; t != nil && (a.Verbose || d.Doubt+d.Refused > 0) {
		a.Print("documents: %d acknowledged, %d in doubt, %d refused (%d parked); %s", d.Acknowledged, d.Doubt, d.Refused, d.Parked, document.Count(d.Other, "other URL"))
	}
	if !a.Verbose {
		return
	}
	if t := s.Target; t != nil {
		a.Print("index: customer %d, crawler %s at %s", t.Customer, t.Crawler, t.Base)
		a.Print("origins: %s", strings.Join(t.Origins, ", "))
		a.Print("mode: %s", s.Mode)
	}
	if s.Oldest != nil {
		a.Print("least recently read in full: %s, on %s", s.Oldest.URL, app.Day(s.Oldest.Fetched))
	}
	for _, h := range s.Hosts {
		a.Print("trust in %s: validators %s; lastmod %s", h.Host, h.Validators, h.Lastmod)
	}
}

// statusLines is how many records of a kind status names unless all are asked for.
const statusLines = 40

// printTroubles counts what there is of a kind, and lists it.
func printTroubles(a *app.App, kind, next string, all []trouble, listed bool) {
	if len(all) == 0 {
		return
	}
	if !listed {
		a.Print("%s: %d; %s; -v lists them", kind, len(all), next)
		return
	}
	a.Print("%s: %d; %s", kind, len(all), next)
	for i, t := range all {
		if i == statusLines && !a.Verbose {
			a.Print("  … and %d more; -v lists all", len(all)-i)
			return
		}
		if t.Reason != "" {
			t.Reason = ": " + t.Reason
		}
		if t.Since != "" {
			t.Since = " (since run " + t.Since + ")"
		}
		a.Print("  %s%s%s", t.ID, t.Reason, t.Since)
	}
}

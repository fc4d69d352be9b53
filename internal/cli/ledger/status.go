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
	for _, e := range held.changes {
		s.Held[e.Brake]++
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
	if t, d := s.Target, s.Documents; t == nil {
		a.Print("nothing was pushed yet")
	} else {
		a.Print("index: customer %d, crawler %s at %s", t.Customer, t.Crawler, t.Base)
		a.Print("origins: %s", strings.Join(t.Origins, ", "))
		a.Print("mode: %s", s.Mode)
		a.Print("documents: %d acknowledged, %d in doubt, %d refused (%d parked); %s", d.Acknowledged, d.Doubt, d.Refused, d.Parked, document.Count(d.Other, "other URL"))
	}
	if s.Oldest != nil {
		a.Print("least recently read in full: %s, on %s", s.Oldest.URL, app.Day(s.Oldest.Fetched))
	}
	printTroubles(a, "in doubt", "sent again by the next run", s.Doubt, a.Verbose)
	printTroubles(a, "parked", "sync --retry-parked tries them again", s.Parked, true)
	printTroubles(a, "failing", "their documents stay in the index", s.Failing, a.Verbose)
	for _, brake := range slices.Sorted(maps.Keys(s.Held)) {
		a.Print("held by the brake %q: %d; sitesync held shows them", brake, s.Held[brake])
	}
	for _, h := range s.Hosts {
		a.Print("trust in %s: validators %s; lastmod %s", h.Host, h.Validators, h.Lastmod)
	}
	if s.Last != nil {
		a.Print("last run: %s", report.PastLine(s.Last.Summary))
		for _, h := range s.Last.Hosts {
			for _, alarm := range h.Alarms {
				a.Print("  host %s: %s", h.Host, alarm)
			}
		}
	}
	if s.LastSent != nil {
		a.Print("last run that sent what was due: %s", report.PastLine(s.LastSent.Summary))
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

func historyCommand(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "history [RUN]", Short: "Show the runs of the last 90 days, or what one of them did", Args: cobra.MaximumNArgs(1)}
	cmd.RunE = a.RunReading(func(ledger *diffstore.Ledger, args []string) error {
		switch {
		case len(args) == 1:
			return showRun(a, ledger, args[0], asJSON)
		case asJSON:
			return report.Runs(a.Stdout, ledger.History())
		}
		for run, err := range ledger.History() {
			if err != nil {
				return err
			}
			a.Print("%s", report.PastLine(&run))
		}
		return nil
	})
	app.JSONFlag(cmd, &asJSON)
	return cmd
}

func showRun(a *app.App, ledger *diffstore.Ledger, id string, asJSON bool) error {
	run, found, err := ledger.Run(id)
	switch {
	case err != nil:
		return err
	case !found:
		return app.Usagef("there is no run %s; sitesync history lists them", id)
	case asJSON:
		return report.PastRun(a.Stdout, &run, ledger.Entries(id))
	}
	a.Print("%s", report.PastLine(&run))
	if run.Bulk != nil {
		a.Print("%s", report.BulkLine(run.Bulk))
	}
	for i := range run.Scope {
		a.Print("out of scope: %s", report.ScopeLine(&run.Scope[i]))
	}
	for i := range run.Health {
		a.Print("%s", report.HealthLine(&run.Health[i]))
	}
	for e, err := range ledger.Entries(id) {
		if err != nil {
			return err
		}
		a.Print("%s", report.EntryLine(&e))
		if proof := report.EvidenceLine(&e); proof != "" {
			a.Print("%s", proof)
		}
	}
	return nil
}

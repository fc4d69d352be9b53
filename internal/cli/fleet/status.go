package fleet

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/record"
	"sitesync/internal/fleet/site"
	"sitesync/internal/report"
)

func statusCommand(f *fleet) *cobra.Command {
	var group string
	var states []string
	cmd := &cobra.Command{
		Use: "status [SITE...]", Short: "Show the state of each site; for one SITE, its last runs too",
		Long: "Show the state of each site, first of those that need attention; for one SITE, its last runs too.\n\n" +
			"The exit code is that of the worst site: 1 (the last run failed, was interrupted or had wrong\n" +
			"settings; trouble; or an hour late); then 5, 4 (brakes hold changes), 3 (new failures), and 0.",
	}
	cmd.Flags().StringVar(&group, "group", "", "only the sites of the group `G`")
	app.Choices(cmd, &states, "state", "only the sites in `STATE`, or in one of several", allStates()...)
	cmd.RunE = f.onBoard(-1, func(ctx context.Context, d *board, names []string) (err error) {
		o := d.overview(group, states)
		switch {
		case len(names) == 1:
			return f.showSite(ctx, d, names[0])
		case f.a.JSON:
			err = report.Object(f.a.Stdout, o)
		default:
			_, err = fmt.Fprint(f.a.Stdout, o.text())
		}
		return cmp.Or(err, code(o.Exit))
	})
	return cmd
}

//go:embed site.txt
var sitePage string

func (f *fleet) showSite(ctx context.Context, d *board, name string) error {
	runs, err := record.Read(ctx, d.Bus, name)
	if err != nil {
		return err
	}
	page := struct {
		*standing
		Records []record.Run    `json:"runs"`
		Of      site.Site       `json:"-"`
		Is      string          `json:"-"`
		Hosts   []document.Host `json:"-"` // hosts of the last run that are not ok, or have alarms
		Brakes  []string        `json:"-"`
		Runs    []string        `json:"-"`
	}{standing: d.standing(name), Records: figures(runs), Of: d.sites[name]}
	page.Is = words(page.States...)
	for i, r := range runs {
		page.Runs = append(page.Runs, strings.Join(runRow(&r)[1:], "  "))
		if i > 0 {
			continue
		}
		page.Hosts = slices.DeleteFunc(slices.Clone(r.Hosts), func(h document.Host) bool {
			return h.State == document.HostOK && len(h.Alarms) == 0
		})
		for _, brake := range r.Brakes {
			page.Brakes = append(page.Brakes, here(report.BrakeLine(&brake), name))
		}
	}
	return cmp.Or(f.a.Show(page, sitePage), code(page.Exit))
}

// here replaces the commands in text: "sitesync held", for a single site, becomes "sitesync fleet held SITE".
func here(text, site string) string {
	held, approve := "sitesync fleet held "+site, "sitesync fleet approve "+site
	return strings.NewReplacer("sitesync held", held, "sitesync approve", approve).Replace(text)
}

// The states of sites, in the order in which status shows them. A site may have several states.
const (
	notWell = "not-well"
	late    = "late"
	held    = "held"
	running = "running"
	never   = "never"
	well    = "well"
	paused  = "paused"
)

func allStates() []string { return []string{notWell, late, held, running, never, well, paused} }

type standing struct {
	Site    string        `json:"site"`
	Group   string        `json:"group,omitempty"`
	States  []string      `json:"states"`            // in the order of allStates
	Exit    int           `json:"exit"`              // exit code of the command status for this site alone
	Next    time.Time     `json:"next_due,omitzero"` // a time in the past: the site waits for a worker
	NotWell time.Time     `json:"not_well_since,omitzero"`
	Worker  string        `json:"worker,omitempty"` // worker that runs the site
	Since   time.Time     `json:"running_since,omitzero"`
	Silent  time.Time     `json:"silent_since,omitzero"` // last write of a worker that is silent for too long
	Trouble string        `json:"trouble,omitempty"`     // why there is no newer result
	Last    *lease.Result `json:"last,omitempty"`
	Plan    *lease.Plan   `json:"plan,omitempty"` // changes that the run is sending
	Kept    *lease.Kept   `json:"kept,omitempty"` // ledger (what the index holds) that the servers lost
}

func (d *board) standing(name string) *standing {
	of, is, now := d.sites[name], d.states[name], d.now()
	s := &standing{
		Site: name, Group: of.Fleet.Group, Worker: is.Holder, NotWell: is.NotWell,
		Trouble: is.Trouble, Last: is.Last, Plan: is.Plan, Kept: is.Kept,
	}
	in := map[string]bool{paused: of.Paused, running: s.Worker != "", never: s.Last == nil}
	if in[running] {
		s.Since = is.Since
	}
	if in[running] && now.Sub(is.at) > time.Duration(is.Length)*time.Millisecond {
		s.Silent = is.at
	}
	if !of.Paused && of.Damaged == "" {
		after := of.At // a due time counts from the last change or the last run
		if is.Done.After(after) {
			after = is.Done
		}
		s.Next = of.Fleet.Next(name, after)
		in[late] = !s.Next.IsZero() && now.Sub(s.Next) > time.Hour && (!in[running] || !s.Silent.IsZero())
	}
	if is.fault != nil {
		s.Trouble = "its state can't be read: " + is.fault.Error()
	}
	if of.Damaged != "" {
		s.Trouble = strings.TrimPrefix(of.Fault().Error(), name+": ")
	}
	if s.Last != nil {
		in[held], s.Exit = s.Last.Counts.Held > 0, s.Last.Exit
		in[notWell] = s.Exit != app.ExitDone
	}
	in[notWell] = in[notWell] || s.Trouble != "" || is.Kept != nil
	in[well] = s.Last != nil && !in[notWell]
	mild := []int{app.ExitDone, app.ExitNewFailures, app.ExitHeld, app.ExitLocked}
	if in[late] || s.Trouble != "" || !slices.Contains(mild, s.Exit) {
		s.Exit = app.ExitFailed
	}
	if is.Kept != nil && s.Trouble == "" {
		s.Trouble, s.Exit = is.Kept.Text(name), worse(s.Exit, app.ExitNewFailures)
	}
	s.States = slices.DeleteFunc(allStates(), func(state string) bool { return !in[state] })
	return s
}

func worse(a, b int) int {
	order := []int{
		app.ExitDone, app.ExitNewFailures, app.ExitHeld, app.ExitLocked,
		app.ExitUsage, app.ExitFailed, app.ExitInterrupted,
	}
	if slices.Index(order, a) > slices.Index(order, b) {
		return a
	}
	return b
}

func code(exit int) error {
	if exit == app.ExitDone {
		return nil
	}
	return app.CodeError(exit)
}

func ended(exit int) string {
	return cmp.Or(map[int]string{
		app.ExitDone: "done", app.ExitUsage: "wrong settings", app.ExitNewFailures: "new failures",
		app.ExitHeld: "held", app.ExitInterrupted: "interrupted",
	}[exit], "failed")
}

func words(states ...string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(states, ", "), never, "never run"), notWell, "not well")
}

type overview struct {
	Totals map[string]int `json:"totals"` // number of sites by state; "sites" has the number of all sites
	Exit   int            `json:"exit"`
	Sites  []*standing    `json:"sites"`
}

func (d *board) overview(group string, states []string) *overview {
	o := &overview{Totals: map[string]int{}, Sites: []*standing{}}
	for name := range d.sites {
		s := d.standing(name)
		in := func(state string) bool { return slices.Contains(states, state) }
		if group != "" && s.Group != group || len(states) > 0 && !slices.ContainsFunc(s.States, in) {
			continue
		}
		o.Sites, o.Exit = append(o.Sites, s), worse(o.Exit, s.Exit)
		for _, state := range s.States {
			o.Totals[state]++
		}
	}
	o.Totals["sites"] = len(o.Sites)
	slices.SortFunc(o.Sites, func(a, b *standing) int {
		rank := func(s *standing) int { return slices.Index(allStates(), s.States[0]) }
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Site, b.Site))
	})
	return o
}

func (o *overview) text() string {
	text, trouble := document.Count(o.Totals["sites"], "site"), ""
	rows := [][]string{{
		"SITE", "STATE", "RESULT", "WHEN", "NEXT DUE", "HELD", "DOUBT", "DOCUMENTS", "NOT WELL SINCE", "WORKER",
	}}
	sep := ": "
	for _, state := range []string{running, well, notWell, held, late, never, paused} {
		if n := o.Totals[state]; n > 0 || state == well || state == notWell {
			text, sep = text+sep+document.Number(n)+" "+words(state), ", "
		}
	}
	for _, s := range o.Sites {
		result, when, held, doubt, documents := "-", "-", "-", "-", "-"
		if last := s.Last; last != nil {
			result, when, held = ended(last.Exit), moment(last.Start), document.Number(last.Counts.Held)
			doubt, documents = document.Number(last.Doubt), document.Number(last.Documents)
		}
		worker := cmp.Or(s.Worker, "-")
		if !s.Silent.IsZero() {
			worker += " (silent)"
		}
		row := []string{s.Site, words(s.States...), result, when, moment(s.Next), held, doubt, documents}
		rows = append(rows, append(row, moment(s.NotWell), worker))
		if s.Trouble != "" && trouble == "" {
			trouble = report.Clean(s.Site+": "+app.Shorten(s.Trouble)) + "\n"
		}
	}
	return text + "\n\n" + table(rows) + trouble
}

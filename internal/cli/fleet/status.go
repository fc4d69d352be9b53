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
		Use: "status [SITE...]", Short: "Show how each site of the fleet is doing; the exit code says it too",
		Long: "Show how each site of the fleet is doing: those first that want an eye. For one SITE: its last runs as well.\n\n" +
			"The exit code is that of the site that is worst off: 1 where the last run failed, was interrupted or had wrong settings, where there is\n" +
			"trouble, or where a site is an hour late; then 5, 4 (brakes hold changes), 3 (something new failed), and 0 where all is well.",
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
		Hosts   []document.Host `json:"-"` // hosts that are not ok, or have alarms
		Brakes  []string        `json:"-"`
		Runs    []string        `json:"-"`
	}{standing: d.standing(name), Records: figures(runs), Of: d.sites[name]}
	page.Is = words(page.States...)
	for i, r := range runs {
		page.Runs = append(page.Runs, strings.Join(runRow(&r)[1:], "  "))
		if i > 0 {
			continue
		}
		page.Hosts = slices.DeleteFunc(slices.Clone(r.Hosts), func(h document.Host) bool { return h.State == document.HostOK && len(h.Alarms) == 0 })
		for _, brake := range r.Brakes {
			page.Brakes = append(page.Brakes, here(report.BrakeLine(&brake), name))
		}
	}
	return cmp.Or(f.a.Show(page, sitePage), code(page.Exit))
}

// here replaces the commands for one machine in a text by those of a fleet.
func here(text, site string) string {
	return strings.NewReplacer("sitesync held", "sitesync fleet held "+site, "sitesync approve", "sitesync fleet approve "+site).Replace(text)
}

// The states of sites, in the order in which status shows them: first those that need attention. A site
// may be in several.
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

// lateAfter is how long after its due time a site counts as late, if nobody runs it.
const lateAfter = time.Hour

// standing is one site as status shows it.
type standing struct {
	Site    string        `json:"site"`
	Group   string        `json:"group,omitempty"`
	States  []string      `json:"states"`            // in the order of allStates
	Exit    int           `json:"exit"`              // exit code of status for this site alone
	Next    time.Time     `json:"next_due,omitzero"` // a time in the past: the site waits for a worker
	NotWell time.Time     `json:"not_well_since,omitzero"`
	Worker  string        `json:"worker,omitempty"` // worker that runs the site
	Since   time.Time     `json:"running_since,omitzero"`
	Silent  time.Time     `json:"silent_since,omitzero"` // since when that worker has renewed nothing, if its lease has run out
	Trouble string        `json:"trouble,omitempty"`     // why there is no newer result
	Last    *lease.Result `json:"last,omitempty"`
	Plan    *lease.Plan   `json:"plan,omitempty"` // the plan that is being sent
	Kept    *lease.Kept   `json:"kept,omitempty"` // the ledger that the servers lost
}

func (d *board) standing(name string) *standing {
	of, is, now := d.sites[name], d.states[name], d.now()
	s := &standing{
		Site: name, Group: of.Fleet.Group, Worker: is.Holder, NotWell: is.NotWell, Trouble: is.Trouble, Last: is.Last, Plan: is.Plan, Kept: is.Kept,
	}
	in := map[string]bool{paused: of.Paused, running: s.Worker != "", never: s.Last == nil}
	if in[running] {
		s.Since = is.Since
	}
	if in[running] && now.Sub(is.at) > time.Duration(is.Length)*time.Millisecond {
		s.Silent = is.at
	}
	if !of.Paused && of.Damaged == "" {
		after := of.At // a change of the site begins its schedule anew
		if is.Done.After(after) {
			after = is.Done
		}
		s.Next = of.Next(after)
		in[late] = !s.Next.IsZero() && now.Sub(s.Next) > lateAfter && (!in[running] || !s.Silent.IsZero())
	}
	if is.fault != nil {
		s.Trouble = "its state can't be read: " + is.fault.Error()
	}
	if of.Damaged != "" {
		s.Trouble = "what the fleet knows of it can't be read (" + of.Damaged + "); sitesync fleet revert " + name + " takes back the last change"
	}
	if s.Last != nil {
		in[held], s.Exit = s.Last.Counts.Held > 0, s.Last.Exit
		in[notWell] = s.Exit != app.ExitDone
	}
	in[notWell] = in[notWell] || s.Trouble != "" || is.Kept != nil
	in[well] = s.Last != nil && !in[notWell]
	if in[late] || s.Trouble != "" || !slices.Contains([]int{app.ExitDone, app.ExitNewFailures, app.ExitHeld, app.ExitLocked}, s.Exit) {
		s.Exit = app.ExitFailed
	}
	if is.Kept != nil && s.Trouble == "" {
		s.Trouble, s.Exit = is.Kept.Text(name), worse(s.Exit, app.ExitNewFailures)
	}
	s.States = slices.DeleteFunc(allStates(), func(state string) bool { return !in[state] })
	return s
}

// worse returns the worse of two exit codes.
func worse(a, b int) int {
	order := []int{app.ExitDone, app.ExitNewFailures, app.ExitHeld, app.ExitLocked, app.ExitUsage, app.ExitFailed, app.ExitInterrupted}
	if slices.Index(order, a) > slices.Index(order, b) {
		return a
	}
	return b
}

// code returns the error of a command that ends with an exit code, and whose output says why.
func code(exit int) error {
	if exit == app.ExitDone {
		return nil
	}
	return app.CodeError(exit)
}

func ended(exit int) string {
	return cmp.Or(map[int]string{
		app.ExitDone: "done", app.ExitUsage: "wrong settings", app.ExitNewFailures: "new failures", app.ExitHeld: "held", app.ExitInterrupted: "interrupted",
	}[exit], "failed")
}

func words(states ...string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(states, ", "), never, "never run"), notWell, "not well")
}

// overview is the result of status.
type overview struct {
	Totals map[string]int `json:"totals"` // "sites", and how many are in each state
	Exit   int            `json:"exit"`
	Sites  []*standing    `json:"sites"`
}

// overview returns the sites of a group that are in one of the states, in the order of allStates. An empty
// group, and no states, are any.
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
	rows := [][]string{{"SITE", "STATE", "RESULT", "WHEN", "NEXT DUE", "HELD", "DOUBT", "DOCUMENTS", "NOT WELL SINCE", "WORKER"}}
	sep := ": "
	for _, state := range []string{running, well, notWell, held, late, never, paused} {
		if n := o.Totals[state]; n > 0 || state == well || state == notWell {
			text, sep = text+sep+document.Number(n)+" "+words(state), ", "
		}
	}
	for _, s := range o.Sites {
		row := []string{s.Site, words(s.States...), "-", "-", moment(s.Next), "-", "-", "-", moment(s.NotWell), cmp.Or(s.Worker, "-")}
		if s.Last != nil {
			row[2], row[3] = ended(s.Last.Exit), moment(s.Last.Start)
			row[5], row[6], row[7] = document.Number(s.Last.Counts.Held), document.Number(s.Last.Doubt), document.Number(s.Last.Documents)
		}
		if !s.Silent.IsZero() {
			row[9] += " (silent)"
		}
		if s.Trouble != "" && trouble == "" {
			trouble = report.Clean(s.Site+": "+app.Shorten(s.Trouble)) + "\n"
		}
		rows = append(rows, row)
	}
	return text + "\n\n" + table(rows) + trouble
}

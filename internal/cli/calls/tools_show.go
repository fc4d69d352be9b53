package calls

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"sitesync/internal/cli/app"
	"sitesync/internal/report"
	"sitesync/internal/tools"
)

// toolResult is the result of plan and apply.
type toolResult struct {
	Steps  []tools.Step `json:"steps"` // without what is unchanged
	Counts toolCounts   `json:"counts"`
	Moved  []toolMove   `json:"moved"`
	Unread string       `json:"unread,omitempty"` // why the service was not read
	Exit   int          `json:"exit"`

	planned bool // nothing was done yet
}

// toolCounts count what is planned or done, and what is not.
type toolCounts struct {
	Create    int `json:"create"`
	Replace   int `json:"replace"`
	Delete    int `json:"delete"`
	Unchanged int `json:"unchanged"`
	Held      int `json:"held"`
	Unknown   int `json:"unknown"`
	Failed    int `json:"failed"`
}

func (c *toolCounts) count(s tools.Step) {
	counts := map[string]*int{
		string(tools.OpCreate): &c.Create, string(tools.OpReplace): &c.Replace, string(tools.OpDelete): &c.Delete, string(tools.OpNone): &c.Unchanged,
		string(tools.Held): &c.Held, string(tools.Unknown): &c.Unknown, string(tools.Failed): &c.Failed,
	}
	*cmp.Or(counts[string(s.State)], counts[string(s.Op)])++
}

// show writes the result and returns its exit code as an error, or what ended it.
func (r *toolResult) show(a *app.App, all []tools.Step, o toolOptions, runErr error) error {
	r.Steps, r.Moved = []tools.Step{}, append([]toolMove{}, r.Moved...)
	for _, s := range all {
		r.Counts.count(s)
		if s.Op != tools.OpNone || s.State != "" {
			r.Steps = append(r.Steps, s)
		}
	}
	c := r.Counts
	switch {
	case app.IsCredentials(runErr):
		r.Exit = app.ExitUsage
	case c.Failed > 0 || runErr != nil:
		r.Exit = app.ExitFailed
	case c.Held+c.Unknown > 0:
		r.Exit = app.ExitHeld
	case o.detailed && c.Create+c.Replace+c.Delete > 0:
		r.Exit = app.ExitChanges
	}
	if !o.json {
		r.print(a, all)
	} else if err := report.Object(a.Stdout, r); err != nil {
		return errors.Join(runErr, err)
	}
	if runErr == nil && r.Exit != app.ExitDone {
		return app.CodeError(r.Exit)
	}
	return runErr
}

func (r *toolResult) print(a *app.App, all []tools.Step) {
	for _, m := range r.Moved {
		a.Print("moved    %s: %s is sent as %s", m.Line, m.From, m.To)
	}
	unseen := 0
	for _, s := range all {
		if strings.Contains(s.Text, "can't be seen") {
			unseen++
		}
		if s.Op != tools.OpNone || s.State != "" || s.Text != "" && a.Verbose {
			printStep(a, s)
		}
	}
	if r.Unread != "" {
		a.Print("the service was not read, so changes by hand can't be seen: %s", r.Unread)
	}
	if unseen > 0 && !a.Verbose {
		a.Print("the service does not show synonyms: changes by hand of %d can't be seen", unseen)
	}
	format := "%d created, %d replaced, %d deleted, %d unchanged, %d held, %d unknown, %d failed"
	if r.planned {
		format = "%d to create, %d to replace, %d to delete, %d unchanged, %d held, %d unknown, %d failed"
	}
	c := r.Counts
	a.Print(format, c.Create, c.Replace, c.Delete, c.Unchanged, c.Held, c.Unknown, c.Failed)
}

func printStep(a *app.App, s tools.Step) {
	line := fmt.Sprintf("%-8s %s %q", s.Op, s.Kind, s.Name)
	if s.ID != 0 {
		line += fmt.Sprintf(" (%d)", s.ID)
	}
	if s.State != tools.Planned && s.State != tools.Done && s.State != "" {
		line += ": " + string(s.State)
	}
	if s.Text != "" {
		line += ": " + s.Text
	}
	a.Print("%s", line)
	value := func(s string) string { // in one line, cut short unless all is asked for
		s = strings.Join(strings.Fields(s), " ")
		if text := []rune(s); len(text) > 100 && !a.Verbose {
			s = string(text[:100]) + "…"
		}
		return cmp.Or(s, "none")
	}
	for _, c := range s.Changes {
		change := value(c.To)
		if s.Op != tools.OpCreate || c.From != "" {
			change = value(c.From) + " → " + change
		}
		a.Print("           %s: %s", c.Name, change)
	}
}

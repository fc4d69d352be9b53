package calls

import (
	_ "embed"
	"errors"
	"strings"

	"sitesync/internal/cli/app"
	"sitesync/internal/tools"
)

// toolResult is the result of plan and apply.
type toolResult struct {
	Steps  []tools.Step   `json:"steps"`            // without what is unchanged
	Counts map[string]int `json:"counts"`           // of what is planned or done, and of what is not
	Unread string         `json:"unread,omitempty"` // why the service was not read
	Exit   int            `json:"exit"`

	All     []tools.Step `json:"-"`
	Unseen  int          `json:"-"` // tools whose changes by hand can't be seen
	Planned bool         `json:"-"` // nothing was done yet
}

//go:embed tools.txt
var toolsPage string

// show writes the result and returns its exit code as an error, or what ended it.
func (r *toolResult) show(a *app.App, o toolOptions, runErr error) error {
	r.Steps = []tools.Step{}
	r.Counts = map[string]int{"create": 0, "replace": 0, "delete": 0, "unchanged": 0, "held": 0, "unknown": 0, "not_offered": 0, "failed": 0}
	for _, s := range r.All {
		kind, state := string(s.Op), strings.ReplaceAll(string(s.State), "-", "_")
		if _, apart := r.Counts[state]; apart {
			kind = state
		}
		r.Counts[kind]++
		if s.Op != tools.OpNone || s.State != "" {
			r.Steps = append(r.Steps, s)
		}
		if strings.Contains(s.Text, "can't be seen") {
			r.Unseen++
		}
	}
	c := r.Counts
	switch {
	case app.IsCredentials(runErr):
		r.Exit = app.ExitUsage
	case c["failed"] > 0 || runErr != nil:
		r.Exit = app.ExitFailed
	case c["held"]+c["unknown"]+c["not_offered"] > 0:
		r.Exit = app.ExitHeld
	case o.detailed && c["create"]+c["replace"]+c["delete"] > 0:
		r.Exit = app.ExitChanges
	}
	if err := a.Show(r, toolsPage); err != nil {
		return errors.Join(runErr, err)
	}
	if runErr == nil && r.Exit != app.ExitDone {
		return app.CodeError(r.Exit)
	}
	return runErr
}

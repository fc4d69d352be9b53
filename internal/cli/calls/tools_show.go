package calls

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sitesync/internal/cli/app"
	"sitesync/internal/report"
	"sitesync/internal/tools"
	"sitesync/internal/wire"
)

// toolResult is what plan and apply tell.
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

func countTools(steps []tools.Step) (c toolCounts) {
	for _, s := range steps {
		switch {
		case s.State == tools.Held:
			c.Held++
		case s.State == tools.Unknown:
			c.Unknown++
		case s.State == tools.Failed:
			c.Failed++
		case s.Op == tools.OpCreate:
			c.Create++
		case s.Op == tools.OpReplace:
			c.Replace++
		case s.Op == tools.OpNone:
			c.Unchanged++
		default:
			c.Delete++
		}
	}
	return c
}

// showTools writes the result and returns its exit code as an error, or what ended it.
func showTools(a *app.App, r toolResult, o toolOptions, runErr error) error {
	r.Counts = countTools(r.Steps)
	changes := r.Counts.Create + r.Counts.Replace + r.Counts.Delete
	switch {
	case r.Counts.Failed > 0 || runErr != nil:
		r.Exit = app.ExitFailed
	case r.Counts.Held+r.Counts.Unknown > 0:
		r.Exit = app.ExitHeld
	case o.detailed && changes > 0:
		r.Exit = app.ExitChanges
	}
	if runErr != nil && app.IsCredentials(runErr) {
		r.Exit = app.ExitUsage
	}
	all := r.Steps
	r.Steps, r.Moved = []tools.Step{}, append([]toolMove{}, r.Moved...)
	for _, s := range all {
		if s.Op != tools.OpNone || s.State != "" {
			r.Steps = append(r.Steps, s)
		}
	}
	if o.asJSON {
		if err := report.Object(a.Stdout, r); err != nil {
			return errors.Join(runErr, err)
		}
	} else {
		printTools(a, r, all)
	}
	if runErr == nil && r.Exit != app.ExitDone {
		return app.CodeError(r.Exit)
	}
	return runErr
}

func printTools(a *app.App, r toolResult, all []tools.Step) {
	for _, m := range r.Moved {
		a.Print("moved    %s: %s is sent as %s", m.Line, m.From, m.To)
	}
	for _, s := range all {
		if s.Op == tools.OpNone && s.State == "" && (s.Text == "" || !a.Verbose) {
			continue
		}
		printStep(a, s)
	}
	if r.Unread != "" {
		a.Print("the service was not read, so changes by hand can't be seen: %s", r.Unread)
	}
	if n := countText(all, "can't be seen"); n > 0 && !a.Verbose {
		a.Print("the service does not show synonyms: changes by hand of %d can't be seen", n)
	}
	c := r.Counts
	format := "%d created, %d replaced, %d deleted, %d unchanged, %d held, %d unknown, %d failed"
	if r.planned {
		format = "%d to create, %d to replace, %d to delete, %d unchanged, %d held, %d unknown, %d failed"
	}
	a.Print(format, c.Create, c.Replace, c.Delete, c.Unchanged, c.Held, c.Unknown, c.Failed)
}

func countText(steps []tools.Step, text string) (n int) {
	for _, s := range steps {
		if strings.Contains(s.Text, text) {
			n++
		}
	}
	return n
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
	for _, c := range s.Changes {
		if s.Op == tools.OpCreate && c.From == "" {
			a.Print("           %s: %s", c.Name, value(a, c.To))
		} else {
			a.Print("           %s: %s → %s", c.Name, value(a, c.From), value(a, c.To))
		}
	}
}

// value returns one side of a change in one line, cut short unless all is asked for.
func value(a *app.App, s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if text := []rune(s); len(text) > 100 && !a.Verbose {
		s = string(text[:100]) + "…"
	}
	return cmp.Or(s, "none")
}

// backup returns what keeps the JSON of a tool that is about to be lost, in a file of
// its own that replaces none.
func (t *toolbox) backup(now time.Time) func(wire.Kind, int64, []byte) error {
	return func(kind wire.Kind, id int64, raw []byte) error {
		if err := os.MkdirAll(t.cfg.Tools.Backups, 0o700); err != nil {
			return err
		}
		base := fmt.Sprintf("%s-%d-%s", kind, id, now.UTC().Format("20060102T150405Z"))
		for n, name := 2, base; ; n, name = n+1, fmt.Sprintf("%s-%d", base, n) {
			file, err := os.OpenFile(filepath.Join(t.cfg.Tools.Backups, name+".json"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			if err != nil {
				return err
			}
			_, err = file.Write(raw)
			return errors.Join(err, file.Sync(), file.Close())
		}
	}
}

package calls

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/tools"
	"sitesync/internal/wire"
	"sitesync/push"
)

func toolsCommand(a *app.App) *cobra.Command {
	var leave tools.Leave
	var detailed bool
	command := func(name, short string, run func(context.Context) error) *cobra.Command {
		cmd := &cobra.Command{Use: name, Short: short, Args: cobra.NoArgs}
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return run(cmd.Context()) }
		return cmd
	}
	plan := command("plan", "Show what apply would create, replace and delete, and write nothing",
		func(ctx context.Context) error { return toolsPlan(ctx, a, leave, detailed) })
	apply := command("apply", "Make the service's search tools what the file says",
		func(ctx context.Context) error { return toolsApply(ctx, a, leave) })
	check := command("check", "Compare every address that the file leads to with the last crawl",
		func(context.Context) error { return toolsCheck(a) })
	app.JSONFlag(check, &a.JSON)
	for _, cmd := range []*cobra.Command{plan, apply} {
		cmd.Flags().BoolVar(&leave.Force, "force", false, "overwrite what was changed by hand")
		cmd.Flags().BoolVar(&leave.Again, "retry-unknown", false, "create again what may have been created")
		cmd.Flags().BoolVar(&leave.Deletes, "allow-deletes", false, "delete tools that left the file, however many")
		app.JSONFlag(cmd, &a.JSON)
	}
	plan.Flags().BoolVar(&detailed, "detailed-exitcode", false, "exit with 10 instead of 0 when there are changes")
	const short = "Rankings, quicklinks, banners and synonyms from a file"
	return group("tools", short, plan, apply, check, toolsImportCommand(a))
}

type toolbox struct {
	cfg    *config.Config
	file   tools.File
	target document.ToolTarget
}

// openTools reads the configuration and the file of search tools (such as banners). If begin is true, the file
// may be missing. Otherwise that is an error: apply must not delete all tools because the file is missing.
func openTools(a *app.App, begin bool) (*toolbox, error) {
	needs := func(cfg *config.Config) error { return cfg.Require("store", "tools", "site") }
	cfg, err := a.Load(needs, (*config.Config).NeedEvents) // NeedEvents also checks the engine ID
	if err != nil {
		return nil, err
	}
	t := &toolbox{cfg: cfg, target: document.ToolTarget{
		Base: cfg.Push.Base(), Customer: int64(cfg.Push.CustomerID), Engine: int64(cfg.Push.EngineID),
	}}
	err = config.ReadStrict(cfg.Tools.File, &t.file, t.file.Check)
	if !errors.Is(err, fs.ErrNotExist) {
		return t, err
	}
	if !begin {
		return nil, app.Usagef("there is no file of search tools %s (tools.file): write one, or begin it with %s",
			cfg.Tools.File, a.Spell("sitesync tools import"))
	}
	return t, nil
}

func (t *toolbox) known(ledger *diffstore.Ledger) ([]document.Tool, error) {
	known, err := ledger.Tools(t.target)
	if errors.Is(err, diffstore.ErrOtherTools) {
		err = app.Usagef("%w; correct [push], or name another store.path", err)
	}
	return known, err
}

func toolsPlan(ctx context.Context, a *app.App, leave tools.Leave, detailed bool) error {
	t, err := openTools(a, false)
	if err != nil {
		return err
	}
	if err := diffstore.CheckApart(ctx, t.cfg.Store.Path); err != nil {
		return err
	}
	return app.ReadLedger(t.cfg, func(ledger *diffstore.Ledger) error {
		known, err := t.known(ledger)
		if err != nil {
			return err
		}
		var reader tools.Reader
		if len(known) > 0 { // otherwise tools.Plan needs no reader
			if err := t.cfg.NeedPush(); err != nil {
				return err
			}
			client, end, err := app.Dial(a, t.cfg, push.NewTools)
			if err != nil {
				return err
			}
			defer end()
			reader = client
		}
		steps, err := tools.Plan(ctx, t.file.Declared(t.target.Engine), known, reader, leave)
		if err != nil {
			return err
		}
		r := toolResult{All: steps, Planned: true}
		return r.show(a, detailed, nil)
	})
}

// changeTools calls change with the file of search tools, the ledger and a client. The ledger (the record of
// what the service holds) is open for writing. A missing file is an error unless begin is true.
func changeTools(
	ctx context.Context, a *app.App, begin bool, change func(*toolbox, *diffstore.Ledger, *push.Tools) error,
) error {
	t, err := openTools(a, begin)
	if err != nil {
		return err
	}
	if err := t.cfg.NeedPush(); err != nil {
		return err
	}
	if err := diffstore.CheckApart(ctx, t.cfg.Store.Path); err != nil {
		return err
	}
	return a.WriteLedger(t.cfg, func(ledger *diffstore.Ledger) error {
		client, end, err := app.Dial(a, t.cfg, push.NewTools)
		if err != nil {
			return err
		}
		defer end()
		return change(t, ledger, client)
	})
}

func toolsApply(ctx context.Context, a *app.App, leave tools.Leave) error {
	return changeTools(ctx, a, false, func(t *toolbox, ledger *diffstore.Ledger, client *push.Tools) error {
		known, err := t.known(ledger)
		if err != nil {
			return err
		}
		applier := &tools.Applier{
			Service: client, Ledger: ledger, Target: t.target, Stops: app.IsCredentials, Leave: leave,
			Backup: func(kind wire.Kind, id int64, raw []byte) error {
				if err := os.MkdirAll(t.cfg.Tools.Backups, 0o700); err != nil {
					return err
				}
				name := fmt.Sprintf("%s-%d-%s-*.json", kind, id, a.Now().UTC().Format("20060102T150405Z"))
				file, err := os.CreateTemp(t.cfg.Tools.Backups, name) // never replaces a file
				if err != nil {
					return err
				}
				return write(file, raw)
			},
		}
		steps, err := applier.Apply(ctx, t.file.Declared(t.target.Engine), known)
		r := toolResult{All: steps}
		return r.show(a, false, err)
	})
}

func write(file *os.File, raw []byte) error {
	_, err := file.Write(raw)
	return errors.Join(err, file.Sync(), file.Close())
}

type toolResult struct {
	Steps  []tools.Step   `json:"steps"`  // all steps except those of unchanged tools
	Counts map[string]int `json:"counts"` // number of steps by operation or state
	Exit   int            `json:"exit"`

	All     []tools.Step `json:"-"`
	Unseen  int          `json:"-"` // number of tools whose changes by hand can't be detected
	Planned bool         `json:"-"` // true for the command tools plan, false for tools apply
}

//go:embed tools.txt
var toolsPage string

func (r *toolResult) show(a *app.App, detailed bool, runErr error) error {
	r.Steps = []tools.Step{}
	r.Counts = map[string]int{
		"create": 0, "replace": 0, "delete": 0, "unchanged": 0, "held": 0, "unknown": 0, "not_offered": 0, "failed": 0,
	}
	for _, s := range r.All {
		kind, state := string(s.Op), strings.ReplaceAll(string(s.State), "-", "_")
		if _, apart := r.Counts[state]; apart {
			kind = state
		}
		r.Counts[kind]++
		if s.Op != tools.OpNone || s.State != "" {
			r.Steps = append(r.Steps, s)
		}
		if s.Unshown {
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
	case detailed && c["create"]+c["replace"]+c["delete"] > 0:
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

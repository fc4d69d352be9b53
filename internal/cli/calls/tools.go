package calls

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/tools"
	"sitesync/push"
)

// toolOptions are what the tools commands let the user say.
type toolOptions struct {
	tools.Leave
	follow   bool
	asJSON   bool
	detailed bool
}

func toolsCommand(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Rankings, quicklinks, banners and synonyms from a file",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), app.Usagef("tools: name plan, apply, check or import"))
		},
	}
	cmd.AddCommand(toolsPlanCommand(a), toolsApplyCommand(a), toolsCheckCommand(a), toolsImportCommand(a))
	return cmd
}

func toolsPlanCommand(a *app.App) *cobra.Command {
	var o toolOptions
	cmd := &cobra.Command{
		Use: "plan", Short: "Show what apply would create, replace and delete, and write nothing", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return toolsPlan(cmd.Context(), a, o) },
	}
	toolFlags(cmd, &o)
	cmd.Flags().BoolVar(&o.detailed, "detailed-exitcode", false, "exit with 10 in place of 0 when there are changes")
	return cmd
}

func toolsApplyCommand(a *app.App) *cobra.Command {
	var o toolOptions
	cmd := &cobra.Command{
		Use: "apply", Short: "Make the service's search tools what the file says", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return toolsApply(cmd.Context(), a, o) },
	}
	toolFlags(cmd, &o)
	return cmd
}

func toolFlags(cmd *cobra.Command, o *toolOptions) {
	cmd.Flags().BoolVar(&o.Force, "force", false, "overwrite what was changed by hand")
	cmd.Flags().BoolVar(&o.Again, "retry-unknown", false, "create again what may have been created")
	cmd.Flags().BoolVar(&o.Deletes, "allow-deletes", false, "delete what left the file, even most of it at once")
	cmd.Flags().BoolVar(&o.follow, "follow-moves", false, "send the new addresses of pages that moved; the file stays as it is")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "write the result as one JSON object")
}

// toolbox is what every tools command works on.
type toolbox struct {
	cfg    *config.Config
	file   tools.File
	target document.ToolTarget
	moved  []toolMove
}

// openTools reads the configuration and the file of search tools, which must be there
// unless it is to be begun: a missing one must not read like one that declares nothing.
func openTools(a *app.App, begin bool) (*toolbox, error) {
	cfg, err := a.Load()
	if err == nil {
		err = cfg.Require("store", "tools", "site", "push.base_url", "push.customer_id", "push.engine_id")
	}
	if err == nil && (cfg.Push.BaseURL == "" || cfg.Push.CustomerID == 0 || cfg.Push.EngineID == 0) {
		err = app.Usagef("tools: push.base_url, push.customer_id and push.engine_id say whose search tools they are: give all three")
	}
	if err != nil {
		return nil, err
	}
	t := &toolbox{cfg: cfg, target: document.ToolTarget{Base: cfg.Push.Base(), Customer: int64(cfg.Push.CustomerID), Engine: int64(cfg.Push.EngineID)}}
	err = config.ReadStrict(cfg.Tools.File, &t.file, t.file.Check)
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return t, err
	case begin:
		return t, nil
	}
	return nil, app.Usagef("there is no file of search tools %s (tools.file): write one, or begin it with sitesync tools import", cfg.Tools.File)
}

// known returns what the ledger knows of search tools.
func (t *toolbox) known(ledger *diffstore.Ledger) ([]document.Tool, error) {
	known, err := ledger.Tools(t.target)
	if errors.Is(err, diffstore.ErrOtherTools) {
		err = app.Usagef("%w, but the configuration names engine %d of customer %d at %s; put it right, or name another store.path",
			err, t.target.Engine, t.target.Customer, t.target.Base)
	}
	return known, err
}

// pinned is the ledger as tools need it.
type pinned struct {
	*diffstore.Ledger
	target document.ToolTarget
}

func (p pinned) PutTool(tool document.Tool) error { return p.Ledger.PutTool(p.target, tool) }

// toolClient returns the client of search tools; with "local" it starts the service in
// this process.
func toolClient(a *app.App, cfg *config.Config) (*push.Tools, func(), error) {
	if err := cfg.NeedPush(); err != nil {
		return nil, nil, err
	}
	base, stop, err := a.ServiceBase(cfg)
	if err != nil {
		return nil, nil, err
	}
	o, err := app.ClientOptions(cfg, base, a.Logger())
	if a.Tune != nil {
		a.Tune(&o)
	}
	var client *push.Tools
	if err == nil {
		client, err = push.NewTools(o)
	}
	if err != nil {
		stop()
		return nil, nil, err
	}
	return client, func() { client.Close(); stop() }, nil
}

// toolReader is toolClient, but that it makes no local service that is not there yet.
func toolReader(a *app.App, cfg *config.Config) (*push.Tools, func(), error) {
	if _, err := os.Stat(cfg.Serve.Path); cfg.Push.Local() && err != nil {
		return nil, nil, errors.New("the local service holds nothing yet")
	}
	return toolClient(a, cfg)
}

func toolsPlan(ctx context.Context, a *app.App, o toolOptions) (err error) {
	t, err := openTools(a, false)
	if err != nil {
		return err
	}
	if err := diffstore.CheckApart(ctx, t.cfg.Store.Path); err != nil {
		return err
	}
	ledger, err := diffstore.OpenRead(t.cfg.Store.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	known, err := t.known(ledger)
	if err == nil && o.follow {
		err = t.follow(ledger)
	}
	if err != nil {
		return err
	}
	var reader tools.Reader
	client, closeService, why := toolReader(a, t.cfg)
	if why == nil {
		defer closeService()
		reader = client
	}
	steps, readWhy := tools.Plan(ctx, t.file.Declared(t.target.Engine), known, reader, o.Leave)
	r := toolResult{Steps: steps, Moved: t.moved, planned: true}
	if why = app.FirstError(why, readWhy); why != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.Unread = app.OneLine(why)
	}
	if app.IsCredentials(why) {
		return showTools(a, r, o, why)
	}
	return showTools(a, r, o, nil)
}

// changeTools opens all that it takes to change search tools: the file, which may be
// begun, the ledger, held for its duration, and a client.
func changeTools(ctx context.Context, a *app.App, begin bool, change func(*toolbox, *diffstore.Ledger, *push.Tools) error) error {
	t, err := openTools(a, begin)
	if err == nil {
		err = t.cfg.NeedPush()
	}
	if err == nil {
		err = diffstore.CheckApart(ctx, t.cfg.Store.Path)
	}
	if err != nil {
		return err
	}
	return a.WriteLedger(t.cfg, func(ledger *diffstore.Ledger) error {
		client, closeService, err := toolClient(a, t.cfg)
		if err != nil {
			return err
		}
		defer closeService()
		return change(t, ledger, client)
	})
}

func toolsApply(ctx context.Context, a *app.App, o toolOptions) error {
	return changeTools(ctx, a, false, func(t *toolbox, ledger *diffstore.Ledger, client *push.Tools) error {
		known, err := t.known(ledger)
		if err == nil && o.follow {
			err = t.follow(ledger)
		}
		if err != nil {
			return err
		}
		applier := &tools.Applier{
			Service: client, Ledger: pinned{ledger, t.target}, Backup: t.backup(a.Now()), Stops: app.IsCredentials, Leave: o.Leave,
		}
		steps, err := applier.Apply(ctx, t.file.Declared(t.target.Engine), known)
		return showTools(a, toolResult{Steps: steps, Moved: t.moved}, o, err)
	})
}

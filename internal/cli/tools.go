package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
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

func (a *app) toolsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Rankings, quicklinks, banners and synonyms from a file",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), usageError{errors.New("tools: name plan, apply, check or import")})
		},
	}
	cmd.AddCommand(a.toolsPlanCommand(), a.toolsApplyCommand(), a.toolsCheckCommand(), a.toolsImportCommand())
	return cmd
}

func (a *app) toolsPlanCommand() *cobra.Command {
	var o toolOptions
	cmd := &cobra.Command{
		Use: "plan", Short: "Show what apply would create, replace and delete, and write nothing", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.toolsPlan(cmd.Context(), o) },
	}
	toolFlags(cmd, &o)
	cmd.Flags().BoolVar(&o.detailed, "detailed-exitcode", false, "exit with 10 in place of 0 when there are changes")
	return cmd
}

func (a *app) toolsApplyCommand() *cobra.Command {
	var o toolOptions
	cmd := &cobra.Command{
		Use: "apply", Short: "Make the service's search tools what the file says", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.toolsApply(cmd.Context(), o) },
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
func (a *app) openTools(begin bool) (*toolbox, error) {
	cfg, err := a.load()
	if err == nil {
		err = cfg.Require("store", "tools", "site", "push.base_url", "push.customer_id", "push.engine_id")
	}
	if err == nil && (cfg.Push.BaseURL == "" || cfg.Push.CustomerID == 0 || cfg.Push.EngineID == 0) {
		err = usageError{errors.New("tools: push.base_url, push.customer_id and push.engine_id say whose search tools they are: give all three")}
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
	return nil, usageError{fmt.Errorf("there is no file of search tools %s (tools.file): write one, or begin it with sitesync tools import", cfg.Tools.File)}
}

// known returns what the ledger knows of search tools.
func (t *toolbox) known(ledger *diffstore.Ledger) ([]document.Tool, error) {
	known, err := ledger.Tools(t.target)
	if errors.Is(err, diffstore.ErrOtherTools) {
		err = usageError{fmt.Errorf("%w, but the configuration names engine %d of customer %d at %s; put it right, or name another store.path",
			err, t.target.Engine, t.target.Customer, t.target.Base)}
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
func (a *app) toolClient(cfg *config.Config) (*push.Tools, func(), error) {
	if err := cfg.NeedPush(); err != nil {
		return nil, nil, err
	}
	base, stop, err := a.serviceBase(cfg)
	if err != nil {
		return nil, nil, err
	}
	o, err := clientOptions(cfg, base, a.logger())
	if a.tune != nil {
		a.tune(&o)
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
func (a *app) toolReader(cfg *config.Config) (*push.Tools, func(), error) {
	if _, err := os.Stat(cfg.Serve.Path); cfg.Push.Local() && err != nil {
		return nil, nil, errors.New("the local service holds nothing yet")
	}
	return a.toolClient(cfg)
}

func (a *app) toolsPlan(ctx context.Context, o toolOptions) (err error) {
	t, err := a.openTools(false)
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
	client, closeService, why := a.toolReader(t.cfg)
	if why == nil {
		defer closeService()
		reader = client
	}
	steps, readWhy := tools.Plan(ctx, t.file.Declared(t.target.Engine), known, reader, o.Leave)
	r := toolResult{Steps: steps, Moved: t.moved, planned: true}
	if why = firstError(why, readWhy); why != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.Unread = oneLine(why)
	}
	if isCredentials(why) {
		return a.showTools(r, o, why)
	}
	return a.showTools(r, o, nil)
}

// changeTools opens all that it takes to change search tools: the file, which may be
// begun, the ledger, held for its duration, and a client.
func (a *app) changeTools(ctx context.Context, begin bool, change func(*toolbox, *diffstore.Ledger, *push.Tools) error) error {
	t, err := a.openTools(begin)
	if err == nil {
		err = t.cfg.NeedPush()
	}
	if err == nil {
		err = diffstore.CheckApart(ctx, t.cfg.Store.Path)
	}
	if err != nil {
		return err
	}
	return a.writeLedger(t.cfg, func(ledger *diffstore.Ledger) error {
		client, closeService, err := a.toolClient(t.cfg)
		if err != nil {
			return err
		}
		defer closeService()
		return change(t, ledger, client)
	})
}

func (a *app) toolsApply(ctx context.Context, o toolOptions) error {
	return a.changeTools(ctx, false, func(t *toolbox, ledger *diffstore.Ledger, client *push.Tools) error {
		known, err := t.known(ledger)
		if err == nil && o.follow {
			err = t.follow(ledger)
		}
		if err != nil {
			return err
		}
		applier := &tools.Applier{
			Service: client, Ledger: pinned{ledger, t.target}, Backup: t.backup(a.now()), Stops: isCredentials, Leave: o.Leave,
		}
		steps, err := applier.Apply(ctx, t.file.Declared(t.target.Engine), known)
		return a.showTools(toolResult{Steps: steps, Moved: t.moved}, o, err)
	})
}

package ui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/preview"
	"sitesync/internal/report/site"
	"sitesync/internal/tools"
	"sitesync/internal/ui"
	"sitesync/internal/wire"
	"sitesync/internal/work"
)

// Commands returns the command "ui". program runs the commands that the user starts on the web pages.
func Commands(a *app.App, program app.Program) []*cobra.Command {
	var plan, listen string
	cmd := &cobra.Command{
		Use: "ui", Args: cobra.NoArgs,
		Short: "Show the plan, the search before and after, the site and the nights in a browser",
	}
	cmd.Flags().StringVar(&plan, "plan", "", "show this `PLAN`, which plan -o wrote")
	const usage = "`ADDR` to listen on; loopback only, port 0 takes a free one"
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:0", usage)
	cmd.RunE = a.Run(func(ctx context.Context, cfg *config.Config, _ []string) error {
		var counts crawl.Progress // progress of the command "plan" while the web pages run it
		o := ui.Options{Plan: plan, Run: func(ctx context.Context, command string, args ...string) ui.Answer {
			var watch *app.Watch
			if command == "plan" {
				counts.Found.Store(0)
				watch = &app.Watch{Counts: &counts}
			}
			out, messages, exit := program(ctx, watch, append([]string{command, "--config", a.ConfigFile}, args...)...)
			return ui.Answer{Out: out, Err: messages, Exit: exit}
		}}
		o.Looked = func() (looked, found int64) { return counts.Looked.Load(), counts.Found.Load() }
		return show(ctx, a, cfg, o, listen)
	}, app.NeedStore)
	return []*cobra.Command{cmd}
}

func show(ctx context.Context, a *app.App, cfg *config.Config, o ui.Options, listen string) (err error) {
	if o.Plan != "" {
		if _, err := planfile.Open(o.Plan); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return app.Usagef("--listen %s: %w", listen, err)
	}
	defer func() { _ = listener.Close() }()
	at, _ := listener.Addr().(*net.TCPAddr)
	if at == nil || !at.IP.IsLoopback() {
		return app.Usagef("--listen %s: other machines could reach it; name a loopback address such as 127.0.0.1:0, "+
			"and use ssh -L from another machine", listen)
	}
	dir, remove, err := work.Scratch(app.WorkDir(cfg), a.Holder())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	ctx, cancel := context.WithCancel(ctx)
	sides := search(ctx, cfg, dir)
	defer sides.Close()
	o.Search, o.Port, o.Dir, o.Stop = sides, fmt.Sprint(at.Port), dir, cancel
	o.Ledger = func(_ context.Context, use func(ui.Ledger) error) error {
		return app.ReadLedger(cfg, func(ledger *diffstore.Ledger) error { return use(ledger) })
	}
	o.Site = func(context.Context) (all *site.Site, err error) {
		err = app.ReadLedger(cfg, func(ledger *diffstore.Ledger) (err error) {
			all, err = a.Site(cfg, ledger, true)
			return err
		})
		return all, err
	}
	pages := ui.New(ctx, o)
	defer pages.Wait()
	defer cancel()
	a.Print("open http://%s/?token=%s (the link works until Ctrl-C ends this)", at, pages.Token())
	return serve(ctx, listener, pages)
}

const stopWait = 500 * time.Millisecond

func serve(ctx context.Context, listener net.Listener, pages http.Handler) error {
	base := func(net.Listener) context.Context { return ctx }
	server := &http.Server{Handler: pages, ReadHeaderTimeout: 10 * time.Second, BaseContext: base}
	ended := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(ended)
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWait)
		defer cancel()
		_ = server.Shutdown(last)
		_ = server.Close()
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the pages: %w", err)
	}
	<-ended
	return nil
}

// search returns a preview of the search before and after planned changes. The preview's files are in dir.
func search(ctx context.Context, cfg *config.Config, dir string) *preview.Preview {
	engine := int64(max(1, cfg.Push.EngineID))
	return preview.New(ctx, preview.Options{
		Engine: engine, Facets: app.Facets(cfg), Ledger: cfg.Store.Path, Texts: cfg.Store.KeepText, Dir: dir,
		Tools: func(add func(wire.Kind, []byte) error) error {
			var file tools.File
			err := config.ReadStrict(cfg.Tools.File, &file, file.Check)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			for _, tool := range file.Declared(engine) {
				if err == nil {
					err = add(tool.Kind, tool.Body)
				}
			}
			return err
		},
	})
}

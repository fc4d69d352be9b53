package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/preview"
	"sitesync/internal/service"
	"sitesync/internal/ui"
	"sitesync/push"
)

// Commands returns the commands of this package, which work on a.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{serveCommand(a)}
}

func serveCommand(a *app.App) *cobra.Command {
	flags := app.Serving{Options: service.Options{Search: true}}
	cmd := &cobra.Command{Use: "serve", Short: "Run the Site Search Service locally", Args: cobra.NoArgs}
	cmd.RunE = a.Run(func(ctx context.Context, cfg *config.Config, _ []string) error {
		if a.Getenv("GOGC") == "" && a.Getenv("GOMEMLIMIT") == "" { // the search index takes more memory at once than a crawl
			debug.SetMemoryLimit(service.SoftMemory)
		}
		var pages *ui.Server
		flags.Pages = func(local *service.Service, address string) http.Handler {
			at, _ := url.Parse(address) // our own
			pages = ui.New(ctx, ui.Options{Port: at.Port(), Saved: cfg.Serve.Path + ".queries.json", Search: &preview.Live{Service: local, Customer: int64(max(1, cfg.Push.CustomerID)), Engine: int64(max(1, cfg.Push.EngineID)), Facets: app.Facets(cfg)}})
			return pages
		}
		running, stop, err := a.StartService(cfg, flags)
		if err != nil {
			return err
		}
		_, which := app.ServiceKey(cfg)
		a.Print("serving on %s (store %s); %s; Ctrl-C ends it", running.URL, cfg.Serve.Path, which)
		if pages != nil {
			a.Print("try the search at %s/?token=%s (the link works once)", running.URL, pages.Token())
			defer pages.Wait()
		}
		if customer, engine := cfg.Push.CustomerID, cfg.Push.EngineID; customer > 0 && engine > 0 { // no secret: every visitor's browser sends a SiteKey
			a.Print("front ends of engine %d send Authorization: %s", engine, push.SiteKey(int64(customer), int64(engine)))
		}
		if !running.Loopback {
			a.Logger().Warn("other machines can reach the service, without TLS: anyone on the way can read the key and everything sent")
		}
		select {
		case <-ctx.Done():
		case <-running.Done:
		}
		if err := stop(); err != nil {
			return fmt.Errorf("end the local service: %w", err)
		}
		return nil
	}, func(cfg *config.Config) error { return cfg.Require("serve") })
	flags.Flags(cmd)
	return cmd
}

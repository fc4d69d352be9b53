package inspect

import (
	"context"
	"fmt"

	"github.com/cenkalti/backoff/v5"

	"sitesync/crawl/scout"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/push"
)

// checkService tries the credentials with a read. The error is that behind a
// finding that is not OK.
func checkService(ctx context.Context, a *app.App, cfg *config.Config) (scout.Finding, error) {
	f := scout.Finding{Subject: "credentials", Of: app.Or(cfg.Push.BaseURL, "push.base_url")}
	if cfg.Push.Local() {
		f.OK, f.Text = true, "none needed: the service runs inside sitesync, and no index beyond this machine is written"
		return f, nil
	}
	if err := cfg.NeedPush(); err != nil {
		f.Text, f.Next = app.OneLine(err), "fill in [push]; plan and explain work without it"
		return f, err
	}
	err := tryCredentials(ctx, a, cfg)
	switch {
	case err == nil:
		f.OK, f.Text = true, fmt.Sprintf("accepted; whether crawler %q exists can't be proven without a write, so the first sync shows it", cfg.Push.CrawlerID)
	case app.IsCredentials(err):
		f.Text, f.Next = app.OneLine(err), "compare push.customer_id, push.base_url and the key with the management console"
	default:
		f.Text, f.Next = app.OneLine(err), "is push.base_url the address of your region, and can this machine reach it?"
	}
	return f, err
}

// tryCredentials makes one read, and does not wait for a service that is not there.
func tryCredentials(ctx context.Context, a *app.App, cfg *config.Config) error {
	o, err := app.ClientOptions(cfg, cfg.Push.Base(), a.Logger())
	if err != nil {
		return err
	}
	o.Backoff = func() backoff.BackOff { return &backoff.StopBackOff{} }
	client, err := push.New(o)
	if err != nil {
		return err
	}
	return client.CheckCredentials(ctx)
}

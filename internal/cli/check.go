package cli

import (
	"context"
	"fmt"

	"github.com/cenkalti/backoff/v5"
	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/internal/config"
	"sitesync/push"
)

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check the configuration, the site, its certificates and the credentials",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.load()
			if err == nil {
				err = cfg.NeedCrawl()
			}
			if err != nil {
				return err
			}
			a.print("ok    %s: no faults", a.configFile)
			site, err := a.checkSite(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			if err := a.checkService(cmd.Context(), cfg); err != nil {
				return err
			}
			if !site {
				return codeError(exitFailed)
			}
			return nil
		},
	}
}

// checkSite prints one line for everything tried and reports whether all is well.
func (a *app) checkSite(ctx context.Context, cfg *config.Config) (bool, error) {
	if _, err := newExtractor(cfg); err != nil {
		return false, usageError{err}
	}
	crawler, err := crawl.New(crawlOptions(cfg, nil))
	if err != nil {
		return false, usageError{err}
	}
	findings, err := crawler.Check(ctx)
	if err := firstError(err, crawler.Close()); err != nil {
		return false, err
	}
	all := true
	for _, f := range findings {
		mark := "ok   "
		if !f.OK {
			mark, all = "FAULT", false
		}
		a.print("%s %s: %s", mark, f.Subject, f.Text)
	}
	return all, nil
}

// checkService tries the credentials with a read.
func (a *app) checkService(ctx context.Context, cfg *config.Config) error {
	if err := cfg.NeedPush(); err != nil {
		return err
	}
	if err := a.tryCredentials(ctx, cfg); err != nil {
		return fmt.Errorf("try the credentials: %w", err)
	}
	a.print("ok    %s: the credentials are accepted; whether crawler %q exists shows only when something is written", cfg.Push.BaseURL, cfg.Push.CrawlerID)
	return nil
}

// tryCredentials makes one read, and does not wait for a service that is not there.
func (a *app) tryCredentials(ctx context.Context, cfg *config.Config) error {
	base, stop, err := a.serviceBase(cfg)
	if err != nil {
		return err
	}
	defer stop()
	o, err := clientOptions(cfg, base, a.logger())
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

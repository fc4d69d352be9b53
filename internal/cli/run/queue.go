package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// QueueCommand returns the command "queue".
func QueueCommand(a *app.App) *cobra.Command {
	var changed bool
	cmd := &cobra.Command{Use: "queue URL... | --changed", Short: "Let the hosted crawler fetch URLs"}
	cmd.Flags().BoolVar(&changed, "changed", false, "queue the URLs that a plan finds new or changed")
	loaded := a.Run(func(ctx context.Context, cfg *config.Config, args []string) error {
		if changed {
			var err error
			args, err = changedURLs(ctx, a, cfg)
			if err != nil {
				return err
			}
		}
		return queue(ctx, a, cfg, args)
	}, app.NeedLive("queue"), (*config.Config).NeedCrawl, (*config.Config).NeedPush)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if (len(args) > 0) == changed {
			return app.Usagef("queue: name URLs, or --changed for those that a plan finds new or changed")
		}
		return loaded(cmd, args)
	}
	return cmd
}

func changedURLs(ctx context.Context, a *app.App, cfg *config.Config) (urls []string, err error) {
	s := &session{app: a, cfg: cfg}
	defer func() { err = errors.Join(err, s.close()) }()
	plan, err := s.makePlan(ctx, planOptions{dry: true})
	if err != nil {
		return nil, err
	}
	for c, err := range plan.Heads() {
		if err != nil {
			return nil, err
		}
		if c.Op != document.Delete && c.Op != document.BulkDelete && c.State == document.Planned {
			urls = append(urls, c.ID)
		}
	}
	return urls, nil
}

func queue(ctx context.Context, a *app.App, cfg *config.Config, args []string) error {
	urls, err := ownURLs(cfg, args)
	if err != nil {
		return err
	}
	if len(urls) == 0 {
		a.Print("nothing to queue")
		return nil
	}
	client, closeService, err := a.Connect(ctx, cfg)
	if err != nil {
		return err
	}
	defer closeService()
	changes := make([]document.Change, len(urls))
	for i, url := range urls {
		changes[i] = document.Change{Op: document.Queue, ID: url}
	}
	failed := 0
	err = client.Apply(ctx, document.Queue, changes, func(outcomes []document.Outcome) error {
		for _, o := range outcomes {
			status := "Ok"
			if o.State != document.Acknowledged {
				status = fmt.Sprintf("%s: %s:", o.State, o.Reason)
				failed++
			}
			a.Print("%-8s %s", status, o.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.Print("%d accepted, %d not; accepted does not mean crawled: an inactive crawler keeps its queue",
		len(urls)-failed, failed)
	if failed > 0 {
		return app.CodeError(app.ExitFailed)
	}
	return nil
}

// ownURLs returns the distinct canonical URLs of args. It errs on a URL outside the site, because the
// hosted crawler (the search service's own) would fetch even that URL.
func ownURLs(cfg *config.Config, args []string) ([]string, error) {
	site, err := app.SiteOf(cfg)
	if err != nil {
		return nil, err
	}
	canon := weburl.NewCanonicalizer(cfg.Site.IgnoreParams)
	var urls []string
	var errs []error
	for _, arg := range args {
		url, err := canon.URL(arg)
		if err == nil && !slices.Contains(site.Origins(), weburl.Origin(url)) {
			err = fmt.Errorf("%s is not on a host of site.start", url)
		}
		if err != nil {
			errs = append(errs, err)
		} else if !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
	}
	if len(errs) > 0 {
		return nil, app.Usage(errors.Join(errs...))
	}
	return urls, nil
}

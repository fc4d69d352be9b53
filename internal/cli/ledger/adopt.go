package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
)

func adoptCommand(a *app.App) *cobra.Command {
	const short = "Take over IDs that the index already holds"
	return &cobra.Command{
		Use: "adopt FILE", Short: short,
		Long: short + ". The next runs update the documents that are on the site,\n" +
			"and delete the others: by evidence, and within the brakes.\n" +
			"FILE holds one ID on each line; - is standard input.\n" +
			"Nothing is taken over if one of them is not an address of the site.",
		Args: cobra.ExactArgs(1),
		RunE: a.Run(func(_ context.Context, cfg *config.Config, args []string) error {
			raw, err := a.Input(args[0])
			if err != nil {
				return err
			}
			ids := parseIDs(raw)
			if len(ids) == 0 {
				return app.Usagef("adopt: the list contains no ID")
			}
			return adopt(a, cfg, ids)
		}, (*config.Config).NeedCrawl, (*config.Config).NeedPush),
	}
}

func adopt(a *app.App, cfg *config.Config, ids []string) error {
	of, err := app.SiteOf(cfg)
	if err != nil {
		return err
	}
	const most = 40
	var faults []error
	for _, id := range ids {
		if err := of.Owned(id); err != nil {
			faults = append(faults, err)
		}
	}
	n := len(faults)
	if n > most {
		faults = append(faults[:most], fmt.Errorf("and %s more", document.Number(n-most)))
	}
	if n > 0 {
		return app.Usagef("adopt: not of this site: %s; nothing was taken over; "+
			"leave them out, widen the scope, or delete them with docs delete:\n%w",
			document.Of(n, len(ids), "ID"), errors.Join(faults...))
	}
	return a.WriteLedger(cfg, func(ledger *diffstore.Ledger) error {
		if err := app.SameTarget(ledger, cfg); err != nil {
			return err
		}
		_, pinned, err := ledger.Target()
		if err == nil && !pinned {
			err = ledger.Adopt(app.Target(cfg, of.Origins()))
		}
		if err != nil {
			return err
		}
		taken, err := ledger.TakeOver(ids, "adopted: what the index holds under this ID is not known")
		if err != nil {
			return err
		}
		a.Print("%s taken over, %s known already; %s shows what happens to them",
			document.Number(taken), document.Number(len(ids)-taken), a.Spell("sitesync plan"))
		return nil
	})
}

func parseIDs(list []byte) (ids []string) {
	seen := map[string]bool{"": true}
	for line := range strings.Lines(strings.TrimPrefix(string(list), "\ufeff")) {
		id := strings.TrimSpace(line)
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

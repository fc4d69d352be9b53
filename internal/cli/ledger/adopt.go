package ledger

import (
	"bytes"
	"context"
	"encoding/json"
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
			"FILE holds one ID a line, or a JSON array of IDs, or of documents; - is standard input.\n" +
			"Nothing is taken over if one of them is not an address of the site.",
		Args: cobra.ExactArgs(1),
		RunE: a.Run(func(_ context.Context, cfg *config.Config, args []string) error {
			raw, err := a.Input(args[0])
			if err != nil {
				return err
			}
			ids, err := parseIDs(raw)
			if err != nil {
				return app.Usagef("adopt: %w", err)
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
	var faults []error // IDs of other sites, whose documents this site must not delete
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

// parseIDs returns the distinct IDs of a list in their order. The list is a JSON array of strings or of objects with
// the key id, or else has one ID on each line.
func parseIDs(raw []byte) ([]string, error) {
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	var list []string
	if bytes.HasPrefix(raw, []byte("[")) {
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return nil, fmt.Errorf("read the list: %w", err)
		}
		for i, item := range items {
			var doc struct{ ID string }
			if json.Unmarshal(item, &doc.ID) != nil { // not a string
				_ = json.Unmarshal(item, &doc)
			}
			if doc.ID == "" {
				return nil, fmt.Errorf("read the list: element %d has no ID", i+1)
			}
			list = append(list, doc.ID)
		}
	} else {
		for line := range strings.Lines(string(raw)) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	ids := make([]string, 0, len(list))
	seen := make(map[string]bool, len(list))
	for _, id := range list {
		if id != "" && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, errors.New("the list contains no ID")
	}
	return ids, nil
}

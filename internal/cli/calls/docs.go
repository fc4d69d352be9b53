package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/wire"
	"sitesync/push"
)

// Commands returns the commands of this package, which work on a.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{docsCommand(a), toolsCommand(a), trackCommand(a), feedbackCommand(a)}
}

// byHand is the reason of the doubt that a raw call leaves behind.
const byHand = "touched by hand with sitesync docs"

func docsCommand(a *app.App) *cobra.Command {
	docs := &cobra.Command{
		Use:   "docs",
		Short: "The service's raw document endpoints; what they touch is in doubt afterwards",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), app.Usagef("docs: name put, patch, delete or bulk-delete"))
		},
	}
	docs.AddCommand(
		docsWrite(a, "put", "Create or replace documents: a JSON array, or one object", document.Put),
		docsWrite(a, "patch", "Change fields of documents: a JSON array, or one object", document.Patch),
		docsDelete(a), docsBulkDelete(a),
	)
	return docs
}

func docsWrite(a *app.App, name, short string, op document.Op) *cobra.Command {
	return &cobra.Command{
		Use: name + " FILE", Short: short, Long: short + ". FILE - is standard input.", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := a.Input(args[0])
			if err != nil {
				return err
			}
			changes, err := parseDocuments(op, raw)
			if err != nil {
				return app.Usage(err)
			}
			return docs(cmd.Context(), a, op, changes)
		},
	}
}

func docsDelete(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "delete ID...", Short: "Delete documents by ID", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var changes []document.Change
			for _, id := range args {
				changes = append(changes, document.Change{Op: document.Delete, ID: id, Doubt: true})
			}
			return docs(cmd.Context(), a, document.Delete, changes)
		},
	}
}

func docsBulkDelete(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "bulk-delete FILE", Short: "Delete all documents that a filter matches",
		Long: "Delete all documents that a filter matches: {\"FIELD\": {\"operator\": \"Eq\", \"values\": [\"VALUE\"]}}. FILE - is standard input.\n" +
			"The filter reaches documents of other writers too. Every document of the ledger is in doubt afterwards.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := a.Input(args[0])
			if err != nil {
				return err
			}
			filter, err := push.ParseFilter(raw)
			if err != nil {
				return app.Usage(err)
			}
			return bulkDelete(cmd.Context(), a, filter)
		},
	}
}

// parseDocuments reads one document or an array of them; all faults are in the
// error.
func parseDocuments(op document.Op, raw []byte) ([]document.Change, error) {
	list := []json.RawMessage{raw}
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '[' {
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("read the documents: %w", err)
		}
	}
	var changes []document.Change
	var errs []error
	for i, item := range list {
		c, err := push.ParseChange(op, item)
		if err != nil {
			errs = append(errs, fmt.Errorf("document %d: %w", i+1, err))
			continue
		}
		changes = append(changes, c)
	}
	return changes, errors.Join(errs...)
}

// docs sends changes by hand. Their records go to doubt before the call.
func docs(ctx context.Context, a *app.App, op document.Op, changes []document.Change) error {
	return a.ByHandSession(ctx, func(_ *config.Config, ledger *diffstore.Ledger, client *push.Client) error {
		ids := make([]string, len(changes))
		for i := range changes {
			ids[i] = changes[i].ID
		}
		mark := ledger.MarkKnown
		if op == document.Put {
			mark = ledger.MarkDoubt
		}
		if err := mark(ids, byHand); err != nil {
			return err
		}
		failed := false
		err := client.Apply(ctx, op, changes, func(outcomes []document.Outcome) error {
			for _, o := range outcomes {
				failed = failed || o.State != document.Acknowledged
				a.Print("%-12s %s %s", o.State, o.ID, o.Reason)
			}
			return nil
		})
		if err == nil && failed {
			err = app.CodeError(app.ExitFailed)
		}
		return err
	})
}

func bulkDelete(ctx context.Context, a *app.App, filter wire.Filter) error {
	return a.ByHandSession(ctx, func(_ *config.Config, ledger *diffstore.Ledger, client *push.Client) error {
		if err := ledger.DoubtAll("a " + byHand + " bulk-delete may have reached it"); err != nil {
			return err
		}
		result, err := client.BulkDelete(ctx, filter)
		if err != nil {
			return err
		}
		a.Print("deleted %d, failed %d %s", result.Deleted, result.Failed, result.Reason)
		if !result.Success {
			return app.CodeError(app.ExitFailed)
		}
		return nil
	})
}

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

// Commands returns the commands "tools" and "call". The commands in others become subcommands of "call".
func Commands(a *app.App, others ...*cobra.Command) []*cobra.Command {
	raw := append([]*cobra.Command{
		group("track", "Report what visitors searched and clicked",
			eventCommand(a, "query", wire.EventQuery, "Report a search: --query and --qid are needed"),
			eventCommand(a, "click", wire.EventClick, "Report a click on a result or a banner: --source is needed"),
		),
		group("feedback", "Report what visitors think of results, summaries and answers",
			eventCommand(a, "search", wire.EventFeedback, "Report an opinion on search results"),
			eventCommand(a, "summary", wire.EventSummaryFeedback,
				"Report an opinion on a summary: --summary is needed"),
			eventCommand(a, "answer", wire.EventAnswerFeedback,
				"Report an opinion on an answer: --conversation, --exchange, "+
					"and one of --rating, --reason and --comment are needed"),
			eventCommand(a, "answer-click", wire.EventAnswerClick,
				"Report a click on a link of an answer: --conversation, --exchange and --url are needed"),
		),
		docsCommand(a),
	}, others...)
	return []*cobra.Command{toolsCommand(a), group("call", "Make one of the service's raw calls", raw...)}
}

func group(name, short string, commands ...*cobra.Command) *cobra.Command {
	var names []string
	for _, cmd := range commands {
		names = append(names, cmd.Name())
	}
	cmd := &cobra.Command{Use: name, Short: short, Args: cobra.NoArgs}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return errors.Join(cmd.Help(), app.Usagef("%s: name %s", name, app.Either(names)))
	}
	cmd.AddCommand(commands...)
	return cmd
}

// byHand is the reason that the ledger (the record of the index) stores if a call by hand leaves a document
// in doubt: the document's content in the index is then unknown.
const byHand = "touched by hand with sitesync call docs"

func docsCommand(a *app.App) *cobra.Command {
	write := func(name, short string, op document.Op) *cobra.Command {
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
	return group("docs", "Change documents by the service's raw endpoints; the documents are in doubt afterwards",
		write("put", "Create or replace documents: a JSON array, or one object", document.Put),
		write("patch", "Change fields of documents: a JSON array, or one object", document.Patch),
		&cobra.Command{
			Use: "delete ID...", Short: "Delete documents by ID", Args: cobra.MinimumNArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				var changes []document.Change
				for _, id := range args {
					changes = append(changes, document.Change{Op: document.Delete, ID: id, Doubt: true})
				}
				return docs(cmd.Context(), a, document.Delete, changes)
			},
		},
		&cobra.Command{
			Use: "bulk-delete FILE", Short: "Delete all documents that a filter matches",
			Long: "Delete all documents that a filter matches: " +
				"{\"FIELD\": {\"operator\": \"Eq\", \"values\": [\"VALUE\"]}}. FILE - is standard input.\n" +
				"The filter reaches documents of other writers too. " +
				"Every document of the ledger is in doubt afterwards.",
			Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error { return bulkDelete(cmd.Context(), a, args[0]) },
		},
	)
}

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

func docs(ctx context.Context, a *app.App, op document.Op, changes []document.Change) error {
	return a.ByHandSession(ctx, func(_ *config.Config, ledger *diffstore.Ledger, client *push.Client) error {
		ids := make([]string, len(changes))
		for i := range changes {
			ids[i] = changes[i].ID
		}
		if err := ledger.MarkDoubt(ids, byHand, op == document.Put); err != nil {
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

func bulkDelete(ctx context.Context, a *app.App, file string) error {
	raw, err := a.Input(file)
	if err != nil {
		return err
	}
	if _, err := push.ParseFilter(raw); err != nil {
		return app.Usage(err)
	}
	return a.ByHandSession(ctx, func(_ *config.Config, ledger *diffstore.Ledger, client *push.Client) error {
		if err := ledger.DoubtAll("a " + byHand + " bulk-delete may have reached it"); err != nil {
			return err
		}
		deleted, _, err := client.ApplyBulk(ctx, raw)
		if err != nil {
			return err
		}
		a.Print("deleted %d, failed 0", deleted)
		return nil
	})
}

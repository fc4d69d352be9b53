package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/wire"
	"sitesync/push"
)

// maxInput bounds what a command reads from a file or standard input.
const maxInput = 64 << 20

// byHand is the reason of the doubt that a raw call leaves behind.
const byHand = "touched by hand with sitesync docs"

func (a *app) docsCommand() *cobra.Command {
	docs := &cobra.Command{
		Use:   "docs",
		Short: "The service's raw document endpoints; what they touch is in doubt afterwards",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), usageError{errors.New("docs: name put, patch, delete or bulk-delete")})
		},
	}
	docs.AddCommand(
		a.docsWrite("put", "Create or replace documents: a JSON array, or one object", document.Put),
		a.docsWrite("patch", "Change fields of documents: a JSON array, or one object", document.Patch),
		a.docsDelete(), a.docsBulkDelete(),
	)
	return docs
}

func (a *app) docsWrite(name, short string, op document.Op) *cobra.Command {
	return &cobra.Command{
		Use: name + " FILE", Short: short, Long: short + ". FILE - is standard input.", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := a.input(args[0])
			if err != nil {
				return err
			}
			changes, err := parseDocuments(op, raw)
			if err != nil {
				return usageError{err}
			}
			return a.docs(cmd.Context(), op, changes)
		},
	}
}

func (a *app) docsDelete() *cobra.Command {
	return &cobra.Command{
		Use: "delete ID...", Short: "Delete documents by ID", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var changes []document.Change
			for _, id := range args {
				changes = append(changes, document.Change{Op: document.Delete, ID: id, Doubt: true})
			}
			return a.docs(cmd.Context(), document.Delete, changes)
		},
	}
}

func (a *app) docsBulkDelete() *cobra.Command {
	return &cobra.Command{
		Use: "bulk-delete FILE", Short: "Delete all documents that a filter matches",
		Long: "Delete all documents that a filter matches: {\"FIELD\": {\"operator\": \"Eq\", \"values\": [\"VALUE\"]}}. FILE - is standard input.\n" +
			"The filter reaches documents of other writers too. Every document of the ledger is in doubt afterwards.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := a.input(args[0])
			if err != nil {
				return err
			}
			filter, err := push.ParseFilter(raw)
			if err != nil {
				return usageError{err}
			}
			return a.bulkDelete(cmd.Context(), filter)
		},
	}
}

// input reads a file, or standard input for "-".
func (a *app) input(name string) ([]byte, error) {
	in := a.stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, usageError{err}
		}
		defer file.Close()
		in = file
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(raw) > maxInput {
		return nil, usageError{fmt.Errorf("read %s: over %d MB", name, maxInput>>20)}
	}
	return raw, nil
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

// byHandSession opens what a raw call needs: the ledger, held for its duration, and
// a client.
func (a *app) byHandSession(ctx context.Context, call func(*config.Config, *diffstore.Ledger, *push.Client) error) error {
	cfg, err := a.load()
	if err == nil {
		err = firstError(cfg.Require("store"), cfg.NeedPush())
	}
	if err == nil {
		err = diffstore.CheckApart(ctx, cfg.Store.Path)
	}
	if err != nil {
		return err
	}
	return a.writeLedger(cfg, func(ledger *diffstore.Ledger) error {
		if err := sameTarget(ledger, cfg); err != nil {
			return err
		}
		client, closeService, err := a.connect(ctx, cfg)
		if err != nil {
			return err
		}
		defer closeService()
		return call(cfg, ledger, client)
	})
}

// docs sends changes by hand. Their records go to doubt before the call.
func (a *app) docs(ctx context.Context, op document.Op, changes []document.Change) error {
	return a.byHandSession(ctx, func(_ *config.Config, ledger *diffstore.Ledger, client *push.Client) error {
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
				a.print("%-12s %s %s", o.State, o.ID, o.Reason)
			}
			return nil
		})
		if err == nil && failed {
			err = codeError(exitFailed)
		}
		return err
	})
}

func (a *app) bulkDelete(ctx context.Context, filter wire.Filter) error {
	return a.byHandSession(ctx, func(_ *config.Config, ledger *diffstore.Ledger, client *push.Client) error {
		if err := ledger.DoubtAll("a " + byHand + " bulk-delete may have reached it"); err != nil {
			return err
		}
		result, err := client.BulkDelete(ctx, filter)
		if err != nil {
			return err
		}
		a.print("deleted %d, failed %d %s", result.Deleted, result.Failed, result.Reason)
		if !result.Success {
			return codeError(exitFailed)
		}
		return nil
	})
}

// sameTarget errs when the ledger describes another index than cfg names.
func sameTarget(ledger *diffstore.Ledger, cfg *config.Config) error {
	return (&session{cfg: cfg}).checkTarget(ledger)
}

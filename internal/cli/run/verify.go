package run

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/diffstore"
	"sitesync/internal/apply"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/push"
)

// visible is how long the index may need before it shows an acknowledged document.
const visible = 5 * time.Minute

func verifyCommand(a *app.App) *cobra.Command {
	var sampled int
	var repair bool
	const short = "Check that the service still holds what the ledger says"
	cmd := &cobra.Command{Use: "verify", Short: short, Args: cobra.NoArgs}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if sampled < 0 {
			return app.Usagef("verify: --sample can't be below 0")
		}
		ctx := cmd.Context()
		return a.ByHandSession(ctx, func(cfg *config.Config, ledger *diffstore.Ledger, client *push.Client) error {
			if cfg.Push.Mode == config.ModeQueue {
				return app.Usagef(`verify: with push.mode = "queue" the hosted crawler makes the documents, ` +
					"and the ledger does not say what they hold")
			}
			info, err := os.Stat(cfg.Store.Path)
			if err != nil {
				return fmt.Errorf("look at the ledger: %w", err)
			}
			last, _, err := ledger.Run("")
			if err != nil {
				return err
			}
			// If the ledger (the record of the index) was just written, the index may not show the newest
			// documents yet.
			lately := a.Now().Sub(info.ModTime()) < visible
			fresh := func(rec *document.Record) bool { return lately && rec.Fetched >= last.Start }
			v := &apply.Verifier{Asker: client, Fresh: fresh, Mark: ledger.MarkFound, Repair: repair}
			return verify(ctx, a, ledger, v, sampled)
		})
	}
	cmd.Flags().IntVar(&sampled, "sample", 0, "check `N` random documents; 0: all")
	cmd.Flags().BoolVar(&repair, "repair", false, "let the next run send documents again that differ")
	app.JSONFlag(cmd, &a.JSON)
	return cmd
}

func verify(ctx context.Context, a *app.App, ledger *diffstore.Ledger, v *apply.Verifier, sampled int) error {
	held, err := ledger.Count()
	if err != nil {
		return err
	}
	if n := held[document.PushDoubt]; n > 0 {
		a.Logger().Warn("not asked for: " + document.Count(n, "document") + " in doubt; the next sync sends them again")
	}
	all := held[document.PushOK]
	total := all
	if sampled > 0 {
		total = min(sampled, all)
	}
	counts := &crawl.Progress{}
	counts.Found.Store(int64(total))
	out := report.NewVerification(a.Stdout, a.JSON, a.Verbose, a.Spell("sitesync verify --repair"))
	v.Found = func(f document.Finding) error {
		counts.Looked.Add(1)
		var old document.Document
		var err error
		if a.Verbose && f.Found == document.FoundAltered {
			old, _, err = ledger.Text(f.ID)
		}
		out.Add(f, old)
		return err
	}
	stop := a.ShowProgress("asking", "document", counts)
	err = sample(a, ledger, total, all, func(records []*document.Record) error { return v.Check(ctx, records) })
	stop()
	code := app.ExitDone
	switch {
	case err != nil:
		code = app.ExitCode(ctx, err)
	case out.Count(document.FoundUnknown) > 0:
		code = app.ExitFailed
	case out.Differing() > 0:
		code = app.ExitNewFailures
	}
	if closeErr := out.Close(v.Repair, code); err != nil || closeErr != nil {
		return errors.Join(err, closeErr)
	}
	if code != app.ExitDone {
		return app.CodeError(code)
	}
	return nil
}

// sample calls visit with n random records of acknowledged documents. all is the number of acknowledged documents
// in the ledger. sample reads the records in batches, so that visit can write the ledger.
func sample(a *app.App, ledger *diffstore.Ledger, n, all int, visit func([]*document.Record) error) error {
	rng := rand.New(rand.NewPCG(uint64(a.Now().UnixNano()), 0)) //nolint:gosec // a sample need not be secret
	var taken []*document.Record
	for after := ""; n > 0; {
		records, err := ledger.Acknowledged(after, apply.AskAtOnce)
		if err != nil || len(records) == 0 {
			return err
		}
		for _, rec := range records {
			if rng.IntN(max(all, 1)) < n { // gives each record the same chance
				taken, n = append(taken, rec), n-1
			}
			all--
		}
		after = records[len(records)-1].ID
		if n == 0 || len(taken) >= apply.AskAtOnce {
			if err := visit(taken); err != nil {
				return err
			}
			taken = nil
		}
	}
	return nil
}

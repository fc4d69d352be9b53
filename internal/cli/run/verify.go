package run

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
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

// visible is how long the index may take to show what was acknowledged.
const visible = 5 * time.Minute

type verifyOptions struct {
	sample       int
	repair, json bool
}

func verifyCommand(a *app.App) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{Use: "verify", Short: "Check that the service still holds what the ledger says", Args: cobra.NoArgs}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if o.sample < 0 {
			return app.Usagef("verify: --sample can't be below 0")
		}
		ctx := cmd.Context()
		return a.ByHandSession(ctx, func(cfg *config.Config, ledger *diffstore.Ledger, client *push.Client) error {
			if cfg.Push.Mode == config.ModeQueue {
				return app.Usagef(`verify: with push.mode = "queue" the hosted crawler makes the documents, and the ledger does not say what they hold`)
			}
			info, err := os.Stat(cfg.Store.Path)
			if err != nil {
				return fmt.Errorf("look at the ledger: %w", err)
			}
			last, _, err := ledger.Run("")
			if err != nil {
				return err
			}
			// What the last run read may be too young to show, while the ledger was written so lately.
			lately := a.Now().Sub(info.ModTime()) < visible
			fresh := func(rec *document.Record) bool { return lately && rec.Fetched >= last.Start }
			v := &apply.Verifier{Asker: client, Fresh: fresh, Mark: ledger.MarkFound, Repair: o.repair}
			return verify(ctx, a, ledger, v, o)
		})
	}
	cmd.Flags().IntVar(&o.sample, "sample", 0, "check `N` random documents; 0: all")
	cmd.Flags().BoolVar(&o.repair, "repair", false, "let the next run send documents again that differ")
	app.JSONFlag(cmd, &o.json)
	return cmd
}

// verify asks for documents, shows what differs, and lets the next run repair it.
func verify(ctx context.Context, a *app.App, ledger *diffstore.Ledger, v *apply.Verifier, o verifyOptions) error {
	held, err := ledger.Count()
	if err != nil {
		return err
	}
	if n := held[document.PushDoubt]; n > 0 {
		a.Logger().Warn("not asked for: " + document.Count(n, "document") + " in doubt; the next sync sends them again")
	}
	asked, total := documentsOf(ledger), held[document.PushOK]
	if o.sample > 0 {
		total = min(o.sample, total)
		asked, err = sampleOf(a, ledger, o.sample)
		if err != nil {
			return err
		}
	}
	counts := &crawl.Progress{}
	counts.Found.Store(int64(total))
	out := report.NewVerification(a.Stdout, o.json, a.Verbose, a.Spell("sitesync verify --repair"))
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
	for records, failed := range asked {
		err = failed
		if err == nil {
			err = v.Check(ctx, records)
		}
		if err != nil {
			break
		}
	}
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
	if closeErr := out.Close(o.repair, code); err != nil || closeErr != nil {
		return errors.Join(err, closeErr)
	}
	if code != app.ExitDone {
		return app.CodeError(code)
	}
	return nil
}

// batches yields acknowledged records, some at a time, so that the ledger can be
// written between them.
type batches = iter.Seq2[[]*document.Record, error]

// documentsOf yields all acknowledged records.
func documentsOf(ledger *diffstore.Ledger) batches {
	return func(yield func([]*document.Record, error) bool) {
		after := ""
		for {
			records, err := ledger.Acknowledged(after, apply.AskAtOnce)
			if len(records) == 0 && err == nil || !yield(records, err) || err != nil {
				return
			}
			after = records[len(records)-1].ID
		}
	}
}

// sampleOf yields n random ones of the acknowledged records, or all where there are not
// so many. The clock gives the seed.
func sampleOf(a *app.App, ledger *diffstore.Ledger, n int) (batches, error) {
	rng := rand.New(rand.NewPCG(uint64(a.Now().UnixNano()), 0)) //nolint:gosec // a sample needs no secret
	var ids []string                                            // a reservoir
	seen := 0
	err := ledger.Records(func(id string, decode func(bool) (*document.Record, error)) error {
		rec, err := decode(true)
		if err != nil || rec.Push != document.PushOK {
			return err
		}
		seen++
		if at := rng.IntN(seen); len(ids) < n {
			ids = append(ids, id)
		} else if at < n {
			ids[at] = id
		}
		return nil
	})
	slices.Sort(ids)
	return func(yield func([]*document.Record, error) bool) {
		for chunk := range slices.Chunk(ids, apply.AskAtOnce) {
			records := make([]*document.Record, len(chunk))
			for i, id := range chunk {
				var err error
				records[i], err = ledger.Get(id)
				if err != nil {
					yield(nil, err)
					return
				}
			}
			if !yield(records, nil) {
				return
			}
		}
	}, err
}

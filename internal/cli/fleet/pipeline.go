package fleet

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/fleet/worker"
	"sitesync/push"
)

// pipeline runs the commands of a site for a worker: the very ones that an owner types.
type pipeline struct{ run app.Program }

func (p pipeline) Sync(ctx context.Context, job worker.Job) worker.Outcome {
	return p.command(ctx, job, "sync")
}

func (p pipeline) Apply(ctx context.Context, job worker.Job, plan string) worker.Outcome {
	return p.command(ctx, job, "apply", plan)
}

func (p pipeline) command(ctx context.Context, job worker.Job, args ...string) (out worker.Outcome) {
	watch := &app.Watch{
		Settle: func(cfg *config.Config) { settle(cfg, job.Dir) },
		Planned: func(ctx context.Context, plan *planfile.File) error {
			return job.Planned(ctx, plan.Path(), plan.Header.Run)
		},
		Through: job.Through,
		Ended:   func(summary *document.Summary, err error) { out.Summary, out.Err = summary, err },
		Tune: func(o *push.Options) {
			o.Timeout, o.Guard = min(cmp.Or(o.Timeout, time.Minute), job.Call), job.Guard
		},
	}
	out.Report, out.Log, out.Exit = p.run(ctx, watch, append(args, "-c", job.Config)...)
	if out.Err == nil && !slices.Contains([]int{app.ExitDone, app.ExitNewFailures, app.ExitHeld}, out.Exit) {
		out.Err = errors.New(app.Shorten(cmp.Or(strings.TrimSpace(out.Log), "it said nothing")))
	}
	is := func(other error) bool { return errors.Is(out.Err, other) }
	out.MachineFault = slices.ContainsFunc([]error{app.ErrRoom, diffstore.ErrDamaged, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO}, is)
	out.UnfitPlan = slices.ContainsFunc([]error{planfile.ErrInvalid, diffstore.ErrMoved, diffstore.ErrOther}, is)
	if ledger, err := diffstore.OpenRead(filepath.Join(job.Dir, snapshot.LedgerFile)); err == nil {
		counts, _ := ledger.Count()
		out.Documents, out.Doubt = counts[document.PushOK], counts[document.PushDoubt]
		_ = ledger.Close()
	}
	return out
}

// Doubt sets every document of the ledger to doubt.
func (p pipeline) Doubt(_ context.Context, job worker.Job, reason string) error {
	path := filepath.Join(job.Dir, snapshot.LedgerFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	ledger, err := diffstore.Open(path, true)
	if err != nil {
		return err
	}
	return errors.Join(ledger.DoubtAll(reason), ledger.Close())
}

// settle puts what a run writes into the folder that the worker has for the site, whatever the
// configuration says. The fleet keeps the ledger: a copy beside it would help nobody.
func settle(cfg *config.Config, dir string) {
	cfg.Store.Path = filepath.Join(dir, snapshot.LedgerFile)
	cfg.Store.Work = cfg.Store.Path + ".work"
	cfg.Store.Backup = false
}

package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nuid"
	"github.com/spf13/cobra"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/monitor"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/fleet/worker"
	"sitesync/internal/own"
	folder "sitesync/internal/work"
	"sitesync/push"
)

type working struct {
	worker.Options
	cache, listen string
}

func workerCommand(f *fleet) *cobra.Command {
	var o working
	cmd := &cobra.Command{
		Use: "worker", Short: "Take due sites of the fleet and run them, until it is told to end", Args: cobra.NoArgs,
		Long: "Take due sites of the fleet and run each as sitesync sync does. On SIGTERM or Ctrl-C a worker takes\n" +
			"no more sites; those under way go on for --drain, then stop where another worker can go on.",
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Name, "name", "", "`NAME` of this worker in results (default: the machine's)")
	flags.StringVar(&o.Dir, "dir", "",
		"`DIR` for the sites' ledgers (default: $STATE_DIRECTORY, or sitesync-fleet in the user's cache)")
	flags.IntVar(&o.Slots, "slots", 0, "run `N` sites at a time (default: as this machine's cores and memory allow)")
	flags.StringArrayVar(&o.Groups, "group", nil, "run only sites of the group `G`; may be repeated (default: all)")
	flags.DurationVar(&o.Length, "lease", lease.DefaultLength, "`TIME` after which others may take a silent site")
	flags.DurationVar(&o.Drain, "drain", time.Minute, "`TIME` that sites under way have to finish at the end")
	flags.StringVar(&o.cache, "cache", "10GB", "keep at most this `SIZE` of ledgers of sites that are not under way")
	flags.StringVar(&o.listen, "listen", "", "`ADDR`, such as 127.0.0.1:9444, for /metrics, /healthz and /readyz")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		err := o.settle(f.a)
		if err != nil {
			return err
		}
		b, end, err := f.open(cmd.Context(), o.Name)
		if errors.Is(err, context.Canceled) { // the worker was stopped before there was a fleet
			return nil
		}
		if err != nil {
			return err
		}
		defer end()
		return o.work(cmd.Context(), f, b)
	}
	return cmd
}

func (o *working) settle(a *app.App) (err error) {
	o.Name = cmp.Or(o.Name, hostname())
	o.Slots = cmp.Or(o.Slots, slots())
	o.Dir = cmp.Or(o.Dir, a.Getenv("STATE_DIRECTORY"))
	if o.Dir == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return app.Usagef("--dir: %w; name a folder for the ledgers", err)
		}
		o.Dir = filepath.Join(dir, "sitesync-fleet")
	}
	o.Dir, err = filepath.Abs(o.Dir)
	if err != nil {
		return app.Usagef("--dir: %w", err)
	}
	size, err := config.ParseSize(o.cache)
	o.Cache = int64(size)
	switch {
	case err != nil:
		return app.Usagef("--cache %s: %w", o.cache, err)
	case o.Slots < 0:
		return app.Usagef("--slots is %d; it takes a number of sites", o.Slots)
	case o.Length < time.Second || o.Drain < 0:
		return app.Usagef("--lease takes 1s or more, and --drain a time such as 60s")
	}
	return nil
}

func (o *working) work(ctx context.Context, f *fleet, b *bus.Bus) (err error) {
	err = own.Worker.Claim(o.Dir)
	if err != nil {
		return fmt.Errorf("--dir: %w", err)
	}
	release, err := folder.Take(o.Dir, f.a.Holder()) // a second worker could remove folders that this worker uses
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	o.Pipeline, o.Log = pipeline{f.program}, f.a.Logger()
	holder := o.Name + "-" + nuid.Next()[:8]
	keeper, err := lease.Watch(ctx, b.States, lease.Options{Worker: holder, Length: o.Length, Log: o.Log})
	if err != nil {
		return err
	}
	defer keeper.Close()
	o.Monitor = monitor.New(o.Slots, o.Dir, b.Conn.IsConnected)
	if o.listen != "" {
		at, end, err := o.Monitor.Listen(ctx, o.listen)
		if err != nil {
			return err
		}
		defer end() //nolint:errcheck // the worker is ending
		f.a.Print("metrics are at http://%s/metrics, health at /healthz and /readyz", at)
	}
	w, err := worker.New(ctx, b, keeper, o.Options)
	if err != nil {
		return err
	}
	if f.a.Getenv("GOGC") == "" && f.a.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(o.Slots) * perRun)
	}
	o.Log.Info("the worker takes sites", "name", o.Name, "slots", o.Slots, "dir", o.Dir)
	w.Work(ctx)
	return nil
}

const perRun = 120 << 20 // bytes of memory for a run; above it the garbage collector runs more often

// slots returns the default number of sites to run at a time: four for each core, because a run mostly waits.
// On Linux, 2 * perRun bytes for each site must also fit into three quarters of the available memory.
func slots() int {
	n := 4 * runtime.GOMAXPROCS(0)
	raw, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(raw)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "MemAvailable:" {
			kib, _ := strconv.ParseInt(fields[1], 10, 64)
			n = min(n, int(kib<<10/4*3/(2*perRun)))
		}
	}
	return max(1, n)
}

func hostname() string {
	name, _ := os.Hostname()
	return cmp.Or(name, "somewhere")
}

type pipeline struct{ run app.Program }

func (p pipeline) Run(ctx context.Context, job worker.Job) (out worker.Outcome) {
	watch := &app.Watch{
		Settle: func(cfg *config.Config) { settle(cfg, job.Dir) },
		Planned: func(ctx context.Context, plan *planfile.File) error {
			return job.Planned(ctx, plan.Path, plan.Header.Run)
		},
		ByID:  true, // if a worker dies, nobody knows which documents a bulk delete has removed
		Ended: func(summary *document.Summary, err error) { out.Summary, out.Err = summary, err },
		Tune: func(o *push.Options) {
			o.Timeout, o.Guard = min(cmp.Or(o.Timeout, time.Minute), job.Call), job.Guard
		},
	}
	out.Report, out.Log, out.Exit = p.run(ctx, watch, "sync", "-c", job.Config)
	if out.Err == nil && !slices.Contains([]int{app.ExitDone, app.ExitNewFailures, app.ExitHeld}, out.Exit) {
		out.Err = errors.New(app.Shorten(cmp.Or(strings.TrimSpace(out.Log), "the run printed nothing")))
	}
	faults := []error{diffstore.ErrDamaged, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO}
	out.MachineFault = slices.ContainsFunc(faults, func(fault error) bool { return errors.Is(out.Err, fault) })
	if ledger, err := diffstore.OpenRead(filepath.Join(job.Dir, snapshot.LedgerFile)); err == nil {
		counts, _ := ledger.Count()
		out.Documents, out.Doubt = counts[document.PushOK], counts[document.PushDoubt]
		_ = ledger.Close()
	}
	return out
}

func (pipeline) Doubt(job worker.Job, plan, reason string) (err error) {
	ledger, err := diffstore.Open(filepath.Join(job.Dir, snapshot.LedgerFile), true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	file, err := planfile.Open(plan)
	if err != nil { // without a readable plan, any document may have been sent
		return ledger.DoubtAll(reason)
	}
	return ledger.DoubtPlan(file.Header.Run, reason, file.Heads())
}

// settle sets the paths of a run to the site's folder. The run makes no backup of its ledger (the database of
// what the index holds), because the fleet stores the ledger.
func settle(cfg *config.Config, dir string) {
	cfg.Store.Path = filepath.Join(dir, snapshot.LedgerFile)
	cfg.Store.Work = cfg.Store.Path + ".work"
	cfg.Store.Backup = false
}

package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/push"
)

// Version is the version of this program, as in "sitesync version".
const Version = "0.1.0"

const defaultConfig = "sitesync.toml"

// App holds the streams and global flags of one command.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string

	Watch *Watch // hooks for a caller inside this process; may be nil

	Command    string // full name of the running command, such as "sitesync sync"
	ConfigFile string
	Quiet      bool
	Verbose    bool
	JSON       bool
	logJSON    bool
	noProgress bool
	color      string
	bar        atomic.Pointer[progressbar.ProgressBar]
}

// Flags adds the global flags to root. With --quiet, the App keeps output until the exit code is known.
func (a *App) Flags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVarP(&a.ConfigFile, "config", "c", defaultConfig, "configuration `FILE`")
	flags.BoolVarP(&a.Quiet, "quiet", "q", false, "print nothing when the exit code is 0")
	flags.BoolVarP(&a.Verbose, "verbose", "v", false, "say more, and show whole lists")
	logFormats := choice{[]string{"text", "json"}, "text", func(value string) { a.logJSON = value == "json" }}
	addChoice(root, flags, logFormats, "log-format", "`FORMAT` of messages")
	flags.BoolVar(&a.noProgress, "no-progress", false, "show no progress")
	a.color = "auto"
	colors := choice{[]string{"auto", "always", "never"}, a.color, func(value string) { a.color = value }}
	addChoice(root, flags, colors, "color", "colours `WHEN`")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		a.Command = cmd.CommandPath()
		if a.Quiet {
			a.Stdout, a.Stderr = &holdback{out: a.Stdout}, &holdback{out: a.Stderr}
		}
		return nil
	}
}

// Color reports whether to colour results.
func (a *App) Color() bool { return a.color == "always" || a.color == "auto" && Terminal(a.Stdout) }

// Now returns the time in UTC. The environment variable SOURCE_DATE_EPOCH replaces it, for reproducible plans
// (reproducible-builds.org/specs/source-date-epoch).
func (a *App) Now() time.Time {
	if epoch, err := strconv.ParseInt(a.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(epoch, 0).UTC()
	}
	return time.Now().UTC()
}

// Load reads the configuration and logs its warnings. Each function in needs returns an error if the command
// can't run with the configuration. Load returns the first error.
func (a *App) Load(needs ...func(*config.Config) error) (*config.Config, error) {
	cfg, err := config.Load(a.ConfigFile, a.Getenv)
	if err != nil {
		return nil, Usage(err)
	}
	for _, warning := range cfg.Warnings() {
		a.Logger().Warn(warning)
	}
	if w := a.Watch; w != nil && w.Settle != nil {
		w.Settle(cfg)
	}
	cfg.Store.Path = behindLinks(cfg.Store.Path)
	for _, need := range needs {
		if err := need(cfg); err != nil {
			return nil, err
		}
	}
	return cfg, nil
}

// Run returns a function for cobra.Command.RunE that loads the configuration and calls fn.
func (a *App) Run(
	fn func(context.Context, *config.Config, []string) error, needs ...func(*config.Config) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		cfg, err := a.Load(needs...)
		if err != nil {
			return err
		}
		return fn(cmd.Context(), cfg, args)
	}
}

// RunReading does what Run does, but passes fn the ledger (the record of the index), open for reading.
func (a *App) RunReading(fn func(*diffstore.Ledger, []string) error) func(*cobra.Command, []string) error {
	return a.Run(func(_ context.Context, cfg *config.Config, args []string) error {
		return ReadLedger(cfg, func(ledger *diffstore.Ledger) error { return fn(ledger, args) })
	}, NeedStore)
}

// NeedStore errs if the configuration section store refers to an environment variable that is unset.
func NeedStore(cfg *config.Config) error { return cfg.Require("store") }

// NeedLive returns a function for Load that errs if site.via is set. Pages then come from a staging host, and
// must not go into the index.
func NeedLive(command string) func(*config.Config) error {
	return func(cfg *config.Config) error {
		if len(cfg.Site.Via) == 0 {
			return nil
		}
		return Usagef("%s: site.via fetches from a staging host, which must not go into the index; "+
			"preview it with plan, and remove site.via to %s", command, command)
	}
}

// SoftMemory raises, but never lowers, Go's memory limit in bytes, unless GOGC or GOMEMLIMIT is set.
func (a *App) SoftMemory(bytes int64) {
	if a.Getenv("GOGC") == "" && a.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(bytes, debug.SetMemoryLimit(-1)))
	}
}

// Show writes a result: with --format json as one JSON object, else as text by the template in page.
func (a *App) Show(result any, page string) error {
	if a.JSON {
		return report.Object(a.Stdout, result)
	}
	return report.Fill(a.Stdout, page, result, a.Verbose)
}

// Print writes one line to standard output, without control characters.
func (a *App) Print(format string, args ...any) {
	fmt.Fprintln(a.Stdout, strings.TrimRight(report.Clean(fmt.Sprintf(format, args...)), " "))
}

const maxInput = 64 << 20

// Input reads a file of at most 64 MB, or standard input if name is "-".
func (a *App) Input(name string) ([]byte, error) {
	in := a.Stdin
	if name != "-" {
		file, err := os.Open(name) //nolint:gosec // the user chose the path
		if err != nil {
			return nil, Usage(err)
		}
		defer file.Close()
		in = file
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(raw) > maxInput {
		return nil, Usagef("read %s: larger than %d MB", name, maxInput>>20)
	}
	return raw, nil
}

// Program runs a command of sitesync in this process. args are the words after "sitesync"; watch may be nil.
// out is the text on standard output, messages the text on standard error, and exit the exit code.
type Program func(ctx context.Context, watch *Watch, args ...string) (out, messages string, exit int)

// Watch holds hooks for the caller of a Program: a worker of a fleet (many sites on many machines), or the
// web pages of "sitesync ui". Every hook may be nil.
type Watch struct {
	// Settle replaces the paths of the ledger and the work folder (temporary files) in the configuration.
	Settle func(*config.Config)
	// Counts receives the progress of a crawl.
	Counts *crawl.Progress
	// Tune changes the settings of the search service's client.
	Tune func(*push.Options)
	// Planned is called with the plan (a file of changes) before it is sent. Its error ends the run.
	Planned func(ctx context.Context, plan *planfile.File) error
	// ByID makes the run delete documents by their IDs, never by a bulk delete.
	ByID bool
	// Ended is called at the end of the run. The summary is nil if the run ended too early to have a summary.
	Ended func(summary *document.Summary, err error)
}

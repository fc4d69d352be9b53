package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"sitesync/internal/config"
	"sitesync/internal/report"
	"sitesync/push"
)

// app is what every command shares: streams, global flags, the clock.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	tune           func(*push.Options)                        // of a test that can't wait as long as the client does; else nil
	free           func(dir string) (bytes int64, known bool) // of a disk; nil: what the system says

	configFile string
	quiet      bool
	verbose    bool
	logFormat  string
	noProgress bool
	color      string
}

// Run runs the command that args name and returns its exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, getenv: getenv}
	return a.run(ctx, args)
}

func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	code := exitCode(ctx, err)
	if code != exitDone {
		a.speak()
	}
	if text := complaint(code, err); text != "" {
		fmt.Fprintf(a.stderr, "sitesync: %s\n", report.CleanLines(text))
	}
	return code
}

// complaint returns what is to be said of the error of a command; nothing where its
// result said it already.
func complaint(code int, err error) string {
	var silent codeError
	switch {
	case err == nil, errors.As(err, &silent):
		return ""
	case code == exitInterrupted:
		return "interrupted; run it again to go on"
	}
	return err.Error()
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "sitesync",
		Short:         "Keep a hosted site-search index true to a web site",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), usageError{errors.New("no command given")})
		},
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.checkGlobals() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	flags := root.PersistentFlags()
	flags.StringVarP(&a.configFile, "config", "c", "sitesync.toml", "configuration `FILE`")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print nothing when the exit code is 0")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "say more, and cut no list short")
	flags.StringVar(&a.logFormat, "log-format", "text", "`FORMAT` of messages: text or json")
	flags.BoolVar(&a.noProgress, "no-progress", false, "show no progress bar")
	flags.StringVar(&a.color, "color", "auto", "colours: auto, always or never")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(
		a.syncCommand(), a.planCommand(), a.applyCommand(), a.explainCommand(),
		a.statusCommand(), a.historyCommand(), a.heldCommand(), a.approveCommand(),
		a.verifyCommand(), a.adoptCommand(), a.queueCommand(), a.docsCommand(), a.toolsCommand(), a.trackCommand(), a.feedbackCommand(), a.serveCommand(), a.initCommand(), a.checkCommand(), a.versionCommand(), a.readPDFCommand(),
		a.backupCommand(), a.restoreCommand(), a.rebuildCommand(), a.checkLedgerCommand(),
	)
	strict(root)
	return root
}

// strict makes wrong arguments and unknown commands usage errors, of subcommands
// too.
func strict(command *cobra.Command) {
	if args := command.Args; args != nil {
		command.Args = func(cmd *cobra.Command, list []string) error {
			if err := args(cmd, list); err != nil {
				return wrongArgs(cmd, list, err)
			}
			return nil
		}
	}
	for _, sub := range command.Commands() {
		strict(sub)
	}
}

func wrongArgs(cmd *cobra.Command, list []string, err error) error {
	if cmd.HasSubCommands() {
		return usageError{fmt.Errorf("%w%s; see %s --help", err, nearest(cmd, list), cmd.CommandPath())}
	}
	return usageError{fmt.Errorf("%s: got %d arguments; write it as: %s", cmd.Name(), len(list), cmd.UseLine())}
}

// nearest asks whether another command was meant.
func nearest(cmd *cobra.Command, list []string) string {
	if !cmd.HasSubCommands() || len(list) == 0 {
		return ""
	}
	if cmd.SuggestionsMinimumDistance <= 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	if found := cmd.SuggestionsFor(list[0]); len(found) > 0 {
		return "; did you mean " + strings.Join(found, " or ") + "?"
	}
	return ""
}

func (a *app) checkGlobals() error {
	if a.logFormat != "text" && a.logFormat != "json" {
		return usageError{fmt.Errorf("--log-format is %q; it takes text or json", a.logFormat)}
	}
	if a.color != "auto" && a.color != "always" && a.color != "never" {
		return usageError{fmt.Errorf("--color is %q; it takes auto, always or never", a.color)}
	}
	if a.quiet {
		a.hush()
	}
	return nil
}

// logger writes messages to standard error.
func (a *app) logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelWarn}
	if a.verbose {
		options.Level = slog.LevelDebug
	}
	if a.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(a.stderr, options))
	}
	return slog.New(slog.NewTextHandler(a.stderr, options))
}

// now returns the start of the run: the clock, or SOURCE_DATE_EPOCH, which makes
// plans reproducible (reproducible-builds.org/specs/source-date-epoch).
func (a *app) now() time.Time {
	if epoch, err := strconv.ParseInt(a.getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(epoch, 0).UTC()
	}
	return time.Now().UTC()
}

// load reads the configuration and shows its warnings.
func (a *app) load() (*config.Config, error) {
	cfg, err := config.Load(a.configFile, a.getenv)
	if err != nil {
		return nil, usageError{err}
	}
	for _, warning := range cfg.Warnings() {
		a.logger().Warn(warning)
	}
	cfg.Store.Path = behindLinks(cfg.Store.Path)
	return cfg, nil
}

// terminal reports whether w is a terminal.
func terminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// print writes one line of results.
func (a *app) print(format string, args ...any) {
	fmt.Fprintln(a.stdout, strings.TrimRight(report.Clean(fmt.Sprintf(format, args...)), " "))
}

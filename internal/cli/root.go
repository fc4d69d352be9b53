package cli

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/extract/pdf"
	"sitesync/internal/cli/app"
	"sitesync/internal/cli/calls"
	"sitesync/internal/cli/fleet"
	"sitesync/internal/cli/inspect"
	"sitesync/internal/cli/ledger"
	"sitesync/internal/cli/run"
	"sitesync/internal/cli/serve"
	"sitesync/internal/cli/ui"
	"sitesync/internal/document"
)

// Run runs the command that args name and returns its exit code.
func Run(
	ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string,
) int {
	a := &app.App{Stdin: stdin, Getenv: getenv}
	a.Streams(stdout, stderr)
	return execute(ctx, a, args)
}

func execute(ctx context.Context, a *app.App, args []string) int {
	root := root(a)
	root.SetArgs(args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	err := root.ExecuteContext(ctx)
	code := app.ExitCode(ctx, err)
	if code != app.ExitDone {
		a.Speak()
	}
	_, silent := errors.AsType[app.CodeError](err)
	switch {
	case err == nil, silent:
	case code == app.ExitInterrupted:
		a.Logger().Error("interrupted; run it again to continue")
	default:
		a.Logger().Error(err.Error() + a.Advice(err))
	}
	return code
}

func root(a *app.App) *cobra.Command {
	var asked bool
	root := &cobra.Command{
		Use:           "sitesync",
		Short:         "Keep a hosted site-search index in step with a web site",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
	}
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if asked {
			return version(a)
		}
		return errors.Join(cmd.Help(), app.Usagef("no command given"))
	}
	root.Flags().BoolVar(&asked, "version", false, "show the version, as sitesync version does")
	a.Flags(root)
	root.SetFlagErrorFunc(app.FlagError)
	root.AddCommand(slices.Concat(
		run.Commands(a), inspect.Commands(a), ledger.Commands(a), calls.Commands(a, run.QueueCommand(a)),
		serve.Commands(a), ui.Commands(a, program(a)), fleet.Commands(a, program(a)),
		[]*cobra.Command{versionCommand(a)},
	)...)
	addHidden(root, a)
	strict(root)
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, cmd := range root.Commands() {
			if slices.Contains(strings.Fields(g.commands), cmd.Name()) {
				cmd.GroupID = g.title
			}
		}
	}
	addExamples(root)
	return root
}

// addHidden adds the commands by which the program starts itself as a child, and the former names of commands.
func addHidden(root *cobra.Command, a *app.App) {
	hidden := func(use string, args cobra.PositionalArgs, run func(args []string) error) {
		root.AddCommand(&cobra.Command{
			Use: use, Args: args, Hidden: true, DisableFlagParsing: true,
			RunE: func(_ *cobra.Command, args []string) error { return run(args) },
		})
	}
	hidden(pdf.Argument+" CACHE", cobra.ExactArgs(1), func(args []string) error {
		return pdf.Serve(args, a.Stdin, a.Whole())
	})
	hidden(diffstore.Argument+" PATH", cobra.ExactArgs(1), func(args []string) error {
		return diffstore.Serve(args, a.Stdin, a.Whole())
	})
	for _, name := range []string{"docs", "queue", "track", "feedback"} {
		hidden(name, nil, func([]string) error { return app.Usagef("%s: write it as: sitesync call %s", name, name) })
	}
}

var groups = [...]struct{ title, commands string }{
	{"Every day", "sync plan apply held approve status ui"},
	{"Look", "init check explain list report history"},
	{"The ledger", "verify adopt backup restore"},
	{"The search service", "serve searches tools call"},
	{"Many sites", "fleet"},
}

func program(a *app.App) app.Program {
	return func(ctx context.Context, watch *app.Watch, args ...string) (out, messages string, exit int) {
		var result, told bytes.Buffer
		inner := &app.App{Stdin: strings.NewReader(""), Stdout: &result, Stderr: &told, Getenv: a.Getenv, Watch: watch}
		exit = execute(ctx, inner, append([]string{"--no-progress", "--color", "never"}, args...))
		return result.String(), told.String(), exit
	}
}

// Command returns the root command with all other commands, for manual pages.
func Command() *cobra.Command {
	root := root(&app.App{Getenv: os.Getenv})
	root.InitDefaultCompletionCmd()
	return root
}

//go:embed examples.txt
var examples string

// addExamples adds to the help of each command the lines of examples.txt that call it.
func addExamples(root *cobra.Command) {
	for line := range strings.Lines(examples) {
		words := strings.Fields(line)
		if words[0] != "sitesync" {
			continue
		}
		if cmd, _, err := root.Find(words[1:]); err == nil {
			cmd.Example = strings.TrimPrefix(cmd.Example+"\n  "+strings.TrimSpace(line), "\n")
		}
	}
}

// strict makes a command and its subcommands err on wrong arguments and unknown subcommands, with
// suggestions.
func strict(command *cobra.Command) {
	if check := command.Args; check != nil {
		command.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			switch {
			case err == nil:
				return nil
			case !cmd.HasSubCommands():
				got := document.Count(len(args), "argument")
				return app.Usagef("%s: got %s; write it as: %s", cmd.Name(), got, cmd.UseLine())
			}
			cmd.SuggestionsMinimumDistance = 2
			meant := strings.Join(cmd.SuggestionsFor(args[0]), " or ")
			if meant != "" {
				meant = "; did you mean " + meant + "?"
			}
			return app.Usagef("%w%s; see %s --help", err, meant, cmd.CommandPath())
		}
	}
	for _, sub := range command.Commands() {
		strict(sub)
	}
}

func versionCommand(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show version, commit and its date, extractor revision and the PDF reader's version",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return version(a) },
	}
	app.JSONFlag(cmd, &a.JSON)
	return cmd
}

func version(a *app.App) error {
	v := struct {
		Version   string `json:"version"`
		Commit    string `json:"commit"`
		Date      string `json:"date,omitempty"` // date of the commit
		Changed   bool   `json:"changed,omitempty"`
		Extractor int    `json:"extractor_revision"`
		PDFium    string `json:"pdfium"`
		Go        string `json:"go"`
	}{
		Version: app.Version, Commit: "unknown", Go: runtime.Version(),
		Extractor: extract.Revision, PDFium: pdf.Version,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		v.Commit, v.Date = cmp.Or(settings["vcs.revision"], v.Commit), settings["vcs.time"]
		v.Changed = settings["vcs.modified"] == "true"
	}
	return a.Show(v, "sitesync {{.Version}}, commit {{.Commit}}{{with .Date}} of {{.}}{{end}}"+
		"{{if .Changed}} with changes{{end}}, "+
		"extractor revision {{.Extractor}}, PDFium {{.PDFium}}, {{.Go}}\n")
}

const (
	gcPercent = 800
	softLimit = 68 << 20
)

// Tune makes the garbage collector run seldom below softLimit bytes, unless GOGC or GOMEMLIMIT is set. After
// Tune, a write to a pipe without a reader returns an error. By default, such a write would end the process.
func Tune(getenv func(string) string) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if getenv("GOGC") == "" && getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(softLimit)
	}
	runtime.MemProfileRate = 0 // switches off memory profiling, which a library switches on
}

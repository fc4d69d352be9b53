package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/extract/pdf"
	"sitesync/internal/cli/app"
	"sitesync/internal/cli/calls"
	"sitesync/internal/cli/inspect"
	"sitesync/internal/cli/ledger"
	"sitesync/internal/cli/run"
	"sitesync/internal/cli/serve"
	"sitesync/internal/cli/ui"
	"sitesync/internal/document"
	pages "sitesync/internal/ui"
)

// Run runs the command that args name and returns its exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
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
	var silent app.CodeError
	switch {
	case err == nil, errors.As(err, &silent): // the result said it already
	case code == app.ExitInterrupted:
		a.Logger().Error("interrupted; run it again to continue")
	default:
		a.Logger().Error(err.Error())
	}
	return code
}

func root(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:           "sitesync",
		Short:         "Keep a hosted site-search index in step with a web site",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), app.Usagef("no command given"))
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	a.Flags(root)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return app.Usage(err) })
	for _, group := range [][]*cobra.Command{run.Commands(a), inspect.Commands(a), ledger.Commands(a), calls.Commands(a), serve.Commands(a), ui.Commands(a, program(a))} {
		root.AddCommand(group...)
	}
	root.AddCommand(versionCommand(a))
	// The program starts itself with these: see extract/pdf and diffstore.Serve.
	root.AddCommand(&cobra.Command{
		Use: pdf.Argument, Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error { return pdf.Serve(args, a.Stdin, a.Whole()) },
	}, &cobra.Command{
		Use: diffstore.Argument + " PATH", Hidden: true, Args: cobra.RangeArgs(1, 3), DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error { return diffstore.Serve(args, a.Stdin, a.Whole()) },
	})
	strict(root)
	return root
}

// program returns what runs another command in this process, as if the owner had typed it.
func program(a *app.App) ui.Program {
	return func(ctx context.Context, args []string) pages.Answer {
		var out, messages bytes.Buffer
		inner := &app.App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages, Getenv: a.Getenv, Tune: a.Tune, Free: a.Free}
		exit := execute(ctx, inner, append([]string{"--no-progress"}, args...))
		return pages.Answer{Out: out.String(), Err: messages.String(), Exit: exit}
	}
}

// strict makes wrong arguments and unknown commands usage errors, of subcommands
// too, and asks whether another command was meant.
func strict(command *cobra.Command) {
	if check := command.Args; check != nil {
		command.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			switch {
			case err == nil:
				return nil
			case !cmd.HasSubCommands():
				return app.Usagef("%s: got %s; write it as: %s", cmd.Name(), document.Count(len(args), "argument"), cmd.UseLine())
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
	return &cobra.Command{
		Use:   "version",
		Short: "Show version, commit, extractor revision and the PDF reader's version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			commit, goVersion := "unknown", "unknown"
			if info, ok := debug.ReadBuildInfo(); ok {
				goVersion = info.GoVersion
				for _, setting := range info.Settings {
					if setting.Key == "vcs.revision" {
						commit = setting.Value
					}
				}
			}
			a.Print("sitesync %s, commit %s, extractor revision %d, PDFium %s, %s", app.Version, commit, extract.Revision, pdf.Version, goVersion)
			return nil
		},
	}
}

const (
	// gcPercent trades memory, of which a run needs little, for time;
	gcPercent = 400
	// softLimit takes it back where the heap would grow past this many bytes.
	softLimit = 120 << 20
)

// Tune sets the garbage collector for a crawl; an owner's GOGC or GOMEMLIMIT wins. From then on
// a write to a pipe that nobody reads is an error, and no longer the end of the process.
func Tune(getenv func(string) string) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if getenv("GOGC") == "" && getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(softLimit)
	}
}

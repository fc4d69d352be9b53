package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/cli/calls"
	"sitesync/internal/cli/inspect"
	"sitesync/internal/cli/ledger"
	"sitesync/internal/cli/run"
	"sitesync/internal/cli/serve"
	"sitesync/internal/report"
)

// Run runs the command that args name and returns its exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	a := &app.App{Stdin: stdin, Stdout: stdout, Stderr: stderr, Getenv: getenv}
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
	if text := complaint(code, err); text != "" {
		fmt.Fprintf(a.Stderr, "sitesync: %s\n", report.CleanLines(text))
	}
	return code
}

// complaint returns what is to be said of the error of a command; nothing where its
// result said it already.
func complaint(code int, err error) string {
	var silent app.CodeError
	switch {
	case err == nil, errors.As(err, &silent):
		return ""
	case code == app.ExitInterrupted:
		return "interrupted; run it again to go on"
	}
	return err.Error()
}

func root(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:           "sitesync",
		Short:         "Keep a hosted site-search index true to a web site",
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
	for _, group := range [][]*cobra.Command{run.Commands(a), inspect.Commands(a), ledger.Commands(a), calls.Commands(a), serve.Commands(a)} {
		root.AddCommand(group...)
	}
	root.AddCommand(versionCommand(a), readPDFCommand(a), checkLedgerCommand(a))
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
		return app.Usagef("%w%s; see %s --help", err, nearest(cmd, list), cmd.CommandPath())
	}
	return app.Usagef("%s: got %d arguments; write it as: %s", cmd.Name(), len(list), cmd.UseLine())
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

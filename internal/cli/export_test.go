package cli

import (
	"context"
	"io"

	"sitesync/internal/cli/app"
	"sitesync/push"
)

// RunTuned is Run with a client of the service whose settings tune has changed.
func RunTuned(ctx context.Context, args []string, out io.Writer, getenv func(string) string, tune func(*push.Options)) int {
	return execute(ctx, &app.App{Stdout: out, Stderr: out, Getenv: getenv, Watch: &app.Watch{Tune: tune}}, args)
}

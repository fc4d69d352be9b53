package cli

import (
	"context"
	"io"

	"sitesync/push"
)

// RunTuned is Run with a client of the service whose settings tune has changed.
func RunTuned(ctx context.Context, args []string, out io.Writer, getenv func(string) string, tune func(*push.Options)) int {
	return (&app{stdout: out, stderr: out, getenv: getenv, tune: tune}).run(ctx, args)
}

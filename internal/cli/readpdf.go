package cli

import (
	"context"

	"github.com/spf13/cobra"

	"sitesync/extract/pdf"
	"sitesync/internal/config"
)

// readPDFCommand is what the program starts itself with to read PDF files; see
// extract/pdf.
func (a *app) readPDFCommand() *cobra.Command {
	return &cobra.Command{
		Use: pdf.Argument, Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error { return pdf.Serve(args, a.stdin, a.stdout) },
	}
}

// pdfReader returns the reader of a run's PDF files. It gives up at once when ctx
// is done.
func (a *app) pdfReader(ctx context.Context, cfg *config.Config) *pdf.Reader {
	o := pdf.Options{Cache: cfg.Extract.Cache, Warn: func(text string) { a.logger().Warn(text) }}
	if cfg.Store.Path != "" {
		o.Fallback = cfg.Store.Path + ".cache"
	}
	r := pdf.New(o)
	context.AfterFunc(ctx, func() { _ = r.Close() })
	return r
}

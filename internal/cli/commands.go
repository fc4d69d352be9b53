package cli

import (
	"runtime/debug"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/extract/pdf"
	"sitesync/internal/cli/app"
)

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

// readPDFCommand is what the program starts itself with to read PDF files; see
// extract/pdf.
func readPDFCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: pdf.Argument, Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error { return pdf.Serve(args, a.Stdin, a.Stdout) },
	}
}

// checkLedgerCommand is what the program starts itself with to look for damage; see
// diffstore.Serve.
func checkLedgerCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: diffstore.Argument + " PATH", Hidden: true, Args: cobra.RangeArgs(1, 3), DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error { return diffstore.Serve(args, a.Stdin, a.Stdout) },
	}
}

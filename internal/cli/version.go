package cli

import (
	"runtime/debug"

	"github.com/spf13/cobra"

	"sitesync/extract"
	"sitesync/extract/pdf"
)

// release is the version of this source.
const release = "0.1.0"

func version() string { return release }

func (a *app) versionCommand() *cobra.Command {
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
			a.print("sitesync %s, commit %s, extractor revision %d, PDFium %s, %s", version(), commit, extract.Revision, pdf.Version, goVersion)
			return nil
		},
	}
}

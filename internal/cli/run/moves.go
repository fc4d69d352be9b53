package run

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/report"
)

// movesFlag is the flag of everything that shows a plan.
func movesFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "moves", "", "write the addresses that moved to `FILE` as CSV (from, to, by), for redirects")
}

// writeMoves writes the moves of a plan, which are in the order of the addresses that
// they lead from, to path; nowhere when that is empty.
func writeMoves(plan *planfile.File, path string) (err error) {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write moves: %w; --moves names another file", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return report.MovesCSV(file, plan.Moves())
}

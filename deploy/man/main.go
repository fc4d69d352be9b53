// Command man writes the manual pages of sitesync: go run ./deploy/man DIR. It is a command of its own, so
// that sitesync need not contain the code that formats manual pages.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra/doc"

	"sitesync/internal/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "write it as: go run ./deploy/man DIR")
		os.Exit(2)
	}
	if err := writePages(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

func writePages(dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	return doc.GenManTree(cli.Command(), &doc.GenManHeader{Section: "1", Source: "sitesync"}, dir)
}

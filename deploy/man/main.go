// Command man writes the manual pages of sitesync: go run ./deploy/man DIR. It stands apart
// so that the program does not carry what formats them.
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
	err := os.MkdirAll(os.Args[1], 0o750)
	if err == nil {
		err = doc.GenManTree(cli.Command(), &doc.GenManHeader{Section: "1", Source: "sitesync"}, os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

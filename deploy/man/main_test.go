package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"sitesync/internal/cli"
)

// Every command has a manual page, which shows its flags and its examples; man(1) reads it
// without a complaint where it is there.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	n := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		n++
		raw, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"))
		if err != nil {
			t.Fatal(err)
		}
		page := strings.ReplaceAll(string(raw), `\-`, "-")
		if !strings.HasPrefix(page, ".nh\n.TH") || !strings.Contains(page, "--config") || cmd.Example != "" && !strings.Contains(page, "EXAMPLE") {
			t.Errorf("%s: %s", cmd.CommandPath(), page)
		}
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				walk(sub)
			}
		}
	}
	walk(cli.Command())
	if n < 40 {
		t.Errorf("%d pages", n)
	}
	man, err := exec.LookPath("man")
	if err != nil {
		t.Skip("no man(1): the pages are not read")
	}
	out, err := exec.CommandContext(t.Context(), man, "--warnings", "-l", filepath.Join(dir, "sitesync-sync.1")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--dry-run") {
		t.Errorf("%v: %s", err, out)
	}
}

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every command has a manual page; man(1) reads one without a complaint where it is there.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	if err := writePages(dir); err != nil {
		t.Fatal(err)
	}
	if pages, _ := filepath.Glob(filepath.Join(dir, "sitesync-*.1")); len(pages) < 40 {
		t.Errorf("%d pages", len(pages))
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

package cli_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/testsite"
)

// notRun are the commands of the README that no test can run: this one itself, and the build
// of a program that the test has.
var notRun = []string{"go test ./...", "go build"}

// readmeCommands returns the commands of the README in their order: the lines of its blocks
// of shell, and those in the text.
func readmeCommands(t *testing.T) (all []string) {
	t.Helper()
	raw, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	fence := ""
	for line := range strings.Lines(string(raw)) {
		if language, is := strings.CutPrefix(strings.TrimSpace(line), "```"); is {
			fence = language
			continue
		}
		if fence == "sh" {
			all = append(all, strings.TrimSpace(line))
			continue
		}
		for i, part := range strings.Split(line, "`") {
			if i%2 == 1 && strings.HasPrefix(part, "sitesync ") {
				all = append(all, part)
			}
		}
	}
	return all
}

// TestReadme runs the commands of the README one after the other, as its reader would, on a
// small site.
func TestReadme(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	site := testsite.New()
	defer site.Close()
	for _, line := range []string{"set / Home|Welcome|/hours", "set /hours Opening hours|Open from nine to five, and on Saturdays until noon|/"} {
		if err := site.Script(line); err != nil {
			t.Fatal(err)
		}
	}
	clone, dir, ran := t.TempDir(), t.TempDir(), 0
	if err := os.CopyFS(filepath.Join(clone, "testdata"), os.DirFS("../../testdata")); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile("../../config.example.toml"); err != nil || os.WriteFile(filepath.Join(clone, "config.example.toml"), raw, 0o600) != nil {
		t.Fatal(err)
	}
	all := readmeCommands(t)
	change := strings.NewReplacer("go run .", "sitesync", "https://www.example.com/", site.URL()+"/", "explain URL", "explain "+site.URL()+"/hours", "COMMAND --help", "sync --help")
	for _, line := range all {
		// The text names two commands before there is a site.
		early := ran == 0 && !strings.HasPrefix(line, "sitesync init")
		if early || slices.ContainsFunc(notRun, func(part string) bool { return strings.Contains(line, part) }) {
			continue
		}
		ran++
		if line == "sitesync ui" {
			address, end := serveIn(t, dir, "ui")
			end()
			if address == "" {
				t.Error("ui printed no link")
			}
			continue
		}
		cmd := exec.CommandContext(t.Context(), "bash", "-c", change.Replace(line))
		cmd.Dir = dir
		if strings.Contains(line, "go run .") {
			cmd.Dir = clone
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	if ran < 12 {
		t.Errorf("%d commands: %q: are they written otherwise now?", ran, all)
	}
	for _, name := range []string{"plan.html", "moves.csv"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// serveIn runs the service or the pages of a folder on a free port, and returns the address
// and what ends it.
func serveIn(t *testing.T, dir, command string) (address string, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, "sitesync", command, "--listen", "127.0.0.1:0")
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for address == "" && lines.Scan() {
		address = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`).FindString(lines.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return address, func() { cancel(); _ = cmd.Wait() }
}

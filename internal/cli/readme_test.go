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

// notRun are the commands of the README that no test can run: this one itself, the build of
// a program that the test has, a line for cron, and what is for another service.
var notRun = []string{"go test ./...", "go build", "15 2 * * *", "rm -r sitesync.db*", "export SITESYNC_API_KEY=..."}

// readmeCommands returns the commands of the README in their order: its lines of shell, and
// those in the text behind them.
func readmeCommands(t *testing.T) (all []string) {
	t.Helper()
	raw, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "## Two commands")
	for line := range strings.Lines(text) {
		if shell, ok := strings.CutPrefix(line, "    "); ok && !strings.ContainsAny(shell, "│┌└─") && !strings.HasPrefix(shell, " ") {
			all = append(all, strings.TrimSpace(shell))
			continue
		}
		for i, part := range strings.Split(line, "`") {
			if i%2 == 1 && (strings.HasPrefix(part, "sitesync ") || strings.HasPrefix(part, "rm ") || strings.HasPrefix(part, "export ")) && !strings.ContainsAny(part, "/") {
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
	all := readmeCommands(t)
	dir, served, ran := t.TempDir(), "", 0
	if err := os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS("../../testdata")); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile("../../config.example.toml"); err != nil || os.WriteFile(filepath.Join(dir, "config.example.toml"), raw, 0o600) != nil {
		t.Fatal(err)
	}
	change := strings.NewReplacer("go run .", "sitesync", "https://www.example.com/", site.URL()+"/", "explain URL", "explain "+site.URL()+"/hours", "COMMAND --help", "sync --help")
	for _, line := range all {
		if slices.ContainsFunc(notRun, func(part string) bool { return strings.Contains(line, part) }) {
			continue
		}
		if line == "sitesync serve" {
			var end func()
			served, end = serveIn(t, dir, "serve")
			defer end()
			continue
		}
		if line == "sitesync ui" {
			_, end := serveIn(t, dir, "ui")
			end()
			ran++
			continue
		}
		line = change.Replace(line)
		if strings.HasPrefix(line, "curl ") {
			if _, err := exec.LookPath("curl"); err != nil {
				continue
			}
			line = strings.Replace(line, "http://127.0.0.1:7373", served, 1) + " | tee answer | grep -q /hours"
		}
		cmd := exec.CommandContext(t.Context(), "bash", "-c", line+" && pwd > "+filepath.Join(dir, ".pwd"))
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		ran++
		if strings.Contains(line, "cd mysite") {
			dir = filepath.Join(dir, "mysite")
		}
	}
	if ran < 12 {
		t.Errorf("%d commands: %q: are they written otherwise now?", ran, all)
	}
	if info, err := os.Stat(filepath.Join(dir, "plan.html")); err != nil || info.Size() == 0 {
		t.Errorf("the page to show to somebody: %v", err)
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

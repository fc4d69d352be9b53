package cli

import (
	"context"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
)

func newRoot() *cobra.Command {
	root := root(&app.App{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Getenv: os.Getenv})
	root.InitDefaultCompletionCmd()
	return root
}

// shellCalls returns what the sitesync commands in shell lines are called with, once a shell
// has read them.
func shellCalls(t *testing.T, lines string) (all [][]string) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	script := `sitesync() { printf '%s\0' "$@" >> "$CALLS"; printf '\n\0' >> "$CALLS"; }
` + lines
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CALLS="+filepath.Join(dir, "calls"), "fpath="+dir)
	_ = cmd.Run() // gzip, fish and the like may be missing
	raw, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	for call := range strings.SplitSeq(strings.TrimSuffix(string(raw), "\n\x00"), "\n\x00") {
		all = append(all, strings.Split(strings.TrimSuffix(call, "\x00"), "\x00"))
	}
	return all
}

// parses errs unless a command takes the arguments: flags exist, values fit, their number
// is right.
func parses(args []string) error {
	root := newRoot()
	cmd, rest, err := root.Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	return err
}

// TestExamples: every command shows examples with --help, and each is what the command takes.
func TestExamples(t *testing.T) {
	root := newRoot()
	addExamples(root)
	var lines strings.Builder
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Hidden || cmd.Name() == "help" {
			return
		}
		if !cmd.HasSubCommands() && cmd.Example == "" {
			t.Errorf("%s --help shows no example", cmd.CommandPath())
		}
		lines.WriteString(strings.NewReplacer(" < changes.json", "", " > /etc/bash_completion.d/sitesync", "").Replace(cmd.Example) + "\n")
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
	all := shellCalls(t, lines.String())
	if want := strings.Count(lines.String(), "sitesync "); len(all) < want {
		t.Errorf("%d of %d examples are commands that a shell understands", len(all), want)
	}
	for _, args := range all {
		if err := parses(args); err != nil {
			t.Errorf("sitesync %s: %v", strings.Join(args, " "), err)
		}
	}
	if err := parses([]string{"plan", "--fromat", "csv"}); err == nil {
		t.Error("a flag that does not exist passes")
	}
}

// TestDeployed: the files of deploy call commands as they are, and wait longer for a worker
// than it drains.
func TestDeployed(t *testing.T) {
	for name, c := range map[string]struct{ command, stop string }{
		"systemd/sitesync-fleet-worker.service": {`(?m)^ExecStart=/usr/bin/sitesync (.*)$`, `(?m)^TimeoutStopSec=(.*)in$`},
		"compose.yaml":                          {`(?m)^    command: \["(fleet.*)"\]$`, `(?m)^    stop_grace_period: (\d+m) `},
		"package/sitesync@.service":             {`(?m)^ExecStart=/usr/bin/sitesync (.*)$`, ""},
		"windows/sitesync-nightly.xml":          {`(?m)^ *<Arguments>(.*)</Arguments>$`, ""},
	} {
		raw, err := os.ReadFile("../../deploy/" + name)
		if err != nil {
			t.Fatal(err)
		}
		command, stop := regexp.MustCompile(c.command).FindSubmatch(raw), regexp.MustCompile(c.stop).FindSubmatch(raw)
		if command == nil || stop == nil {
			t.Errorf("%s runs nothing, or has no end", name)
			continue
		}
		args := strings.Fields(strings.ReplaceAll(string(command[1]), `", "`, " "))
		if err := parses(args); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := xml.Unmarshal(raw, new(struct{})); err != nil && strings.HasSuffix(name, ".xml") {
			t.Errorf("%s: %v", name, err)
		}
		if c.stop == "" {
			continue
		}
		drain, err := time.ParseDuration(args[slices.Index(args, "--drain")+1])
		wait, stopErr := time.ParseDuration(string(stop[1]))
		if err != nil || stopErr != nil || wait <= drain {
			t.Errorf("%s: a worker drains for %s, and is killed after %s (%v, %v)", name, drain, wait, err, stopErr)
		}
	}
}

// TestCompletion: completion is listed, and offers what the flags take.
func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"plan --format ":     "html",
		"list --format ":     "csv",
		"list --status ":     "noindex",
		"approve --cause ":   "missing",
		"--color ":           "never",
		"sync --log-format ": "json",
		"comp":               "completion",
	} {
		var out strings.Builder
		a := &app.App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard, Getenv: os.Getenv}
		execute(context.Background(), a, append([]string{"__complete"}, strings.Split(line, " ")...))
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %q does not offer %s", line, out.String(), want)
		}
	}
}

package papers

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/cli"
	"sitesync/internal/testsite"
)

// onlyParsed are the beginnings of commands that the pages show and no quick test can run: they
// serve until they are stopped, or need a fleet, a hosted service or an account. TestCommands
// holds them to the flags and arguments that there are.
var onlyParsed = []string{"serve", "ui", "fleet", "init", "completion", "adopt", "tools import", "call feedback answer ", "sync -c docs/_site", "tools apply -c docs/_site"}

// mustRun are the commands of which each is run at least once by a page of docs.
var mustRun = []string{"sync", "plan", "apply", "held", "approve", "explain", "status", "history", "list", "report", "backup", "restore", "verify", "tools", "call", "check", "version"}

// TestPagesRun runs the commands of each page of docs in a folder with a configuration, a ledger,
// a saved plan and a held change: none may be wrong usage or fail.
func TestPagesRun(t *testing.T) {
	slow(t)
	all := pages(t)
	site := hourSite(t)
	home := t.TempDir()
	prepare(t, site, home)
	ran := map[string]int{}
	for _, p := range all {
		if !strings.HasPrefix(p.name, "docs/") || slices.Contains(firstHour, p.name) {
			continue
		}
		var shown [][]string
		for _, b := range p.blocks {
			if b.language != "sh" {
				continue
			}
			for _, args := range calls(inScript, strings.ReplaceAll(b.text, "https://www.example.com", site.URL())) {
				if len(args) > 0 && !slices.ContainsFunc(onlyParsed, func(begin string) bool { return strings.HasPrefix(strings.Join(args, " "), begin) }) {
					shown = append(shown, args)
				}
			}
		}
		if len(shown) == 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.CopyFS(dir, os.DirFS(home)))
			t.Chdir(dir)
			for _, args := range shown {
				if code, out := run(t, args...); code == 1 || code == 2 {
					t.Errorf("sitesync %s ends with %d:\n%s", strings.Join(args, " "), code, out)
				}
				ran[args[0]]++
			}
		})
	}
	for _, p := range all {
		for _, b := range p.blocks {
			if b.language != "sh" || !slices.Contains(firstHour, p.name) {
				continue
			}
			for _, args := range calls(inScript, b.text) {
				if len(args) > 0 {
					ran[args[0]]++ // by TestFirstHour
				}
			}
		}
	}
	for _, name := range mustRun {
		if ran[name] == 0 {
			t.Errorf("no page shows sitesync %s in a way that runs", name)
		}
	}
}

// run runs sitesync in this process.
func run(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	var said bytes.Buffer
	code = cli.Run(t.Context(), args, strings.NewReader(""), &said, &said, func(name string) string {
		if name == "SITESYNC_API_KEY" {
			return "local"
		}
		return os.Getenv(name)
	})
	return code, said.String()
}

// prepare leaves in home what the pages take for granted.
func prepare(t *testing.T, site *testsite.Site, home string) {
	t.Helper()
	t.Chdir(home)
	write := func(name, text string) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(home, name), []byte(text), 0o600))
	}
	write("sitesync.toml", "[site]\nstart = [\""+site.URL()+"/\"]\n[fetch]\nretry_wait = \"1ms\"\n[push]\nbase_url = \"local\"\n[delete]\nmax = 0\nmax_share = 0\n")
	write("tools.toml", "[[ranking]]\nname = \"Opening hours\"\nterms = [\"hours\"]\npages = [{ url = \""+site.URL()+"/hours\" }]\n")
	ends := func(want int, args ...string) {
		t.Helper()
		if code, out := run(t, args...); code != want {
			t.Fatalf("sitesync %s: %d, not %d:\n%s", strings.Join(args, " "), code, want, out)
		}
	}
	for _, dir := range []string{"sites/town", "sites/library"} {
		must(t, os.MkdirAll(dir, 0o700))
	}
	write("sites/town/sitesync.toml", "[site]\nstart = [\""+site.URL()+"/\"]\n[push]\nbase_url = \"local\"\n")
	write("sites/library/sitesync.toml", "[site]\nstart = [\""+site.URL()+"/\"]\n[push]\nbase_url = \"local\"\n")
	ends(0, "sync")
	for _, line := range []string{"remove /old", "edit / /old|/new", "set /new New|A new page about the bridge to the island|/"} {
		must(t, site.Script(line))
	}
	ends(4, "sync")
	ends(4, "plan", "-o", "night.plan")
}

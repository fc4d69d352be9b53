package papers

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

// notRun is how lines of the first hour begin that no test can run: they need a network, root or
// an account, or build what the test has. What they are called with is looked at all the same.
var notRun = []string{"go test", "go build", "CGO_ENABLED=0 go build", "go install", "apt", "brew", "scoop", "winget", "dnf", "rpm", "dpkg", "sudo", "systemctl", "docker", "podman", "curl -L", "curl -fsS", "curl -O", "tar", "sha256sum", "git clone", "export SITESYNC_API_KEY="}

// firstHour are the pages that a newcomer follows from the first line to the last.
var firstHour = []string{"README.md", "docs/first-site.md"}

// hourSite is the site of a newcomer.
func hourSite(t *testing.T) *testsite.Site {
	t.Helper()
	site := testsite.New()
	t.Cleanup(site.Close)
	for _, line := range []string{
		"set / Home|Welcome to the town and its offices|/hours /bins /news/fair /old",
		`set /hours "Opening hours"|Open from nine to five, and on Saturdays until noon|/`,
		"set /bins Bins|Garden waste is collected every second week|/",
		"set /news/fair Fair|The autumn fair begins on the market square|/",
		"set /old Old|An old page about the ferry of the island|/",
	} {
		must(t, site.Script(line))
	}
	return site
}

// TestFirstHour runs the commands of the README and of the page on the first site, one after
// the other, as their reader would, on a small site.
func TestFirstHour(t *testing.T) {
	for _, name := range firstHour {
		raw, err := os.ReadFile(top + name)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Run(name, func(t *testing.T) {
			h := newHour(t)
			for _, b := range parse(name, string(raw)).blocks {
				if b.language != "sh" {
					continue
				}
				for line := range strings.SplitSeq(strings.ReplaceAll(b.text, "\\\n", ""), "\n") {
					h.line(b, strings.TrimSpace(line))
				}
			}
			if h.ran < 4 {
				t.Errorf("%d commands ran: are they written otherwise now?", h.ran)
			}
		})
	}
}

// hour is where a newcomer types.
type hour struct {
	t      *testing.T
	site   *testsite.Site
	home   string // of what is kept from line to line
	served string // the address of what serves
	end    func()
	ran    int
}

func newHour(t *testing.T) *hour {
	slow(t)
	for _, program := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not on this machine")
		}
	}
	h := &hour{t: t, site: hourSite(t), home: t.TempDir()}
	for _, name := range []string{"testdata", "examples"} {
		must(t, os.CopyFS(filepath.Join(h.home, "clone", name), os.DirFS(top+name)))
	}
	raw, err := os.ReadFile(top + "config.example.toml")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(h.home, "clone", "config.example.toml"), raw, 0o600))
	must(t, os.Mkdir(filepath.Join(h.home, "at"), 0o700))
	must(t, os.WriteFile(filepath.Join(h.home, "state"), []byte("cd "+filepath.Join(h.home, "at")), 0o600))
	t.Cleanup(h.stop)
	return h
}

func (h *hour) stop() {
	if h.end != nil {
		h.end()
	}
	h.end = nil
}

// line runs a line; one that serves goes on in the background until the next that needs its
// folder's store, or the end.
func (h *hour) line(b block, line string) {
	h.t.Helper()
	if line == "" || line[0] == '#' || slices.ContainsFunc(notRun, func(begin string) bool { return strings.HasPrefix(line, begin) }) {
		return
	}
	if strings.Contains(line, "go run .") { // in a clone
		line = "(cd " + filepath.Join(h.home, "clone") + " && " + line + ")"
	}
	line = strings.NewReplacer("go run .", "sitesync", "https://www.example.com", h.site.URL(), "http://127.0.0.1:7373", h.served, "URL", h.site.URL()+"/hours").Replace(line)
	words, _, _ := strings.Cut(line, " #")
	if begin := strings.Join(strings.Fields(words)[:min(2, len(strings.Fields(words)))], " "); begin == "sitesync serve" || begin == "sitesync ui" {
		h.stop()
		h.served, h.end = h.serve(words)
		h.ran++
		return
	}
	if strings.HasPrefix(line, "curl ") && h.end == nil {
		h.t.Errorf("%s: nothing serves what this asks: %s", b.at(), line)
		return
	}
	script := ". " + filepath.Join(h.home, "state") + "\n" + line + "\nstatus=$?\n{ export -p; echo \"cd '$PWD'\"; } > " + filepath.Join(h.home, "state") + "\nexit $status"
	cmd := exec.CommandContext(h.t.Context(), "bash", "-c", script)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.HasPrefix(line, "curl ") && strings.Contains(line, "/search") && !strings.Contains(string(out), "/hours") {
		h.t.Errorf("%s: %s: %v\n%s", b.at(), line, err, out)
	}
	h.ran++
}

// serve runs what serves on a free port, and returns its address and what ends it.
func (h *hour) serve(line string) (address string, end func()) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	cmd := exec.CommandContext(ctx, "bash", "-c", ". "+filepath.Join(h.home, "state")+"\nexec "+strings.TrimSpace(line)+" --listen 127.0.0.1:0")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		h.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for address == "" && lines.Scan() {
		address = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`).FindString(lines.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if address == "" {
		h.t.Errorf("%s: nothing serves", line)
	}
	return address, func() { cancel(); _ = cmd.Wait() }
}

// TestServed: what the pages ask the local service for with curl, it answers.
func TestServed(t *testing.T) {
	all := pages(t)
	h := newHour(t)
	at := filepath.Join(h.home, "clone")
	prepare(t, h.site, at)
	must(t, os.WriteFile(filepath.Join(h.home, "state"), []byte("cd "+at+"\nunset SITESYNC_API_KEY\n"), 0o600))
	h.served, h.end = h.serve("sitesync serve --pages examples/frontend")
	h.ran = 0
	for _, p := range all {
		for _, b := range p.blocks {
			for line := range strings.SplitSeq(strings.ReplaceAll(b.text, "\\\n", ""), "\n") {
				if b.language == "sh" && strings.HasPrefix(line, "curl ") && strings.Contains(line, "127.0.0.1:7373") {
					h.line(b, "curl -sS --fail-with-body "+strings.TrimPrefix(line, "curl "))
				}
			}
		}
	}
	if h.ran < 4 {
		t.Errorf("%d calls: are they written otherwise now?", h.ran)
	}
}

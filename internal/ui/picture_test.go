package ui

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPicture takes the pictures in docs/ of the program as it is, where -shots names a
// folder: the plan of a night on the sample site, and the search before and after it.
func TestPicture(t *testing.T) {
	if *shots == "" {
		t.Skip("SKIPPED: no folder for pictures: name one with -shots")
	}
	dir := t.TempDir()
	site, program := filepath.Join(dir, "site"), filepath.Join(dir, "sitesync")
	if err := os.CopyFS(site, os.DirFS("../../testdata/site")); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", program, "sitesync")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as .ci/run builds it
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	command := func(night int, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		cmd.Env = append(os.Environ(), fmt.Sprint("SOURCE_DATE_EPOCH=", 1_795_284_000+night*86_400))
		return cmd
	}
	run := func(night, exit int, args ...string) {
		t.Helper()
		cmd := command(night, args...)
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != exit {
			t.Fatal(args, err)
		}
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// change makes a page of another one, or changes it.
	change := func(from, to string, words ...string) {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join(site, from))
		if err != nil {
			t.Fatal(err)
		}
		write(filepath.Join(site, to), strings.NewReplacer(words...).Replace(string(raw)))
	}

	write(filepath.Join(dir, "sitesync.toml"), "[site]\nstart = [\"https://www.fjordby.example/\"]\nfolder = \"site\"\n[push]\nbase_url = \"local\"\n[delete]\nmax = 1\nmax_share = 0.01\n")
	run(0, 0, "sync", "-q")
	change("departments/roads-and-parks.html", "departments/roads-and-parks.html", "two working days", "one working day", "every Tuesday", "every Tuesday and Friday")
	change("departments/children-and-schools.html", "departments/children-and-schools.html", "from 14 to 17 in", "from 13 to 18 in")
	change("news/harbour-path-reopens.html", "news/benches.html", "The harbour path is open again", "A bench for every view", "harbour-path-reopens", "benches",
		"On Thursday morning the fences came down between the ferry berth and Strandmølle.", "Sixty benches were set up along the shore this week, ten of them made by the pupils of Harbour School.",
		"The old path was washed away in two places during the storms of November 2025.", "Who wants to give a bench can write the name of somebody on it.")
	change("news/index.html", "news/index.html", `<a href="/news/harbour-path-reopens.html">`, `<a href="/news/benches.html">A bench for every view</a>. <a href="/news/harbour-path-reopens.html">`)
	change("_redirects", "_redirects", "# Taken down on purpose.", "/whats-on/repair-cafe.html /404.html 410\n/council/meetings-2026.html /404.html 410")
	for _, gone := range []string{"whats-on/repair-cafe.html", "council/meetings-2026.html"} {
		if err := os.Remove(filepath.Join(site, gone)); err != nil {
			t.Fatal(err)
		}
	}
	run(1, 4, "plan", "-q", "-o", "tonight.plan")

	ui := command(1, "ui", "--plan", "tonight.plan")
	out, err := ui.StdoutPipe()
	if err == nil {
		err = ui.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ui.Process.Kill(); _ = ui.Wait() })
	said, err := bufio.NewReader(out).ReadString('\n')
	link := regexp.MustCompile(`http://[^ ]+`).FindString(said)
	if link == "" {
		t.Fatalf("no link: %q %v", said, err)
	}
	address, _, _ := strings.Cut(link, "/?")
	ctx, _ := openBrowser(t, address)
	do(t, ctx, look(""), chromedp.EmulateViewport(1000, 700), chromedp.Navigate(link))
	pages := value[string](t, ctx, "location.href")
	do(t, ctx, chromedp.Navigate(pages+"plan/changes"),
		click(`a[data-open][href*="roads"]`), until(".inline ins"), click(".sentence"), shot("ui"))
	do(t, ctx, chromedp.Navigate(pages+"search?q=bench"), until(".hit mark"), shot("search"))
}

package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/testsite"
)

// BenchmarkHundredThousand measures the two halves of a run apart, on a site of lean
// pages ten times as large as -bench.pages: what applying a plan of new documents costs
// the client, with the service in a process of its own, and its memory beside that of a
// tenth of the documents; what nights write to the ledger in which nothing changed, one
// with every page due for a recheck, one without; and what a plan costs in which a
// hundredth of the pages changed and the sitemap tells which, beside a bare client that
// fetches the same. All is measured of the program itself, in processes of its own.
//
//	go test ./internal/cli -run '^$' -bench HundredThousand -benchtime 1x -timeout 60m
func BenchmarkHundredThousand(b *testing.B) {
	program := filepath.Join(b.TempDir(), "sitesync")
	if out, err := exec.Command("go", "build", "-o", program, "sitesync").CombinedOutput(); err != nil {
		b.Skipf("SKIPPED: the program can't be built: %v\n%s", err, out)
	}
	for b.Loop() {
		_, _, small := applyNew(b, program, *benchPages)
		site, dir, large := applyNew(b, program, 10**benchPages)
		b.ReportMetric(large.cpu.Seconds(), "apply-cpu-s")
		b.ReportMetric(large.anonMB, "apply-anon-MB")
		b.ReportMetric(small.anonMB, "apply-tenth-anon-MB")

		// First every page is due to be read for real, which proves the sitemap's dates.
		for _, name := range []string{"recheck", "quiet"} {
			before := transactions(b, dir)
			night := apart(b, program, dir, later, 0, "sync")
			b.ReportMetric(float64(transactions(b, dir)-before), name+"-transactions")
			b.ReportMetric(night.cpu.Seconds(), name+"-cpu-s")
		}

		changed := *benchPages / 10
		if err := site.Bump(0, changed); err != nil {
			b.Fatal(err)
		}
		resetSite(b, site)
		plan := apart(b, program, dir, later, 10, "plan", "--detailed-exitcode", "-o", "changed.plan")
		if stats, err := site.Stats(); err != nil || int(stats.Pages) < changed || int(stats.Pages) > 2*changed {
			b.Fatalf("%d pages fetched, %v; %d changed", stats.Pages, err, changed)
		}
		bare := measure(b, func() {
			fetchAll(b, site.URL, changed, "", discard)
			fetchSitemaps(b, site.URL)
		})
		b.ReportMetric(plan.cpu.Seconds(), "plan-cpu-s")
		b.ReportMetric(bare.cpu.Seconds(), "plan-bare-cpu-s")
		b.ReportMetric(plan.anonMB, "plan-anon-MB")
	}
}

// The clocks of the first night and of the others, in seconds since 1970.
const (
	benchNight = 1_800_000_000
	later      = benchNight + 8*86_400
)

// applyNew plans a site from nothing and measures how the plan is applied.
func applyNew(b *testing.B, program string, pages int) (*testsite.HugeChild, string, figures) {
	site := hugeSite(b, testsite.HugeOptions{Pages: pages, Lean: true})
	service, _ := serveApart(b, program)
	dir := benchDir(b, site.URL, service)
	apart(b, program, dir, benchNight, 0, "plan", "-o", "new.plan")
	return site, dir, apart(b, program, dir, benchNight, 0, "apply", "new.plan")
}

// apart runs the program in a process of its own and measures that.
func apart(b *testing.B, program, dir string, at int64, want int, args ...string) (f figures) {
	b.Helper()
	var out bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", at))
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	f.anonMB = watchMemory(cmd)
	if cmd.ProcessState.ExitCode() != want {
		b.Fatalf("sitesync %s: %s\n%s", strings.Join(args, " "), cmd.ProcessState, out.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	b.Log(lines[len(lines)-1])
	f.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return f
}

// serveApart runs the local service in a process of its own, in a folder with its store.
func serveApart(tb testing.TB, program string) (url string, cmd *exec.Cmd) {
	tb.Helper()
	dir := tb.TempDir()
	config := "[site]\nstart = [\"http://127.0.0.1/\"]\n[push]\nbase_url = \"local\"\n[serve]\npath = \"service.db\"\n"
	if err := os.WriteFile(filepath.Join(dir, "serve.toml"), []byte(config), 0o600); err != nil {
		tb.Fatal(err)
	}
	cmd = exec.CommandContext(tb.Context(), program, "serve", "--listen", "127.0.0.1:0", "-c", "serve.toml")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	url = address.FindString(line)
	if err != nil || url == "" {
		tb.Fatalf("serve said %q, %v", line, err)
	}
	return url, cmd
}

// transactions returns how many transactions the ledger has seen.
func transactions(b *testing.B, dir string) (n int) {
	b.Helper()
	db, err := bolt.Open(filepath.Join(dir, "sitesync.db"), 0o600, &bolt.Options{ReadOnly: true, Timeout: time.Second})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	_ = db.View(func(tx *bolt.Tx) error { n = tx.ID(); return nil })
	return n
}

// fetchSitemaps fetches all sitemaps and does nothing else.
func fetchSitemaps(b *testing.B, site string) {
	locations := regexp.MustCompile(`<loc>([^<]+\.xml)</loc>`)
	for next := []string{site + "/sitemap.xml"}; len(next) > 0; next = next[1:] {
		resp, err := http.Get(next[0])
		if err != nil {
			b.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			b.Fatal(err)
		}
		for _, found := range locations.FindAllSubmatch(bytes.TrimSpace(body[:min(len(body), 4096)]), -1) {
			next = append(next, string(found[1]))
		}
	}
}

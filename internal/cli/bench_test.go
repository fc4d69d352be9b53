package cli_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/sync/errgroup"

	"sitesync/internal/cli"
	"sitesync/internal/testsite"
)

// The size of the benchmarks' large site; the site of the memory and quiet-night
// figures is ten times as large.
var benchPages = flag.Int("bench.pages", 10_000, "pages of the benchmarks' site")

var benchFloor = flag.Float64("bench.floor", 0, "plan/floor as last measured: the median may be 8 % above it")

const benchConnections = 16

// BenchmarkPlan compares the processor time of a whole plan (fetch, links,
// extraction, hash) with two limits in the same run, on pages that are articles and
// on pages that aren't: raw, a bare client that reads the same bodies as they come;
// and floor, which inflates and parses them too. The site runs in a process of its own.
// docs/speed.md keeps the ratios, of which these are the medians.
//
//	go test ./internal/cli -run '^$' -bench 'Plan$' -benchtime 1x
func BenchmarkPlan(b *testing.B) {
	cli.Tune(os.Getenv)
	for kind, not := range map[string]bool{"articles": false, "others": true} {
		b.Run(kind, func(b *testing.B) { benchPlan(b, testsite.HugeOptions{Pages: *benchPages, NoArticles: not}) })
	}
}

func benchPlan(b *testing.B, o testsite.HugeOptions) {
	site := hugeSite(b, o)
	var toRaw, toFloor []float64
	for b.Loop() {
		raw := measure(b, func() { fetchAll(b, site.URL, o.Pages, "", discard) })
		floor := measure(b, func() { fetchAll(b, site.URL, o.Pages, "", inflateAndParse) })
		resetSite(b, site)
		dir := benchDir(b, site.URL, "local")
		plan := measure(b, func() { sitesync(b, dir, 0, "plan", "-o", "bench.plan") })
		stats, err := site.Stats()
		if err != nil {
			b.Fatal(err)
		}
		if int(stats.Pages) != o.Pages || stats.Repeated != 0 {
			b.Fatalf("%d pages fetched, %d of them twice; want %d and 0", stats.Pages, stats.Repeated, o.Pages)
		}
		for name, f := range map[string]figures{"raw": raw, "floor": floor, "plan": plan} {
			b.ReportMetric(float64(f.cpu.Microseconds())/float64(o.Pages), name+"-µs/page")
		}
		toRaw = append(toRaw, float64(plan.cpu)/float64(raw.cpu))
		toFloor = append(toFloor, float64(plan.cpu)/float64(floor.cpu))
		b.ReportMetric(plan.anonMB, "anon-MB")
	}
	slices.Sort(toRaw)
	slices.Sort(toFloor)
	median := toFloor[len(toFloor)/2]
	b.ReportMetric(toRaw[len(toRaw)/2], "plan/raw")
	b.ReportMetric(median, "plan/floor")
	if *benchFloor > 0 && median > *benchFloor*1.08 {
		b.Fatalf("plan/floor is %.2f, last it was %.2f: each time %.2f", median, *benchFloor, toFloor)
	}
}

// BenchmarkNight measures, on a site ten times as large, the first sync's memory
// and two nights on which nothing changed: one of 304s, beside a bare client that is
// answered with 304 as often, and one of the sitemap only.
//
//	go test ./internal/cli -run '^$' -bench Night -benchtime 1x -timeout 30m
func BenchmarkNight(b *testing.B) {
	cli.Tune(os.Getenv)
	pages := 10 * *benchPages
	site := hugeSite(b, testsite.HugeOptions{Pages: pages})
	for b.Loop() {
		dir := benchDir(b, site.URL, "local")
		first := measure(b, func() { sitesync(b, dir, 0, "sync") })
		b.ReportMetric(first.cpu.Seconds(), "first-cpu-s")
		b.ReportMetric(first.anonMB, "first-anon-MB")
		night := measure(b, func() { sitesync(b, dir, 0, "sync") })
		b.ReportMetric(night.cpu.Seconds(), "night304-cpu-s")
		raw := measure(b, func() { fetchAll(b, site.URL, pages, "Fri, 01 Jan 2100 00:00:00 GMT", discard) })
		b.ReportMetric(float64(night.cpu)/float64(raw.cpu), "night304/raw")
		b.ReportMetric(night.anonMB, "night304-anon-MB")
		trustLastmod(b, dir)
		quiet := measure(b, func() { sitesync(b, dir, 0, "sync") })
		b.ReportMetric(quiet.cpu.Seconds(), "sitemap-cpu-s")
		b.ReportMetric(quiet.anonMB, "sitemap-anon-MB")
	}
}

// BenchmarkMillion compares the cost of a page on a site of lean pages with that on
// a site a hundred times as large, in the first sync and in a night of 304s, and
// gives the larger one's memory.
//
//	go test ./internal/cli -run '^$' -bench Million -benchtime 1x -timeout 60m
func BenchmarkMillion(b *testing.B) {
	cli.Tune(os.Getenv)
	for b.Loop() {
		small, large := leanNights(b, *benchPages), leanNights(b, 100**benchPages)
		for i, name := range []string{"first", "night304"} {
			b.ReportMetric(float64(large[i].cpu)/float64(small[i].cpu)/100, name+"-cpu-ratio")
			b.ReportMetric(float64(large[i].cpu.Microseconds())/float64(100**benchPages), name+"-µs/page")
			b.ReportMetric(large[i].anonMB, name+"-anon-MB")
		}
	}
}

// leanNights measures the first sync of a site of lean pages, and one of 304s.
func leanNights(b *testing.B, pages int) [2]figures {
	site := hugeSite(b, testsite.HugeOptions{Pages: pages, Lean: true})
	dir := benchDir(b, site.URL, "local")
	night := func() figures { return measure(b, func() { sitesync(b, dir, 0, "sync") }) }
	return [2]figures{night(), night()}
}

// trustLastmod has every page read for real once, which proves the sitemap's dates.
func trustLastmod(b *testing.B, dir string) {
	sitesync(b, dir, 0, "sync", "--full")
}

func hugeSite(b *testing.B, o testsite.HugeOptions) *testsite.HugeChild {
	b.Helper()
	site, err := testsite.StartHuge(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if _, err := site.Close(); err != nil {
			b.Error(err)
		}
	})
	return site
}

func resetSite(b *testing.B, site *testsite.HugeChild) {
	if err := site.Reset(); err != nil {
		b.Fatal(err)
	}
}

// benchDir returns a folder with a configuration for the site, whose runs leave no copy of the
// ledger: BenchmarkCopy of diffstore has its cost.
func benchDir(b *testing.B, site, service string) string {
	dir := b.TempDir()
	config := fmt.Sprintf("[site]\nstart = [%q]\n[fetch]\nconcurrency = %d\n[store]\nbackup = false\n[push]\nbase_url = %q\ncustomer_id = 1\ncrawler_id = \"site\"\napi_key = \"local\"\n", site+"/", benchConnections, service)
	if err := os.WriteFile(filepath.Join(dir, "sitesync.toml"), []byte(config), 0o600); err != nil {
		b.Fatal(err)
	}
	return dir
}

func sitesync(b *testing.B, dir string, want int, args ...string) {
	b.Helper()
	for i, arg := range args {
		if strings.HasSuffix(arg, ".plan") {
			args[i] = filepath.Join(dir, arg)
		}
	}
	var out bytes.Buffer
	args = append(args, "-c", filepath.Join(dir, "sitesync.toml"))
	if code := cli.Run(b.Context(), args, nil, &out, &out, func(string) string { return "" }); code != want {
		b.Fatalf("sitesync %s: exit code %d\n%s", strings.Join(args, " "), code, out.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	b.Log(lines[len(lines)-1])
}

// fetchAll is the bare client: it asks for every page, compressed and, with a date, if it
// was modified since; it does nothing with the body but what each does.
func fetchAll(b *testing.B, site string, pages int, since string, each func(io.Reader) error) {
	transport := &http.Transport{MaxIdleConnsPerHost: benchConnections, MaxConnsPerHost: benchConnections}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	group, ctx := errgroup.WithContext(b.Context())
	next := make(chan int)
	for range benchConnections {
		group.Go(func() error {
			for n := range next {
				if err := fetchOne(ctx, client, site+testsite.HugePath(n), since, each); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for n := range pages {
		next <- n
	}
	close(next)
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
}

func fetchOne(ctx context.Context, client *http.Client, url, since string, each func(io.Reader) error) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept-Encoding", "gzip") // so that the transport leaves it as it is
	if since != "" {
		req.Header.Set("If-Modified-Since", since)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return each(resp.Body)
}

func discard(body io.Reader) error {
	_, err := io.Copy(io.Discard, body)
	return err
}

func inflateAndParse(body io.Reader) error {
	plain, err := gzip.NewReader(body)
	if err != nil {
		return err
	}
	_, err = html.Parse(plain)
	return err
}

// figures are what one measured piece of work took of this process.
type figures struct {
	cpu    time.Duration
	anonMB float64 // the most anonymous memory seen; a mapped ledger is not counted
}

func measure(b *testing.B, work func()) figures {
	debug.FreeOSMemory()
	stop := make(chan struct{})
	var peak float64
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				peak = max(peak, anonymousMB("self"))
			}
		}
	})
	before := processTime(b)
	work()
	after := processTime(b)
	close(stop)
	wg.Wait()
	return figures{after - before, peak}
}

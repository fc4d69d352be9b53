//go:build linux

package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"sitesync/internal/cli"
	"sitesync/internal/document"
	"sitesync/internal/fleet/lease"
	fleetsite "sitesync/internal/fleet/site"
)

var (
	benchSites  = flag.Int("fleet.bench", 24, "sites of the benchmarks of a night")
	bucketSites = flag.Int("fleet.bucket", 10_000, "sites of the benchmark of a large fleet")
)

// processTime returns what a process has used, with the processes that it started.
func processTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	must(b, err)
	fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
	ticks := 0
	for _, field := range fields[11:15] {
		n, err := strconv.Atoi(field)
		must(b, err)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond // of USER_HZ
}

// anonymousMB returns the anonymous memory of a process, and the most of all it had, in MB.
func anonymousMB(b *testing.B, pid int) (anonymous, peak float64) {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	must(b, err)
	for line := range strings.Lines(string(raw)) {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "RssAnon:"):
			anonymous, _ = strconv.ParseFloat(fields[1], 64)
		case strings.HasPrefix(line, "VmHWM:"):
			peak, _ = strconv.ParseFloat(fields[1], 64)
		}
	}
	return anonymous / 1000, peak / 1000
}

// loop runs sync with each configuration, again and again, in one process.
func loop(ctx context.Context, rounds int, configs []string) int {
	for range rounds {
		for _, config := range configs {
			if code := cli.Run(ctx, []string{"sync", "-q", "-c", config}, os.Stdin, os.Stdout, os.Stderr, os.Getenv); code != 0 {
				return code
			}
		}
	}
	return 0
}

// BenchmarkNight compares the processor time of a night on which nothing changed: sync of each
// site by a process of its own, as crontab does it, sync of all sites in one process, and a
// worker with its NATS server.
//
//	go test ./internal/fleet/proof -run '^$' -bench 'Night$' -benchtime 1x
func BenchmarkNight(b *testing.B) {
	p := newProof(b, *benchSites, 40, newCluster(b, 1, false), 1)
	var configs []string
	for _, s := range p.sites {
		dir := filepath.Join(p.dir, "alone")
		must(b, os.MkdirAll(dir, 0o700))
		file := s.configure(b, dir, p.recorder.server.URL, "[store]\npath = \""+s.name+".db\"\n")
		raw, err := os.ReadFile(file)
		must(b, err)
		must(b, os.WriteFile(file, bytes.Replace(raw, []byte(`crawler_id = "`), []byte(`crawler_id = "alone-`), 1), 0o600))
		configs = append(configs, file)
	}
	p.recorder.lives = func(string, string) bool { return false }
	alone := func(rounds int, configs ...string) time.Duration {
		cmd := child(b, roleLoop, []string{"SITESYNC_API_KEY=" + keyOf("alone")}, append([]string{strconv.Itoa(rounds)}, configs...)...)
		cmd.Stderr = b.Output()
		must(b, cmd.Run())
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	alone(1, configs...)
	p.ended(p.due(), func() {})
	const rounds = 4
	n := time.Duration(len(configs) * rounds)
	for b.Loop() {
		var each time.Duration
		for _, config := range configs {
			each += alone(1, config) * rounds
		}
		together := alone(rounds, configs...) - alone(0)
		worker, node := p.workers[0].cmd.Process.Pid, p.cluster.nodes[0].cmd.Process.Pid
		before, beforeNode := processTime(b, worker), processTime(b, node)
		for range rounds {
			p.ended(p.due(), func() {})
		}
		for _, s := range p.sites {
			if last := p.state(s.name).Last; last.Exit != 0 || last.Documents != len(s.pages) {
				b.Fatalf("%s: %+v", s.name, *last)
			}
		}
		fleet, server := processTime(b, worker)-before, processTime(b, node)-beforeNode
		ms := func(d time.Duration) float64 { return float64((d / n).Microseconds()) / 1000 }
		b.ReportMetric(ms(each), "sync-processes-ms/site")
		b.ReportMetric(ms(together), "sync-one-process-ms/site")
		b.ReportMetric(ms(fleet), "worker-ms/site")
		b.ReportMetric(ms(server), "server-ms/site")
		b.ReportMetric(ms(fleet+server-together), "over-one-process-ms/site")
		b.ReportMetric(ms(fleet+server-each), "over-processes-ms/site")
	}
}

// BenchmarkTwoWorkers compares how many sites a minute two workers run with what one does,
// where each answer of a site takes 20 ms.
//
//	go test ./internal/fleet/proof -run '^$' -bench TwoWorkers -benchtime 1x
func BenchmarkTwoWorkers(b *testing.B) {
	p := newProof(b, 0, 0, newCluster(b, 1, false), 1)
	for i := range *benchSites {
		s := newSite(b, i, 40)
		s.delay(20 * time.Millisecond)
		p.sites = append(p.sites, s)
		p.add(s)
	}
	p.recorder.lives = func(string, string) bool { return true }
	p.ended(p.due(), func() {})
	for b.Loop() {
		var rate [2]float64
		for i := range rate {
			if i == 1 {
				p.hire("")
				p.ended(p.due(), func() {}) // it has fetched its share of ledgers
			}
			began := time.Now()
			const rounds = 3
			for range rounds {
				p.ended(p.due(), func() {})
			}
			rate[i] = rounds * float64(len(p.sites)) / time.Since(began).Minutes()
		}
		b.ReportMetric(rate[0], "sites/min-one")
		b.ReportMetric(rate[1], "sites/min-two")
		b.ReportMetric(rate[1]/rate[0], "two/one")
	}
}

// BenchmarkLargeFleet measures a fleet of many sites while nothing is due: the memory of a
// worker, its processor time and its server's as a share of a core, and fleet status.
//
//	go test ./internal/fleet/proof -run '^$' -bench LargeFleet -benchtime 1x
func BenchmarkLargeFleet(b *testing.B) {
	p := newProof(b, 0, 0, newCluster(b, 1, false), 0)
	p.stock(*bucketSites)
	w := p.hire("")
	var processor time.Duration
	status := func() time.Duration {
		cmd := child(b, roleProgram, []string{"SITESYNC_NATS=" + p.cluster.urls()}, "fleet", "status", "--format", "json")
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		began := time.Now()
		if err := cmd.Run(); err != nil && out.Len() == 0 {
			b.Fatalf("%v: %s", err, errs.String())
		}
		processor = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		return time.Since(began)
	}
	for b.Loop() {
		var fastest time.Duration = time.Hour
		for range 3 {
			fastest = min(fastest, status())
		}
		version := time.Hour
		for range 3 {
			began := time.Now()
			must(b, child(b, roleProgram, nil, "version").Run())
			version = min(version, time.Since(began))
		}
		node := p.cluster.nodes[0].cmd.Process.Pid
		before, beforeNode := processTime(b, w.cmd.Process.Pid), processTime(b, node)
		b.ReportMetric(before.Seconds(), "worker-start-cpu-s")
		const idle = 20 * time.Second
		<-time.After(idle)
		anonymous, peak := anonymousMB(b, w.cmd.Process.Pid)
		b.ReportMetric(fastest.Seconds(), "status-s")
		b.ReportMetric(processor.Seconds(), "status-cpu-s")
		b.ReportMetric(version.Seconds(), "version-s")
		b.ReportMetric(anonymous, "worker-anon-MB")
		b.ReportMetric(peak, "worker-peak-rss-MB")
		b.ReportMetric(100*float64(processTime(b, w.cmd.Process.Pid)-before)/float64(idle), "worker-%core")
		b.ReportMetric(100*float64(processTime(b, node)-beforeNode)/float64(idle), "server-%core")
	}
}

// stock adds many sites, each with a state.
func (p *proof) stock(count int) {
	var g errgroup.Group
	g.SetLimit(32)
	for i := range count {
		g.Go(func() error {
			name := fmt.Sprintf("site-%05d", i)
			text := fmt.Sprintf("[site]\nstart = [\"https://www%d.example.com/\"]\n[push]\nbase_url = \"https://search.example.com\"\ncustomer_id = %d\ncrawler_id = %q\n[fleet]\nschedule = \"0 3 1 1 *\"\n", i, customer, name)
			entry, err := fleetsite.Read(name, name+".toml", []byte(text))
			if err != nil {
				return err
			}
			if err := p.book.Put(p.t.Context(), &entry, "add", "proof"); err != nil {
				return err
			}
			raw, err := json.Marshal(lease.State{
				Number: 7, Done: time.Now(), Ledger: &lease.File{Number: 7, Size: 1 << 20, Sum: strings.Repeat("a", 64)},
				Last: &lease.Result{Run: "20261123T020000Z-abcdef", Worker: "w1", Due: time.Now(), Start: time.Now(), Took: 1234, Counts: document.Counts{Unchanged: 40}, Documents: 40},
			})
			if err != nil {
				return err
			}
			_, err = p.bus.States.Put(p.t.Context(), name, raw)
			return err
		})
	}
	must(p.t, g.Wait())
}

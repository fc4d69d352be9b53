//go:build linux

package proof

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sitesync/internal/cli"
)

var benchSites = flag.Int("fleet.bench", 24, "sites of the benchmark of a night")

// processorTime returns what a process has used, with the processes that it started.
func processorTime(b *testing.B, pid int) time.Duration {
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
		before, beforeNode := processorTime(b, worker), processorTime(b, node)
		for range rounds {
			p.ended(p.due(), func() {})
		}
		for _, s := range p.sites {
			if last := p.state(s.name).Last; last.Exit != 0 || last.Documents != len(s.pages) {
				b.Fatalf("%s: %+v", s.name, *last)
			}
		}
		fleet, server := processorTime(b, worker)-before, processorTime(b, node)-beforeNode
		ms := func(d time.Duration) float64 { return float64((d / n).Microseconds()) / 1000 }
		b.ReportMetric(ms(each), "sync-processes-ms/site")
		b.ReportMetric(ms(together), "sync-one-process-ms/site")
		b.ReportMetric(ms(fleet), "worker-ms/site")
		b.ReportMetric(ms(server), "server-ms/site")
		b.ReportMetric(ms(fleet+server-together), "over-one-process-ms/site")
		b.ReportMetric(ms(fleet+server-each), "over-processes-ms/site")
	}
}

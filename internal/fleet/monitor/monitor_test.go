package monitor_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"sitesync/internal/document"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/monitor"
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

func get(t *testing.T, m http.Handler, path string) (status int, body string) {
	t.Helper()
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

var sample = regexp.MustCompile(`(?m)^(sitesync_[^ ]+) (.+)$`)

func samples(t *testing.T, m http.Handler) map[string]string {
	t.Helper()
	all := map[string]string{}
	_, body := get(t, m, "/metrics")
	for _, match := range sample.FindAllStringSubmatch(body, -1) {
		all[match[1]] = match[2]
	}
	return all
}

func TestMetrics(t *testing.T) {
	m := monitor.New(8, t.TempDir(), func() bool { return true })
	due := time.Now().Add(-time.Minute)
	stopped := m.Started()
	m.Started()
	if got := samples(t, m)["sitesync_fleet_sites_running"]; got != "2" {
		t.Errorf("%s sites are running, not 2", got)
	}
	stopped()
	m.Ended(lease.Result{Exit: 3, Took: 1500, Due: due, Start: due.Add(2 * time.Hour), Counts: document.Counts{Put: 5, Patch: 4, Delete: 3, BulkDelete: 2, Queue: 1}})
	m.Ended(lease.Result{Exit: 3, Took: 500})
	m.Lost()
	got := samples(t, m)
	for name, want := range map[string]string{
		`runs_total{exit="3"}`: "2", `runs_total{exit="0"}`: "0", `sites_running`: "1", `sites_capacity`: "8", `ready`: "1",
		`leases_lost_total`:              "1",
		`documents_sent_total{op="put"}`: "5", `documents_sent_total{op="patch"}`: "4", `documents_sent_total{op="delete"}`: "3",
		`documents_sent_total{op="bulk-delete"}`: "2", `documents_sent_total{op="queue"}`: "1",
		`runs_late_total`: "1",
	} {
		if got["sitesync_fleet_"+name] != want {
			t.Errorf("%s is %q, not %s", name, got["sitesync_fleet_"+name], want)
		}
	}
	before := len(got)
	for range 1000 { // no series for a site
		m.Started()()
	}
	if after := samples(t, m); len(after) != before || strings.Contains(strings.Join(slices.Collect(maps.Keys(after)), " "), t.Name()) {
		t.Errorf("%d series were %d: they grow with the sites", len(after), before)
	}
}

func TestHealth(t *testing.T) {
	connected := true
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	m := monitor.New(1, dir, func() bool { return connected })
	expect := func(path string, status int, says string) {
		t.Helper()
		if got, body := get(t, m, path); got != status || body != says+"\n" {
			t.Errorf("%s answers %d %q, want %d %s", path, got, body, status, says)
		}
	}
	expect("/readyz", 200, "ready")
	m.Ready(false)
	expect("/readyz", 503, "the worker takes no sites now; its log says why")
	m.Ready(true)
	connected = false
	expect("/readyz", 503, "the worker is not connected to NATS")
	expect("/healthz", 200, "alive")
	expect("/", 404, "there are /metrics, /healthz and /readyz")
	connected = true
	expect("/readyz", 200, "ready")
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 { // the file and the probe
		t.Errorf("left behind: %v, %v", left, err)
	}
	m = monitor.New(1, filepath.Join(file, "below"), func() bool { return true })
	expect("/readyz", 503, "the worker can't write its folder")
	if got := samples(t, m)["sitesync_fleet_ready"]; got != "0" {
		t.Errorf("ready is %s, not 0", got)
	}
}

func TestListen(t *testing.T) {
	m := monitor.New(1, t.TempDir(), func() bool { return true })
	at, end, err := m.Listen(t.Context(), "127.0.0.1:0")
	must(t, err)
	if _, _, err := m.Listen(t.Context(), at); err == nil || !strings.Contains(err.Error(), "listen on "+at) {
		t.Errorf("a port that is taken: %v", err)
	}
	resp, err := http.Get("http://" + at + "/healthz")
	must(t, err)
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || string(body) != "alive\n" {
		t.Errorf("answers %q, %v", body, err)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	if _, err := http.Get("http://" + at + "/healthz"); err == nil {
		t.Error("it answers after its end")
	}
}

// TestAlertRules: the example of alert rules is YAML, and looks at what a worker shows alone.
func TestAlertRules(t *testing.T) {
	raw, err := os.ReadFile("../../../deploy/prometheus/sitesync-fleet.rules.yml")
	must(t, err)
	must(t, yaml.Unmarshal(raw, new(any)))
	m := monitor.New(1, t.TempDir(), func() bool { return true })
	m.Ended(lease.Result{})
	_, metrics := get(t, m, "/metrics")
	used := regexp.MustCompile(`sitesync_\w+`).FindAllString(string(raw), -1)
	for _, name := range used {
		if !regexp.MustCompile(`(?m)^` + name + `[ {]`).MatchString(metrics) {
			t.Errorf("a rule looks at %s, which no worker shows", name)
		}
	}
	if len(used) < 5 {
		t.Errorf("the rules look at %q", used)
	}
}

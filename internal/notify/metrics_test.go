package notify_test

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/notify"
)

// The file of figures is what Prometheus reads (exposition format 0.0.4), and is replaced
// in one step.
func TestMetrics(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sitesync.prom")
	f := notify.Figures{Site: "a\"b\\c\nsitesync_held{} 9", End: time.Unix(1735689600, 0), Duration: 1500 * time.Millisecond, Exit: 4, Documents: -1}
	write := func() map[string]string {
		t.Helper()
		if err := notify.WriteMetrics(path, f); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return samples(t, string(raw))
	}
	const site = `{site="a\"b\\c\nsitesync_held{} 9"`
	if got := write(); len(got) != 3 || got["sitesync_last_run_timestamp_seconds"+site+"}"] != "1735689600" || got["sitesync_last_run_duration_seconds"+site+"}"] != "1.5" {
		t.Errorf("%v", got)
	}
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	f.Counted, f.Documents = true, 3_000_000
	f.Summary = document.Summary{
		Kinds: document.Kinds{New: 12, Changed: 136, Deleted: 28, Moved: 10}, Counts: document.Counts{Held: 37, Unchanged: 2961, Failed: 5},
		Hosts: []document.Host{{Host: "https://a", State: document.HostOK}, {Host: `https://b"}`, State: document.HostLoginWall}},
	}
	got := write()
	for name, want := range map[string]string{
		"documents" + site + "}": "3000000", "held" + site + "}": "37", "unchanged" + site + "}": "2961", "failed" + site + "}": "5", "last_run_exit_code" + site + "}": "4",
		"changes" + site + `,kind="changed"}`: "136", "changes" + site + `,kind="moved"}`: "10",
		"host_ok" + site + `,host="https://a",state="ok"}`: "1", "host_ok" + site + `,host="https://b\"}",state="login-wall"}`: "0",
	} {
		if got["sitesync_"+name] != want {
			t.Errorf("%s is %q, not %q", name, got["sitesync_"+name], want)
		}
	}
	if raw, err := io.ReadAll(old); err != nil || len(samples(t, string(raw))) != 3 {
		t.Errorf("who reads the file while it is replaced sees %s, %v", raw, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := notify.WriteMetrics(dir, f); err == nil { // a folder is in its place
		t.Error("a folder was replaced")
	}
	for _, folder := range []string{dir, filepath.Dir(dir)} {
		if left, err := filepath.Glob(filepath.Join(folder, ".*")); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	}
}

// samples reads the text format: each metric's HELP and TYPE, then its samples.
func samples(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	head := regexp.MustCompile(`^# (HELP|TYPE) (sitesync_[a-z_]+) (.+)$`)
	sample := regexp.MustCompile(`^((sitesync_[a-z_]+)\{(?:[a-z]+="(?:[^"\\]|\\["\\n])*",?)+\}) ([0-9.]+)$`)
	helped, typed := map[string]bool{}, ""
	rest, ended := strings.CutSuffix(text, "\n")
	if !ended {
		t.Errorf("the last line has no end: %q", text)
	}
	for line := range strings.SplitSeq(rest, "\n") {
		h, s := head.FindStringSubmatch(line), sample.FindStringSubmatch(line)
		switch {
		case h != nil && h[1] == "HELP" && !helped[h[2]]:
			helped[h[2]] = true
		case h != nil && h[1] == "TYPE" && helped[h[2]] && h[3] == "gauge":
			typed = h[2]
		case s != nil && s[2] == typed && all[s[1]] == "":
			all[s[1]] = s[3]
		default:
			t.Errorf("the line %q is not due", line)
		}
	}
	return all
}

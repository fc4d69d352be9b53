package notify

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sitesync/internal/document"
)

// Figures are those of the run that ended last.
type Figures struct {
	Site      string
	End       time.Time
	Duration  time.Duration
	Exit      int
	Documents int  // that the index holds; negative: not known
	Counted   bool // the run had a plan: Summary says what it did
	Summary   document.Summary
}

// WriteMetrics writes the figures into a file at once, in the text format of Prometheus
// (version 0.0.4), for the textfile collector of its node exporter. The names are a
// contract, and docs/notify.md lists them.
func WriteMetrics(path string, f Figures) error {
	var text bytes.Buffer
	gauge := func(name, help string, samples ...sample) {
		if len(samples) > 0 {
			fmt.Fprintf(&text, "# HELP sitesync_%s %s\n# TYPE sitesync_%[1]s gauge\n", name, help)
		}
		for _, s := range samples {
			fmt.Fprintf(&text, "sitesync_%s{site=\"%s\"%s} %s\n", name, label.Replace(f.Site), s.labels, strconv.FormatFloat(s.value, 'f', -1, 64))
		}
	}
	gauge("last_run_timestamp_seconds", "When the last run ended, in Unix time.", one(int(f.End.Unix())))
	gauge("last_run_duration_seconds", "How long the last run took.", sample{"", f.Duration.Seconds()})
	gauge("last_run_exit_code", "Exit code of the last run: 0 is fine.", one(f.Exit))
	if f.Documents >= 0 {
		gauge("documents", "Documents that the service acknowledged.", one(f.Documents))
	}
	if f.Counted {
		c := f.Summary.Counts
		k := f.Summary.ByKind()
		gauge("changes", "Changes that the service acknowledged in the last run, by kind.",
			kind("new", k.New), kind("changed", k.Changed), kind("deleted", k.Deleted), kind("moved", k.Moved), kind("queued", c.Queue))
		gauge("unchanged", "Documents that the last run found unchanged.", one(c.Unchanged))
		gauge("held", "Changes that brakes hold.", one(c.Held))
		gauge("failed", "URLs that the last run could not read.", one(c.Failed))
		gauge("new_failures", "Of those, URLs that the run before could read.", one(f.Summary.New))
		gauge("refused", "Documents that the service refused.", one(c.Refused))
		var hosts []sample
		for _, h := range f.Summary.Hosts {
			ok := 0.0
			if h.State == document.HostOK {
				ok = 1
			}
			hosts = append(hosts, sample{fmt.Sprintf(`,host="%s",state="%s"`, label.Replace(h.Host), label.Replace(string(h.State))), ok})
		}
		gauge("host_ok", "Whether a host was ok in the last run.", hosts...)
	}
	return replace(path, text.Bytes())
}

// label escapes the value of a label.
var label = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

type sample struct {
	labels string
	value  float64
}

func one(n int) sample { return sample{"", float64(n)} }

func kind(name string, n int) sample { return sample{`,kind="` + name + `"`, float64(n)} }

// replace puts a file in the place of another in one step. Others may read it: the
// exporter is another user.
func replace(path string, data []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = file.Write(data)
	if err == nil {
		err = file.Chmod(0o644) //nolint:gosec // see above
	}
	err = errors.Join(err, file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

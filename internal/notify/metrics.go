package notify

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/template"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/own"
	"sitesync/internal/spool"
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

//go:embed metrics.prom
var metrics string

// WriteMetrics writes the figures into a file at once, in the text format of Prometheus
// (version 0.0.4), for the textfile collector of its node exporter, which is another user:
// others may read it. The names are a contract, and docs/notify.md lists them. It errs where
// the file holds anything else.
func WriteMetrics(path string, f Figures) error {
	ours := func(head []byte) bool { return bytes.HasPrefix(head, []byte("# HELP sitesync_")) }
	if err := own.Replaceable(path, ours); err != nil {
		return err
	}
	label := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	page := template.Must(template.New("metrics").Funcs(template.FuncMap{"label": func(v any) string { return label.Replace(fmt.Sprint(v)) }}).Parse(metrics))
	return spool.WriteFile(path, 0o644, func(out io.Writer) error { return page.Execute(out, &f) })
}

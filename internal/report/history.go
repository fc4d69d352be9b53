package report

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

	"sitesync/internal/document"
)

// Ending returns why a run ended as it did, in a few words.
func Ending(s *document.Summary) string {
	switch {
	case s.Unsent:
		return "ended before anything was sent: " + s.Stopped
	case s.Stopped == "interrupted":
		return s.Stopped
	case s.Stopped != "":
		return "stopped: " + s.Stopped
	case !s.Complete:
		return "incomplete: " + uncovered(s.Hosts)
	case s.Counts.Held > 0:
		return fmt.Sprintf("done; brakes hold %d changes", s.Counts.Held)
	}
	return "done"
}

// uncovered names the hosts of which not every page was looked at.
func uncovered(hosts []document.Host) string {
	var parts []string
	for _, h := range hosts {
		if h.Covered {
			continue
		}
		part := "not every page of " + h.Host + " was looked at"
		if h.State != document.HostOK {
			part += fmt.Sprintf(" (%s: %s)", h.State, h.Reason)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return "not every page was looked at"
	}
	return strings.Join(parts, "; ")
}

// Past is a run as the history shows it.
type Past struct {
	*document.Summary
	End string `json:"end"` // Ending
}

// NewPast returns the run with its end.
func NewPast(s *document.Summary) *Past { return &Past{s, Ending(s)} }

// Runs writes the runs of a history as one JSON object.
func Runs(w io.Writer, runs iter.Seq2[document.Summary, error]) error {
	out := &jsonWriter{out: bufio.NewWriter(w)}
	sep := `{"runs":[`
	for run, err := range runs {
		if err != nil {
			return err
		}
		out.text(sep)
		out.value(NewPast(&run))
		sep = ","
	}
	return out.finish(strings.TrimPrefix(sep, ",") + "]}\n")
}

// PastRun writes one run of a history, with all that it changed or held, as one JSON
// object.
func PastRun(w io.Writer, run *document.Summary, entries iter.Seq2[document.Entry, error]) error {
	out := &jsonWriter{out: bufio.NewWriter(w)}
	out.field("{", "run", NewPast(run))
	array(out, "changes", entries, func(e document.Entry) any { return e })
	return out.finish("}\n")
}

// finish writes the end of an object, and returns the first error.
func (w *jsonWriter) finish(end string) error {
	w.text(end)
	if w.err != nil {
		return fmt.Errorf("write result: %w", w.err)
	}
	return w.out.Flush()
}

package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// JSON writes the run as one JSON object. It streams arrays, so they are never whole in memory.
func JSON(w io.Writer, r *Run) error {
	out := &writer{out: bufio.NewWriter(w)}
	s := r.Summary
	out.field("{", "run", s.Run)
	out.field(",", "site", r.Site)
	out.field(",", "summary", Sentence(r))
	out.field(",", "complete", s.Complete)
	out.field(",", "duration_ms", r.Duration.Milliseconds())
	out.field(",", "hosts", hostLines(s.Hosts))
	out.field(",", "counts", s.Counts)
	out.field(",", "kinds", s.Kinds)
	out.field(",", "sitemap", s.Sitemap)
	out.field(",", "brakes", append([]document.Tripped{}, s.Brakes...))
	array(out, ",", "changes", only(r.Changes, func(c Change) bool { return c.State != document.Held }))
	array(out, ",", "held", only(r.Changes, func(c Change) bool { return c.State == document.Held }))
	array(out, ",", "failed", r.Failures)
	array(out, ",", "moved", r.Moves)
	array(out, ",", "warnings", r.Warnings)
	if s.Bulk != nil {
		out.field(",", "bulk", s.Bulk)
	}
	if s.Stopped != "" {
		out.field(",", "stopped", s.Stopped)
	}
	out.field(",", "exit", r.Exit)
	return out.finish("}\n")
}

// Object writes v as one JSON object on one line.
func Object(w io.Writer, v any) error {
	out := &writer{out: bufio.NewWriter(w)}
	out.value(v)
	return out.finish("\n")
}

type hostLine struct {
	Host   string `json:"host"`
	Origin string `json:"origin"`
	hostFields
}

// hostFields is document.Host under another name: embedded, document.Host would clash with the field Host.
type hostFields document.Host

func hostLines(hosts []document.Host) []hostLine {
	lines := make([]hostLine, 0, len(hosts))
	for _, h := range hosts {
		lines = append(lines, hostLine{weburl.Host(h.Host), h.Host, hostFields(h)})
	}
	return lines
}

type writer struct {
	out     *bufio.Writer
	err     error
	o       TextOptions
	listAll document.Command
}

func (w *writer) text(s string) {
	if w.err == nil {
		_, w.err = w.out.WriteString(s)
	}
}

func (w *writer) value(v any) {
	raw, err := json.Marshal(v)
	if w.err == nil {
		w.err = err
	}
	w.text(Clean(string(raw)))
}

func (w *writer) field(lead, name string, v any) {
	w.text(lead + `"` + name + `":`)
	w.value(v)
}

func array[T any](w *writer, lead, name string, seq iter.Seq2[T, error]) {
	w.text(lead + `"` + name + `":[`)
	sep := ""
	for v, err := range seq {
		if err != nil {
			w.err = err
			return
		}
		w.text(sep)
		w.value(v)
		sep = ","
	}
	w.text("]")
}

// Runs writes past runs as one JSON object.
func Runs(w io.Writer, runs iter.Seq2[document.Summary, error]) error {
	out := &writer{out: bufio.NewWriter(w)}
	array(out, "{", "runs", runs)
	return out.finish("}\n")
}

// PastRun writes one past run as one JSON object, with all changes that it sent or that a limit stopped.
func PastRun(w io.Writer, run *document.Summary, entries iter.Seq2[document.Entry, error]) error {
	out := &writer{out: bufio.NewWriter(w)}
	out.field("{", "run", run)
	array(out, ",", "changes", entries)
	return out.finish("}\n")
}

func (w *writer) finish(end string) error {
	w.text(end)
	if w.err != nil {
		return fmt.Errorf("write result: %w", w.err)
	}
	return w.out.Flush()
}

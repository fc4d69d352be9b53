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

// JSON writes the run as one object. Arrays are streamed.
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
	out.field(",", "kinds", s.ByKind())
	out.field(",", "sitemap", s.Sitemap)
	out.field(",", "brakes", append([]document.Tripped{}, s.Brakes...))
	array(out, ",", "changes", only(r.Changes, func(c Change) bool { return c.State != document.Held }), func(c Change) any { return c })
	array(out, ",", "held", only(r.Changes, func(c Change) bool { return c.State == document.Held }), func(c Change) any { return c })
	array(out, ",", "failed", r.Failures, func(f document.Failure) any { return f })
	array(out, ",", "moved", r.Moves, func(m document.Move) any { return m })
	array(out, ",", "warnings", r.Warnings, func(n document.Warning) any { return n })
	if s.Bulk != nil {
		out.field(",", "bulk", s.Bulk)
	}
	if s.Stopped != "" {
		out.field(",", "stopped", s.Stopped)
	}
	out.field(",", "exit", r.Exit)
	return out.finish("}\n")
}

// Object writes v as one JSON object in one line.
func Object(w io.Writer, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode result: %w", err)
	}
	if _, err := io.WriteString(w, cleanJSON(raw)+"\n"); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

// hostLine is a host as results show it: by its name, with the origin beside it.
type hostLine struct {
	Host   string `json:"host"`
	Origin string `json:"origin"`
	hostFields
}

type hostFields document.Host // its own Host gives way to hostLine's

func hostLines(hosts []document.Host) []hostLine {
	lines := make([]hostLine, 0, len(hosts))
	for _, h := range hosts {
		lines = append(lines, hostLine{weburl.Host(h.Host), h.Host, hostFields(h)})
	}
	return lines
}

// writer writes the pieces of an object, or lines, and keeps the first error.
type writer struct {
	out        *bufio.Writer
	err        error
	all, color bool             // of lines, as TextOptions has them
	rest       document.Command // as well
	lists      document.Command // shows what the history does not keep
	spell      func(document.Command) document.Command
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
	w.text(cleanJSON(raw))
}

func (w *writer) field(lead, name string, v any) {
	w.text(lead + `"` + name + `":`)
	w.value(v)
}

func array[T any](w *writer, lead, name string, seq iter.Seq2[T, error], show func(T) any) {
	w.text(lead + `"` + name + `":[`)
	sep := ""
	for v, err := range seq {
		if err != nil {
			w.err = err
			return
		}
		w.text(sep)
		w.value(show(v))
		sep = ","
	}
	w.text("]")
}

// Runs writes the runs of a history as one JSON object.
func Runs(w io.Writer, runs iter.Seq2[document.Summary, error]) error {
	out := &writer{out: bufio.NewWriter(w)}
	array(out, "{", "runs", runs, func(s document.Summary) any { return s })
	return out.finish("}\n")
}

// PastRun writes one run of a history, with all that it changed or held, as one JSON
// object.
func PastRun(w io.Writer, run *document.Summary, entries iter.Seq2[document.Entry, error]) error {
	out := &writer{out: bufio.NewWriter(w)}
	out.field("{", "run", run)
	array(out, ",", "changes", entries, func(e document.Entry) any { return e })
	return out.finish("}\n")
}

// finish writes the end and returns the first error.
func (w *writer) finish(end string) error {
	w.text(end)
	if w.err != nil {
		return fmt.Errorf("write result: %w", w.err)
	}
	return w.out.Flush()
}

package report

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"sitesync/internal/document"
)

// shown is how many lines of one section are shown unless all are asked for.
const shown = 40

// TextOptions say how Text writes.
type TextOptions struct {
	All   bool // cut no list short
	Color bool // colour operations and headings, ECMA-48 (SGR)
}

// Text writes the run for people: what was sent, what is held and how to release
// it, what could not be read.
func Text(w io.Writer, r *Run, o TextOptions) error {
	t := &textWriter{out: bufio.NewWriter(w), limit: shown, color: o.Color}
	if o.All {
		t.limit = -1
	}
	list(t, "", r.entries(false), func(e document.Entry) string { return EntryLine(&e) },
		func(e document.Entry) string { return EvidenceLine(&e) })
	if b := r.Summary.Bulk; b != nil {
		t.line("%s", BulkLine(b))
	}
	t.hosts(r.Summary.Hosts)
	t.scope(r.Summary.Scope)
	list(t, "moved", r.Moves, moveLine)
	list(t, "held", r.entries(true), func(e document.Entry) string { return HeldLine(&e) })
	t.brakes(r.Summary.Brakes)
	list(t, "not read", r.Failures, func(f document.Failure) string {
		return fmt.Sprintf("%s: %s (%ssince run %s)", f.URL, f.Error, foundOn(f.From), f.Since)
	})
	list(t, "warnings", r.warnings(o.All), func(n document.Warning) string { return strings.TrimSpace(n.Kind+" "+n.URL) + ": " + n.Text })
	t.sitemap(r.Summary.Sitemap)
	t.line("%s", Totals(r))
	if t.err != nil {
		return fmt.Errorf("write result: %w", t.err)
	}
	return t.out.Flush()
}

// foundOn names the page by which a URL was found.
func foundOn(from string) string {
	if from == "" {
		return ""
	}
	return "found on " + from + ", "
}

// sitemap tells how the sitemaps differ from the links, where a run knows.
func (t *textWriter) sitemap(d document.SitemapDiff) {
	hint := ""
	if t.limit >= 0 {
		hint = "; -v lists them"
	}
	if n := d.NotLinked; n != nil && *n > 0 {
		t.line("in the sitemap, but linked by no page: %d%s", *n, hint)
	}
	if n := d.NotListed; n != nil && *n > 0 {
		t.line("linked, but not in the sitemap: %d%s", *n, hint)
	}
}

// Totals returns the one line that sums a run up.
func Totals(r *Run) string {
	c := r.Summary.Counts
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(c.Put, "put")
	add(c.Patch, "patched")
	add(c.Delete, "deleted")
	add(c.BulkDelete, "deleted in bulk")
	add(c.Queue, "queued")
	add(c.Held, "held")
	add(c.Refused, "refused")
	add(c.Failed, "not read")
	if len(parts) == 0 {
		parts = []string{idle(r)}
	}
	head, tail := "", fmt.Sprintf("%d unchanged, %d URLs looked at", c.Unchanged, r.Summary.Looked)
	if r.Duration > 0 {
		tail += " in " + r.Duration.Round(time.Millisecond).String()
	}
	if r.Dry {
		head = "dry run: "
	}
	if !r.Summary.Complete {
		tail += "; the site was not covered"
	}
	if r.Summary.Stopped != "" {
		tail += "; stopped: " + r.Summary.Stopped
	}
	return head + strings.Join(parts, ", ") + "; " + tail
}

// idle says in words that no call was acknowledged and nothing waits.
func idle(r *Run) string {
	if r.Summary.New > 0 || r.Summary.Stopped != "" {
		return "nothing acknowledged"
	}
	return "nothing to do"
}

// EntryLine returns one line that tells of a change.
func EntryLine(e *document.Entry) string {
	line := fmt.Sprintf("%-6s %s (%s", e.Op, e.ID, e.Cause)
	if len(e.Fields) > 0 {
		line += ": " + strings.Join(e.Fields, ", ")
	}
	line += ")"
	if e.State != document.Acknowledged && e.State != document.Planned {
		line += " " + string(e.State)
	}
	switch {
	case e.Reason != "":
		line += ": " + e.Reason
	case e.State == document.Refused: // parked: nothing was sent
		line += ": " + e.Evidence
	}
	return line
}

// EvidenceLine returns the line below a delete's, which proves it; empty for anything
// else.
func EvidenceLine(e *document.Entry) string {
	if e.Op != document.Delete && e.Op != document.BulkDelete || e.Evidence == "" {
		return ""
	}
	return "       " + e.Evidence
}

// HeldLine returns one line that tells what a brake holds, and why it is due.
func HeldLine(e *document.Entry) string {
	why := string(e.Cause)
	if e.Evidence != "" {
		why += ": " + e.Evidence
	}
	line := fmt.Sprintf("%s %s (%s) by the brake %q", e.Op, e.ID, why, e.Brake)
	if e.Group != "" {
		line += " of " + e.Group
	}
	return line
}

type textWriter struct {
	out   *bufio.Writer
	limit int
	color bool
	err   error
}

func (t *textWriter) line(format string, args ...any) {
	if t.err != nil {
		return
	}
	text := Clean(fmt.Sprintf(format, args...))
	if t.color {
		text = paint(text)
	}
	_, t.err = t.out.WriteString(text + "\n")
}

// paint colours a line by its first word.
func paint(line string) string {
	word, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), ":"), " ")
	code := ""
	switch word {
	case string(document.Put):
		code = "32" // green
	case string(document.Patch):
		code = "36" // cyan
	case string(document.Delete), string(document.BulkDelete), "bulk":
		code = "31" // red
	case "held", "host", "not", "out", "warnings":
		code = "33" // yellow
	default:
		return line
	}
	return "\x1b[" + code + "m" + line + "\x1b[0m"
}

// list writes one section, cut short where it is long; below gives a second line, empty
// where there is none.
func list[T any](t *textWriter, title string, seq iter.Seq2[T, error], show func(T) string, below ...func(T) string) {
	n, indent := 0, ""
	for v, err := range seq {
		if err != nil {
			t.err = err
			return
		}
		if n == 0 && title != "" {
			t.line("%s:", title)
		}
		if title != "" {
			indent = "  "
		}
		if n++; t.limit < 0 || n <= t.limit {
			t.line("%s%s", indent, show(v))
			for _, more := range below {
				if text := more(v); text != "" {
					t.line("%s%s", indent, text)
				}
			}
		}
	}
	if t.limit >= 0 && n > t.limit {
		t.line("%s… and %d more; -v shows all", indent, n-t.limit)
	}
}

func (t *textWriter) hosts(hosts []document.Host) {
	for _, h := range hosts {
		if h.State != document.HostOK {
			t.line("host %s is %s: %s; nothing is deleted on it", h.Host, h.State, h.Reason)
		}
	}
}

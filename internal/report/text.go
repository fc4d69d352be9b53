package report

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

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
	t, s := &writer{out: bufio.NewWriter(w), all: o.All, color: o.Color}, &r.Summary
	list(t, "", r.entries(false), func(e document.Entry) (line, below string) { return EntryLine(&e), EvidenceLine(&e) })
	if s.Bulk != nil {
		t.line("%s", BulkLine(s.Bulk))
	}
	for _, h := range s.Hosts {
		if h.State != document.HostOK {
			t.line("host %s is %s: %s; nothing is deleted on it", h.Host, h.State, h.Reason)
		}
		for _, alarm := range h.Alarms {
			t.line("host %s: %s", h.Host, alarm)
		}
	}
	if len(s.Scope) > 0 {
		t.line("out of scope:")
	}
	for i := range s.Scope {
		t.line("  %s", ScopeLine(&s.Scope[i]))
	}
	list(t, "moved", r.Moves, func(m document.Move) (line, below string) { return moveLine(m), "" })
	list(t, "held", r.entries(true), func(e document.Entry) (line, below string) { return HeldLine(&e), "" })
	for i := range s.Brakes {
		t.line("  %s", BrakeLine(&s.Brakes[i]))
	}
	list(t, "not read", r.Failures, func(f document.Failure) (line, below string) {
		found := ""
		if f.From != "" {
			found = "found on " + f.From + ", "
		}
		return fmt.Sprintf("%s: %s (%ssince run %s)", f.URL, f.Error, found, f.Since), ""
	})
	warnings := only(r.Warnings, func(w document.Warning) bool { // the lines of the sitemap count the rest
		return o.All || w.Kind != document.WarnNotLinked && w.Kind != document.WarnNotListed
	})
	list(t, "warnings", warningLines(warnings, o.All), func(s string) (line, below string) { return s, "" })
	t.sitemap(s.Sitemap)
	t.line("%s", Totals(r))
	return t.finish("")
}

// sitemap tells how the sitemaps differ from the links, where a run knows.
func (w *writer) sitemap(d document.SitemapDiff) {
	hint := "; -v lists them"
	if w.all {
		hint = ""
	}
	if n := d.NotLinked; n != nil && *n > 0 {
		w.line("in the sitemap, but no page links to them: %d%s", *n, hint)
	}
	if n := d.NotListed; n != nil && *n > 0 {
		w.line("linked, but not in the sitemap: %d%s", *n, hint)
	}
}

func (w *writer) line(format string, args ...any) {
	text := Clean(fmt.Sprintf(format, args...))
	if w.color {
		text = paint(text)
	}
	w.text(text + "\n")
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

// list writes one section, cut short if it is long; show gives a line, and one below it
// or "".
func list[T any](t *writer, title string, seq iter.Seq2[T, error], show func(T) (line, below string)) {
	n, indent := 0, ""
	if title != "" {
		indent = "  "
	}
	for v, err := range seq {
		if err != nil {
			t.err = err
			return
		}
		n++
		if n == 1 && title != "" {
			t.line("%s:", title)
		}
		if !t.all && n > shown {
			continue
		}
		line, below := show(v)
		t.line("%s%s", indent, line)
		if below != "" {
			t.line("%s%s", indent, below)
		}
	}
	if !t.all && n > shown {
		t.line("%s… and %d more; -v shows all", indent, n-shown)
	}
}

// Verification writes, as it comes, what asking the service found: as text, or as one
// JSON object.
type Verification struct {
	writer
	counts map[document.Found]int
	json   bool
	shown  int
}

// NewVerification begins a result on w. all: cut no list short.
func NewVerification(w io.Writer, asJSON, all bool) *Verification {
	v := &Verification{writer: writer{out: bufio.NewWriter(w), all: all}, counts: map[document.Found]int{}, json: asJSON}
	if asJSON {
		v.text(`{"differences":[`)
	}
	return v
}

// Count returns how many findings of a kind there were.
func (v *Verification) Count(f document.Found) int { return v.counts[f] }

// Differing returns how many documents are not as the ledger says.
func (v *Verification) Differing() int {
	return v.counts[document.FoundMissing] + v.counts[document.FoundAltered] + v.counts[document.FoundStub]
}

// Add takes one finding, with lines that tell more of it.
func (v *Verification) Add(f document.Finding, more []string) {
	v.counts[f.Found]++
	if f.Found == document.FoundSame {
		return
	}
	v.shown++
	if v.json {
		if v.shown > 1 {
			v.text(",")
		}
		v.value(f)
	} else if v.all || v.shown <= shown {
		v.line("%s", strings.TrimSuffix(fmt.Sprintf("%-8s %s: %s", f.Found, f.ID, f.Reason), ": "))
		for _, line := range more {
			v.line("    %s", line)
		}
	}
}

// Close ends the result. repaired: what differs is put again by the next run.
func (v *Verification) Close(repaired bool, exit int) error {
	asked := 0
	for _, n := range v.counts {
		asked += n
	}
	if v.json {
		v.text("]")
		v.field(",", "asked", asked)
		for _, f := range []document.Found{document.FoundSame, document.FoundMissing, document.FoundAltered, document.FoundStub, document.FoundUnknown, document.FoundNotYet} {
			v.field(",", strings.ReplaceAll(string(f), "-", "_"), v.counts[f])
		}
		v.field(",", "repair", repaired)
		v.field(",", "exit", exit)
		return v.finish("}\n")
	}
	if hidden := v.shown - shown; !v.all && hidden > 0 {
		v.line("… and %d more; -v shows all", hidden)
	}
	v.line("%s", v.totals(asked, repaired))
	return v.finish("")
}

func (v *Verification) totals(asked int, repaired bool) string {
	line := fmt.Sprintf("%d asked for, %d as the ledger says", asked, v.counts[document.FoundSame])
	for _, kind := range []struct {
		found document.Found
		what  string
	}{
		{document.FoundMissing, "missing"}, {document.FoundAltered, "altered"}, {document.FoundStub, "missing and made a stub by the question"},
		{document.FoundUnknown, "not shown by the service"}, {document.FoundNotYet, "sent too recently to show: ask again in some minutes"},
	} {
		if n := v.counts[kind.found]; n > 0 {
			line += fmt.Sprintf(", %d %s", n, kind.what)
		}
	}
	switch n := v.Differing(); {
	case n > 0 && repaired:
		line += fmt.Sprintf("; the next sync puts %d again", n)
	case n > 0:
		line += "; sitesync verify --repair lets the next sync put them again"
	}
	return line
}

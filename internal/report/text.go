package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/report/worddiff"
)

const shown = 20 // largest number of entries in most sections, unless TextOptions.All is set

// TextOptions say how Text writes a run.
type TextOptions struct {
	All   bool                                    // cut no list; show old and new texts
	Color bool                                    // colour lines by operation, with ECMA-48 escape codes
	Rest  document.Command                        // command that shows the whole list; default: the flag "-v"
	Spell func(document.Command) document.Command // adds flags such as -c to a command; nil adds none
}

// Text writes the run for people: a sentence, problems, changes held by a limit, other changes, warnings.
func Text(w io.Writer, r *Run, o TextOptions) error {
	if o.Spell == nil {
		o.Spell = func(c document.Command) document.Command { return c }
	}
	o.Rest = cmp.Or(o.Rest, "-v")
	t, s := &writer{out: bufio.NewWriter(w), o: o, listAll: o.Rest}, &r.Summary
	if !r.Dry { // the history keeps no warnings of a run, so a new plan lists them
		t.listAll = o.Spell("sitesync plan -v")
	}
	r, err := r.withoutHeldMoves()
	if err != nil {
		return err
	}
	t.line("%s", Sentence(r))
	for _, note := range r.Notes {
		t.line("%s", note)
	}
	found, err := sections(r.Changes, func(name string) int {
		switch {
		case o.All:
			return math.MaxInt
		case name == string(document.KindDeleted): // deletes matter most, so their list is longer
			return 5 * shown
		}
		return shown
	})
	if err != nil {
		return err
	}
	t.hosts(s.Hosts)
	unread := only(r.Failures, func(f document.Failure) bool { return f.Since == s.Run })
	list(t, "not read", unread, func(f document.Failure) string {
		return f.URL + ": " + f.Error + also(", first found on ", f.From, "")
	})
	t.standing(r)
	t.section(found[problems])
	t.held(r, found[string(document.Held)])
	if s.Bulk != nil {
		t.line("%s", BulkLine(s.Bulk))
	}
	t.changes(r, found)
	lines, err := warningLines(r.Warnings, string(t.listAll), o.All)
	if err != nil {
		return err
	}
	list(t, "warnings", Each(lines), func(s *string) string { return *s })
	t.line("")
	t.line("%s", lookedAt(r))
	return t.finish("")
}

// changes writes the changes that no limit holds: deletes, moves, changed, new and queued documents.
func (w *writer) changes(r *Run, found map[string]*section) {
	w.section(found[string(document.KindDeleted)])
	list(w, fmt.Sprintf("moved (%s)", document.Number(pairs(r))), r.Moves, func(m document.Move) string {
		return m.From + " → " + m.To + also(" (by ", m.By, ")")
	})
	if moved := found[string(document.KindMoved)]; w.o.All && moved != nil {
		moved.N = r.Summary.Kinds.Moved // a move consists of two changes
		w.section(moved)
	}
	for _, kind := range []document.Kind{document.KindChanged, document.KindNew, document.KindQueued} {
		w.section(found[string(kind)])
	}
}

func (w *writer) held(r *Run, s *section) {
	if s == nil {
		return
	}
	most, look := Few, w.o.Spell("sitesync explain -v")
	if w.o.All {
		w.section(s)
		most, look = 0, ""
	} else {
		w.line("")
		w.line("held (%s):", document.Number(s.N))
	}
	groups, err := r.held(most)
	w.err = cmp.Or(w.err, err)
	for _, g := range groups {
		for _, line := range g.Lines(w.o.Rest, look) {
			w.line("  %s", line)
		}
	}
}

func (w *writer) hosts(hosts []document.Host) {
	for _, h := range hosts {
		if h.State != document.HostOK {
			w.line("host %s is %s: %s; only moved pages and 410 are deleted on it", h.Host, h.State, h.Reason)
		}
		for _, alarm := range h.Alarms {
			w.line("host %s: %s", h.Host, alarm)
		}
	}
}

func (w *writer) standing(r *Run) {
	line := func(f document.Failure) string {
		return f.URL + ": " + f.Error + " (since " + dayOf(f.Since) + ")" + also(", first found on ", f.From, "")
	}
	old := only(r.Failures, func(f document.Failure) bool { return f.Since != r.Summary.Run })
	if w.o.All {
		list(w, "still not read", old, line)
		return
	}
	n, first := 0, ""
	for f, err := range old {
		if err != nil {
			w.err = err
			return
		}
		if n++; n == 1 {
			first = line(f)
		}
	}
	if n > 1 {
		first = document.Count(n, "page") + ", the first: " + first + "; " + string(w.listAll) + " lists them"
	}
	if n > 0 {
		w.line("still not read: %s", first)
	}
}

func (w *writer) section(s *section) {
	if s == nil {
		return
	}
	w.line("")
	w.line("%s (%s):", s.Name, document.Number(s.N))
	for c, err := range s.Changes {
		if err != nil {
			w.err = err
			return
		}
		w.change(&c)
	}
	if s.Rest > 0 {
		w.more(s.Rest)
	}
}

func (w *writer) more(n int) {
	w.line("… and %s more; %s shows all", document.Number(n), w.o.Rest)
}

func (w *writer) change(c *Change) {
	retry := ""
	if c.State == document.Refused && c.Reason == "" { // the service refused the change three times
		retry = fmt.Sprintf("; %s tries again", w.o.Spell("sitesync sync --retry-parked"))
	}
	w.line("%s", EntryLine(&c.Entry)+retry)
	if below := EvidenceLine(&c.Entry); below != "" {
		w.line("%s", below)
	}
	if !w.o.All {
		return
	}
	if c.Title != "" && (len(c.Differences) == 0 || c.Differences[0].Field != "Title") {
		w.line("       %q", c.Title)
	}
	for i := range c.Differences {
		w.difference(c.Differences[i])
	}
}

// Differences writes the old and new text of each field that a change alters.
func Differences(out io.Writer, c *Change, color bool) error {
	w := &writer{out: bufio.NewWriter(out), o: TextOptions{Color: color}}
	for i := range c.Differences {
		w.difference(c.Differences[i])
	}
	return w.finish("")
}

// difference writes [-old-] and {+new+} even in colour, because not everybody can tell red from green.
func (w *writer) difference(d Difference) {
	marks := map[worddiff.Kind][2]string{worddiff.Gone: {"[-", "-]"}, worddiff.Added: {"{+", "+}"}}
	if w.o.Color {
		marks[worddiff.Gone] = [2]string{red + "[-", "-]" + plain}
		marks[worddiff.Added] = [2]string{green + "{+", "+}" + plain}
	}
	text := ""
	switch {
	case len(d.Hunks) > 0:
		for _, h := range d.Hunks {
			if h.Kind == worddiff.Skipped {
				h.Text = "…"
			}
			text += marks[h.Kind][0] + Clean(strings.ReplaceAll(h.Text, "\n", " ¶ ")) + marks[h.Kind][1]
		}
	case d.Old == "":
		text = Clean(strconv.Quote(d.New))
	case d.New == "":
		text = Clean(strconv.Quote(d.Old)) + " → none"
	default:
		text = Clean(fmt.Sprintf("%q → %q", d.Old, d.New))
	}
	w.text("       " + Clean(d.Field) + ": " + text + "\n")
}

const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	plain  = "\x1b[0m"
)

func (w *writer) line(format string, args ...any) {
	text := Clean(fmt.Sprintf(format, args...))
	if w.o.Color {
		text = paint(text)
	}
	w.text(text + "\n")
}

func paint(line string) string {
	word, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), ":"), " ")
	switch word {
	case string(document.Put):
		return green + line + plain
	case string(document.Patch):
		return cyan + line + plain
	case string(document.Delete), string(document.BulkDelete), "bulk":
		return red + line + plain
	case "held", "host", "not", "warnings":
		return yellow + line + plain
	}
	return line
}

func list[T any](t *writer, title string, seq iter.Seq2[T, error], show func(T) string) {
	n := 0
	for v, err := range seq {
		if err != nil {
			t.err = err
			return
		}
		n++
		if n == 1 {
			t.line("")
			t.line("%s:", title)
		}
		if t.o.All || n <= shown {
			t.line("  %s", show(v))
		}
	}
	if !t.o.All && n > shown {
		t.more(n - shown)
	}
}

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"sitesync/internal/document"
)

// Held is what one brake holds for one cause. A run, a plan, its mail, the command held and the
// browser tell it alike.
type Held struct {
	Op       document.Op    `json:"op"`
	Cause    document.Cause `json:"cause"`
	Count    int            `json:"count"`
	Approved int            `json:"approved"` // of those
	document.Tripped
	again bool     // an earlier one tells the reason
	first []string // lines
	id    string   // of the first
}

// Few is how many of the changes that are held alike are named, unless all are asked for.
const Few = 3

// Holding gathers what brakes hold, which say why. Most is how many changes of each Held it names.
type Holding struct {
	Brakes []document.Tripped // with commands as they must be typed
	Most   int
	groups []*Held
}

// Holds reports whether a change belongs to what is held so.
func (g *Held) Holds(e *document.Entry) bool {
	return e.Op == g.Op && e.Cause == g.Cause && e.Brake == g.Brake && e.Group == g.Group
}

// Add takes in a change. approved: the next run sends it where it is still due.
func (h *Holding) Add(e *document.Entry, approved bool) {
	at := slices.IndexFunc(h.groups, func(g *Held) bool { return g.Holds(e) })
	if at < 0 {
		at, h.groups = len(h.groups), append(h.groups, &Held{Op: e.Op, Cause: e.Cause, id: e.ID, Tripped: h.why(e)})
	}
	g, line := h.groups[at], e.ID
	g.Count++
	if approved {
		g.Approved++
		line += " (approved)"
	}
	if len(g.first) == 0 || h.Most > Few {
		line += also(": ", Days(e.Evidence), "")
	}
	if len(g.first) < h.Most {
		g.first = append(g.first, line)
	}
}

// why returns what the brake says that holds a change. Of several, that of its cause is meant.
func (h *Holding) why(e *document.Entry) document.Tripped {
	found := document.Tripped{Brake: e.Brake, Group: e.Group}
	for _, t := range h.Brakes {
		_, args, byCause := strings.Cut(string(t.Release), " --cause ")
		cause, _, _ := strings.Cut(args, " ")
		if t.Brake == e.Brake && t.Group == e.Group && (!byCause && found.Why == "" || cause == string(e.Cause)) {
			found = t
		}
	}
	return found
}

// Groups returns what was gathered, the largest first.
func (h *Holding) Groups() []*Held {
	slices.SortStableFunc(h.groups, func(a, b *Held) int { return cmp.Compare(b.Count, a.Count) })
	for i, g := range h.groups {
		g.again = slices.ContainsFunc(h.groups[:i], func(b *Held) bool { return g.Why != "" && b.Tripped == g.Tripped })
	}
	return append([]*Held{}, h.groups...)
}

// Head returns the line that tells how many changes there are, what they would do, and why they
// are held.
func (g *Held) Head() string {
	does := map[document.Op]string{document.Put: "put", document.Patch: "update", document.Queue: "report"}[g.Op]
	if g.Op == document.Put && g.Cause == document.CauseNew {
		does = "add"
	}
	line := fmt.Sprintf("%s to %s (%s)", document.Number(g.Count), cmp.Or(does, "delete"), g.Cause)
	if g.again {
		line += ", for the same reason"
	} else {
		line += fmt.Sprintf(", by the brake %q", g.Brake) + also(": ", g.Why, "")
		if g.Since != 0 {
			line += "; since " + time.Unix(g.Since, 0).Format("2 January")
		}
	}
	if g.Approved > 0 {
		line += fmt.Sprintf("; %s approved", document.Number(g.Approved))
	}
	return line
}

// Ways returns a line for each thing that the owner can do.
func (g *Held) Ways() []string {
	back := strings.Replace(string(g.Release), " approve ", " approve --withdraw ", 1)
	switch wrong := also("if the site is wrong: ", g.Mend, "\n"); {
	case g.Approved == g.Count && back != string(g.Release):
		return []string{"the next run sends what is still due; to take that back: " + back}
	case g.again && g.Approved == 0:
		return nil
	case g.Release == "":
		return strings.Split(wrong+"no approval releases these", "\n")
	default:
		return strings.Split(wrong+"if the site is right: "+string(g.Release), "\n")
	}
}

// Lines returns all there is to say, in ten lines at most unless more changes are named: rest shows
// the others, look what one of them would do.
func (g *Held) Lines(rest, look document.Command) []string {
	lines := []string{g.Head()}
	for _, line := range g.first {
		lines = append(lines, "  "+line)
	}
	if more := g.Count - len(g.first); more > 0 && len(g.first) > 0 {
		lines = append(lines, fmt.Sprintf("  … and %s more; %s shows all", document.Number(more), rest))
	}
	if look != "" && !g.again {
		lines = append(lines, fmt.Sprintf("  see what one would do: %s %s", look, Quote(g.id)))
	}
	for _, way := range g.Ways() {
		lines = append(lines, "  "+way)
	}
	return lines
}

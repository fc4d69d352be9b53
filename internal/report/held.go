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
	heldKey
	Count    int              `json:"count"`
	Approved int              `json:"approved"` // of those
	Why      string           `json:"why"`
	Release  document.Command `json:"release,omitempty"` // empty: nothing releases it
	Mend     string           `json:"mend,omitempty"`
	Since    int64            `json:"since,omitempty"` // Unix seconds
	first    []string         // lines
	id       string           // of the first
}

// Few is how many of the changes that are held alike are named, unless all are asked for.
const Few = 3

type heldKey struct {
	Op    document.Op    `json:"op"`
	Cause document.Cause `json:"cause"`
	Brake document.Brake `json:"brake"`
	Group string         `json:"group,omitempty"`
}

// Holding gathers what brakes hold. Most is how many changes of each Held it names.
type Holding struct {
	Brakes []document.Tripped // with commands as they must be typed
	Most   int
	groups map[heldKey]*Held
}

// Add takes in a change. approved: the next run sends it where it is still due.
func (h *Holding) Add(e *document.Entry, approved bool) {
	key := heldKey{e.Op, e.Cause, e.Brake, e.Group}
	g := h.groups[key]
	if g == nil {
		if h.groups == nil {
			h.groups = map[heldKey]*Held{}
		}
		g = &Held{heldKey: key, id: e.ID}
		g.explain(h.Brakes)
		h.groups[key] = g
	}
	g.Count++
	line := e.ID
	if approved {
		g.Approved++
		line += " (approved)"
	}
	if len(g.first) < h.Most {
		if len(g.first) == 0 || h.Most > Few {
			line += also(": ", Days(e.Evidence), "")
		}
		g.first = append(g.first, line)
	}
}

// from adds what a run or a plan holds.
func (h *Holding) from(r *Run) error {
	for c, err := range r.Changes {
		if err != nil {
			return err
		}
		if c.State == document.Held {
			h.Add(&c.Entry, false)
		}
	}
	return nil
}

// Groups returns what was gathered, the largest first.
func (h *Holding) Groups() []*Held {
	all := make([]*Held, 0, len(h.groups))
	for _, g := range h.groups {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b *Held) int { return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.id, b.id)) })
	return all
}

// explain takes over what the brakes say. Where several hold the group, that of its cause is meant.
func (g *Held) explain(brakes []document.Tripped) {
	for _, t := range brakes {
		_, args, byCause := strings.Cut(string(t.Release), " --cause ")
		cause, _, _ := strings.Cut(args, " ")
		if t.Brake == g.Brake && t.Group == g.Group && (!byCause && g.Why == "" || cause == string(g.Cause)) {
			g.Why, g.Release, g.Mend, g.Since = t.Why, t.Release, t.Mend, t.Since
		}
	}
}

// Head returns the line that tells how many changes there are, what they would do, and why they
// are held.
func (g *Held) Head() string {
	does := map[document.Op]string{document.Delete: "delete", document.BulkDelete: "delete", document.Put: "put", document.Patch: "update", document.Queue: "report"}[g.Op]
	if g.Op == document.Put && g.Cause == document.CauseNew {
		does = "add"
	}
	line := fmt.Sprintf("%s to %s (%s), by the brake %q", document.Number(g.Count), does, g.Cause, g.Brake)
	line += also(": ", g.Why, "")
	if g.Since != 0 {
		line += "; since " + time.Unix(g.Since, 0).Format("2 January")
	}
	if g.Approved > 0 {
		line += fmt.Sprintf("; %s approved", document.Number(g.Approved))
	}
	return line
}

// Ways returns a line for each thing that the owner can do.
func (g *Held) Ways() (ways []string) {
	right := "no approval releases these"
	switch back := strings.Replace(string(g.Release), " approve ", " approve --withdraw ", 1); {
	case g.Approved == g.Count && back != string(g.Release):
		return []string{"the next run sends what is still due; to take that back: " + back}
	case g.Release != "":
		right = "if the site is right: " + string(g.Release)
	}
	if g.Mend != "" {
		ways = append(ways, "if the site is wrong: "+g.Mend)
	}
	return append(ways, right)
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
	if look != "" {
		lines = append(lines, fmt.Sprintf("  see what one would do: %s %s", look, Quote(g.id)))
	}
	for _, way := range g.Ways() {
		lines = append(lines, "  "+way)
	}
	return lines
}

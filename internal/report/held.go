package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// Held is a group of changes that one brake (a limit on changes) holds for one cause.
type Held struct {
	Op       document.Op    `json:"op"`
	Cause    document.Cause `json:"cause"`
	Count    int            `json:"count"`
	Approved int            `json:"approved"` // number of these changes that are approved
	document.Tripped
	again   bool // a Held before this one has the same reason, so Head omits the reason
	first   []string
	firstID string
}

// Few is the number of changes that a report usually names in each group of held changes.
const Few = 3

// Holding collects held changes into groups.
type Holding struct {
	Brakes []document.Tripped // the reasons for holding, with the commands that release the changes
	Most   int                // largest number of changes to name in each group
	groups []*Held
}

// Holds reports whether the change e belongs to g.
func (g *Held) Holds(e *document.Entry) bool {
	return e.Op == g.Op && e.Cause == g.Cause && e.Brake == g.Brake && e.Group == g.Group
}

// Add adds a held change. If approved is true, the next run sends the change, unless it is no longer needed.
func (h *Holding) Add(e *document.Entry, approved bool) {
	at := slices.IndexFunc(h.groups, func(g *Held) bool { return g.Holds(e) })
	if at < 0 {
		at = len(h.groups)
		h.groups = append(h.groups, &Held{Op: e.Op, Cause: e.Cause, firstID: e.ID, Tripped: h.why(e)})
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

// why returns the reason for holding e. A reason that names the cause of e wins over a general reason.
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

// Groups returns the held changes in groups, the largest group first.
func (h *Holding) Groups() []*Held {
	slices.SortStableFunc(h.groups, func(a, b *Held) int { return cmp.Compare(b.Count, a.Count) })
	for i, g := range h.groups {
		g.again = slices.ContainsFunc(h.groups[:i], func(b *Held) bool { return g.Why != "" && b.Tripped == g.Tripped })
	}
	return append([]*Held{}, h.groups...)
}

// Head returns one line: the number of changes, what they would do, and why a brake holds them.
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

// Ways returns the choices of the site's owner, one line each: how to release the changes, or what to mend.
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

// Lines returns all lines about the held changes g. rest is the command that shows the changes that Lines
// does not name. look is the command that shows the effect of one change. If look is empty, no line names it.
func (g *Held) Lines(rest, look document.Command) []string {
	lines := []string{g.Head()}
	for _, line := range g.first {
		lines = append(lines, "  "+line)
	}
	if more := g.Count - len(g.first); more > 0 && len(g.first) > 0 {
		lines = append(lines, fmt.Sprintf("  … and %s more; %s shows all", document.Number(more), rest))
	}
	if look != "" && !g.again {
		lines = append(lines, fmt.Sprintf("  see what one would do: %s %s", look, Quote(g.firstID)))
	}
	for _, way := range g.Ways() {
		lines = append(lines, "  "+way)
	}
	return lines
}

// Told describes in words why a brake holds a change. It adds the command that releases the change, and advice
// in case the site or the configuration is wrong.
func Told(h judge.Hold) document.Tripped {
	percent := func(share float64) string { return fmt.Sprintf("%.4g %%", 100*share) }
	l := h.Limits
	why := strings.NewReplacer(
		"{place}", h.Place, "{first}", h.Turning.First, "{to}", h.Turning.To.Page, "{ill}", h.Ill.Why(),
		"{pages}", document.Of(h.N, h.Of, "page"), "{changed}", document.Of(h.N, h.Of, "changed page"),
		"{deletes}", document.Count(h.N, "delete")+" of "+document.Count(h.Of, "document"),
		"{documents}", document.Count(h.N, "document"), "{new}", document.Count(h.N, "new document"),
		"{index}", document.Number(h.Of), "{failed}", percent(l.MaxFailed), "{share}", percent(l.MaxShare),
		"{max}", fmt.Sprint(l.Max), "{most}", fmt.Sprint(l.MaxAbsolute),
	).Replace(reasons[h.Why].why)
	return document.Tripped{Brake: h.Brake, Group: h.Place, Why: why, Release: release(&h), Mend: mend(&h)}
}

const (
	hostBack    = "mend the host, and run again"
	pagesBack   = "put the pages back"
	pagesAnswer = "have the other pages answer, and run again"
	textsBack   = "have the pages show their own texts again"
)

var reasons = [...]struct{ why, mend string }{
	judge.HostNotOK: {"the host is not ok; what is still due goes out once it is", hostBack},
	judge.SitemapsCollapsed: {"the sitemaps collapsed; if these pages are gone on purpose, release them, " +
		"else what is still due goes out once the sitemaps are whole", hostBack},
	judge.ClockOdd: {"the clock stands before the last run's or more than 60 days past it, " +
		"so what seems expired may not be", "set the clock"},
	judge.NewRule:   {"the retention rule {place} has had no effect before", "mend the rule"},
	judge.NewOrigin: {"a start address on a host that this ledger does not know yet", "mend site.start"},
	judge.LostOrigin: {"they are on no host of the site any more, " +
		"and the documents of a new start address wait for an approval", "mend site.start"},
	judge.NotSeen:     {"they were not seen for a month, and nothing says that they are gone", pagesAnswer},
	judge.RefusedMany: {"{documents} of {place} are refused: more than fetch.max_failed_share, {failed}", pagesAnswer},
	judge.Endless:     {"addresses of this form lead on without end, so not all of them were asked for", pagesAnswer},
	judge.NotCovered:  {"not every page of {place} was looked at, so what seems missing may be there", pagesAnswer},
	judge.UnreadMany:  {"{pages} of {place} were not read: more than fetch.max_failed_share, {failed}", pagesAnswer},
	judge.OneText:     {"{changed} turn to one text, first that of {first}", textsBack},
	judge.OnePage:     {"{changed} redirect to {to} or name it as canonical", textsBack},
	judge.FastGrowth: {"more than {new} in one night, and the index has {index}",
		"exclude what does not belong to the site: site.exclude"},
	judge.IllPlace: {"{ill}", textsBack},
	judge.StartPage: {"the site begins there, so a start page is deleted only if it answers 410 or you approve it",
		"put the page back, or name another one in site.start"},
	judge.LastDocument: {"it is the last document of its host, " +
		"so it is deleted only if it answers 410 or you approve it", "put the page back"},
	judge.OverAbsolute: {"{deletes}: more than delete.max_absolute, {most}", pagesBack},
	judge.OverQuarter:  {"{deletes}: more than a quarter", pagesBack},
	judge.OverShare:    {"{deletes}: more than delete.max, {max}, and delete.max_share, {share}", pagesBack},
}

func mend(h *judge.Hold) string {
	if h.Cause == document.CauseOutOfScope && h.Why != judge.IllPlace {
		return "mend [site] in the configuration"
	}
	for kind, text := range placeMends {
		if text != "" && h.Ill.Most(judge.Astray(kind)) {
			return text
		}
	}
	return reasons[h.Why].mend
}

// placeMends holds the advice for each fault that most documents of a host, folder or type can share.
var placeMends = [...]string{
	judge.AstrayGone: pagesBack, judge.AstrayMissing: pagesBack,
	judge.AstrayExcluded: "mend the configuration or robots.txt",
	judge.AstrayNoIndex:  "take noindex off the pages",
	judge.AstrayAway:     "have the pages answer under their own addresses",
	judge.AstrayGuarded:  "let sitesync see the pages",
}

func release(h *judge.Hold) document.Command {
	switch h.Release {
	case judge.ReleaseScope:
		return "sitesync sync --accept-scope"
	case judge.ReleaseCause:
		return "sitesync approve --cause " + document.Command(h.Cause)
	case judge.ReleasePlace:
		return "sitesync approve --group " + document.Command(Quote(h.Place))
	}
	return ""
}

// Quote returns an argument quoted for a shell (POSIX.1-2024, section 2.2).
func Quote(arg string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,="
	if arg != "" && strings.Trim(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

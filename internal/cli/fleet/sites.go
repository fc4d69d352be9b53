package fleet

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/fleet/site"
)

// row is a site as the commands of sites show it.
type row struct {
	Site     string     `json:"site"`
	Group    string     `json:"group"`
	Priority string     `json:"priority"`
	Schedule string     `json:"schedule"`
	Timezone string     `json:"timezone"`
	Next     *time.Time `json:"next_due,omitempty"`
	Paused   bool       `json:"paused"`
	Damaged  string     `json:"damaged,omitempty"`

	Revision uint64    `json:"revision"`
	Change   string    `json:"change"`
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	TOML     string    `json:"toml,omitempty"` // in a history
}

func newRow(s *site.Site, now time.Time) row {
	r := row{
		Site: s.Name, Group: s.Fleet.Group, Priority: s.Fleet.Priority, Schedule: s.Fleet.Schedule, Timezone: s.Zone, Paused: s.Paused, Damaged: s.Damaged,
		Revision: s.Revision, Change: s.Why, By: s.By, At: s.At,
	}
	if next := s.Next(now); !s.Paused && !next.IsZero() {
		r.Next = &next
	}
	return r
}

// due says when a site comes next.
func (r *row) due() string {
	switch {
	case r.Damaged != "":
		return "damaged: " + r.Damaged
	case r.Paused:
		return "paused"
	case r.Next == nil:
		return "never"
	}
	return moment(*r.Next)
}

// moment returns a time as tables show it.
func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// with runs fn on the sites of the fleet, of which all is the list.
func (f *fleet) with(ctx context.Context, fn func(sites *site.Sites, all []site.Site) error) error {
	b, end, err := f.connect(ctx)
	if err != nil {
		return err
	}
	defer end()
	sites := site.New(b)
	all, err := sites.List(ctx)
	if err != nil {
		return err
	}
	return fn(sites, all)
}

// who returns who is at the keyboard, for the history.
func (f *fleet) who() string {
	return cmp.Or(f.a.Getenv("USER"), f.a.Getenv("USERNAME"), "somebody") + "@" + hostname()
}

func siteCommands(f *fleet) []*cobra.Command {
	all := append(changing(f), storeCommand(f, true), storeCommand(f, false), listCommand(f), historyCommand(f), revertCommand(f))
	for _, cmd := range all {
		app.JSONFlag(cmd, &f.a.JSON)
	}
	return all
}

func listCommand(f *fleet) *cobra.Command {
	var group, glob string
	cmd := &cobra.Command{Use: "list", Short: "List the sites of the fleet, and when each is due", Args: cobra.NoArgs}
	cmd.Flags().StringVar(&group, "group", "", "only the sites of the group `G`")
	cmd.Flags().StringVar(&glob, "site", "*", "only the sites whose name matches `GLOB`")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if _, err := path.Match(glob, ""); err != nil {
			return app.Usagef("--site is %q; it takes a glob such as 'town-*'", glob)
		}
		return f.with(cmd.Context(), func(_ *site.Sites, all []site.Site) error {
			slices.SortFunc(all, func(a, b site.Site) int { return strings.Compare(a.Name, b.Name) })
			rows, cells := []row{}, [][]string{{"SITE", "GROUP", "PRIORITY", "SCHEDULE", "TIMEZONE", "NEXT DUE"}}
			for i := range all {
				if fits, _ := path.Match(glob, all[i].Name); fits && (group == "" || group == all[i].Fleet.Group) {
					r := newRow(&all[i], time.Now())
					rows, cells = append(rows, r), append(cells, []string{r.Site, r.Group, r.Priority, r.Schedule, r.Timezone, r.due()})
				}
			}
			err := f.tell(map[string]any{"sites": rows}, cells)
			if err == nil && !f.a.JSON {
				f.a.Print("%s of %s", document.Number(len(rows)), document.Count(len(all), "site"))
			}
			return err
		})
	}
	return cmd
}

func historyCommand(f *fleet) *cobra.Command {
	cmd := &cobra.Command{Use: "history SITE", Short: "Show the last changes of a site; with --json, also its configurations", Args: cobra.ExactArgs(1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.with(cmd.Context(), func(sites *site.Sites, _ []site.Site) error {
			all, err := sites.History(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			rows, cells := []row{}, [][]string{{"REVISION", "CHANGED", "CHANGE", "BY"}}
			for i := range all {
				r := newRow(&all[i], time.Now())
				r.TOML = all[i].TOML
				rows, cells = append(rows, r), append(cells, []string{strconv.FormatUint(r.Revision, 10), moment(r.At), cmp.Or(r.Change, "damaged"), r.By})
			}
			return f.tell(map[string]any{"sites": rows}, cells)
		})
	}
	return cmd
}

func revertCommand(f *fleet) *cobra.Command {
	var to uint64
	cmd := &cobra.Command{Use: "revert SITE", Short: "Undo the last change of a site, or go back to an earlier one: paused or not, as it was then", Args: cobra.ExactArgs(1)}
	cmd.Flags().Uint64Var(&to, "to", 0, "`REVISION` to go back to, from fleet history (default: the one before the last)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		return f.with(ctx, func(sites *site.Sites, all []site.Site) error {
			was, err := sites.Earlier(ctx, args[0], to)
			if err == nil {
				_, err = site.Read(was.Name, was.Name, []byte(was.TOML)) // what this version makes of it
			}
			if err == nil {
				err = site.Apart(append(others(all, was.Name), was))
			}
			if err != nil {
				return err
			}
			return f.each([]site.Site{was}, "reverted", func(s *site.Site) error { return sites.Put(ctx, s, "revert", f.who()) })
		})
	}
	return cmd
}

// others returns all sites but those with the names.
func others(all []site.Site, names ...string) []site.Site {
	return slices.DeleteFunc(slices.Clone(all), func(s site.Site) bool { return slices.Contains(names, s.Name) })
}

// each does something to sites, one after the other, and tells of it.
func (f *fleet) each(sites []site.Site, done string, do func(*site.Site) error) error {
	rows, lines, names := []row{}, [][]string{}, []string{}
	for i := range sites {
		err := do(&sites[i])
		if err != nil && i > 0 {
			err = fmt.Errorf("%w; %s before that: %s", err, done, strings.Join(names, ", "))
		}
		if err != nil {
			return err
		}
		r, line := newRow(&sites[i], time.Now()), sites[i].Name+": "+done
		if r.Next != nil {
			line += "; next due: " + r.due()
		}
		rows, lines, names = append(rows, r), append(lines, []string{line}), append(names, r.Site)
	}
	return f.tell(map[string]any{"sites": rows}, lines)
}

// named returns the sites that the arguments name. It errs before anything is done to one.
func named(all []site.Site, names []string) (found []site.Site, err error) {
	for i, name := range names {
		at := slices.IndexFunc(all, func(s site.Site) bool { return s.Name == name })
		switch {
		case slices.Contains(names[:i], name):
			return nil, app.Usagef("%s is named twice", name)
		case at < 0:
			meant, least := "", 1+len(name)/3
			for _, s := range all {
				if edits := levenshtein.Distance(name, s.Name, nil); edits <= least {
					meant, least = "; did you mean "+s.Name+"?", edits-1
				}
			}
			return nil, app.Usagef("%.80s: %w%s", name, site.ErrUnknown, meant)
		}
		found = append(found, all[at])
	}
	return found, nil
}

// changeCommand returns a command that does one thing to each of the sites that it is given.
func changeCommand(f *fleet, use, short, done string, do func(context.Context, *site.Sites, *site.Site) error) *cobra.Command {
	cmd := &cobra.Command{Use: use + " SITE...", Short: short, Args: cobra.MinimumNArgs(1)}
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		return f.with(cmd.Context(), func(sites *site.Sites, all []site.Site) error {
			found, err := named(all, names)
			if err != nil {
				return err
			}
			return f.each(found, done, func(s *site.Site) error { return do(cmd.Context(), sites, s) })
		})
	}
	return cmd
}

func changing(f *fleet) []*cobra.Command {
	var purge bool
	remove := changeCommand(f, "remove", "Take sites out of the fleet; their ledgers and history stay", "removed", func(ctx context.Context, sites *site.Sites, s *site.Site) error {
		s.Paused = true
		return sites.Remove(ctx, s.Name, purge)
	})
	remove.Flags().BoolVar(&purge, "purge", false, "forget ledger, state and runs too")
	pause := func(use, short, done string, paused bool) *cobra.Command {
		return changeCommand(f, use, short, done, func(ctx context.Context, sites *site.Sites, s *site.Site) error {
			if s.Damaged != "" || s.Paused == paused {
				return s.Fault()
			}
			s.Paused = paused
			return sites.Put(ctx, s, use, f.who())
		})
	}
	return []*cobra.Command{
		remove,
		pause("pause", "Keep sites from being due; what is under way goes on", "paused", true),
		pause("resume", "Let paused sites be due again", "resumed", false),
	}
}

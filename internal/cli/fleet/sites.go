package fleet

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/fleet/site"
)

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
	TOML     string    `json:"toml,omitempty"` // set only in a history
}

func newRow(s *site.Site, now time.Time) row {
	r := row{
		Site: s.Name, Group: s.Fleet.Group, Priority: s.Fleet.Priority, Schedule: s.Fleet.Schedule, Timezone: s.Zone,
		Paused: s.Paused, Damaged: s.Damaged, Revision: s.Revision, Change: s.Why, By: s.By, At: s.At,
	}
	if next := s.Fleet.Next(s.Name, now); !s.Paused && !next.IsZero() {
		r.Next = &next
	}
	return r
}

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

func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}

func (f *fleet) who() string {
	return cmp.Or(f.a.Getenv("USER"), f.a.Getenv("USERNAME"), "somebody") + "@" + hostname()
}

func listCommand(f *fleet) *cobra.Command {
	var group string
	cmd := &cobra.Command{Use: "list", Short: "List the sites of the fleet, and when each is due", Args: cobra.NoArgs}
	cmd.Flags().StringVar(&group, "group", "", "only the sites of the group `G`")
	cmd.RunE = f.onBoard(0, func(_ context.Context, d *board, _ []string) error {
		rows, cells := []row{}, [][]string{{"SITE", "GROUP", "PRIORITY", "SCHEDULE", "TIMEZONE", "NEXT DUE"}}
		for _, name := range d.names() {
			if s := d.sites[name]; group == "" || group == s.Fleet.Group {
				r := newRow(&s, d.now())
				rows = append(rows, r)
				cells = append(cells, []string{r.Site, r.Group, r.Priority, r.Schedule, r.Timezone, r.due()})
			}
		}
		err := f.tell(map[string]any{"sites": rows}, cells)
		if err == nil && !f.a.JSON {
			f.a.Print("%s of %s", document.Number(len(rows)), document.Count(len(d.sites), "site"))
		}
		return err
	})
	return cmd
}

func historyCommand(f *fleet) *cobra.Command {
	cmd := &cobra.Command{Use: "history SITE", Short: "Show the last changes of a site", Args: cobra.ExactArgs(1)}
	cmd.RunE = f.onBoard(0, func(ctx context.Context, d *board, args []string) error {
		all, err := site.New(d.Bus).History(ctx, args[0])
		if err != nil {
			return err
		}
		rows, cells := []row{}, [][]string{{"REVISION", "CHANGED", "CHANGE", "BY"}}
		for i := range all {
			r := newRow(&all[i], d.now())
			r.TOML = all[i].TOML
			rows = append(rows, r)
			cells = append(cells, []string{fmt.Sprint(r.Revision), moment(r.At), cmp.Or(r.Change, "damaged"), r.By})
		}
		return f.tell(map[string]any{"sites": rows}, cells)
	})
	return cmd
}

func revertCommand(f *fleet) *cobra.Command {
	var to uint64
	cmd := &cobra.Command{Use: "revert SITE", Short: "Undo the last changes of a site", Args: cobra.ExactArgs(1)}
	cmd.Flags().Uint64Var(&to, "to", 0, "`REVISION` of fleet history to go back to (default: the one before the last)")
	cmd.RunE = f.onBoard(0, func(ctx context.Context, d *board, args []string) error {
		sites := site.New(d.Bus)
		was, err := sites.Earlier(ctx, args[0], to)
		if err == nil {
			_, err = site.Read(was.Name, was.Name, []byte(was.TOML)) // what was valid then may be invalid now
		}
		if err == nil {
			err = d.apart(was)
		}
		if err != nil {
			return err
		}
		return d.changeEach([]site.Site{was}, "reverted", func(s *site.Site) error {
			return sites.Put(ctx, s, "revert", f.who())
		})
	})
	return cmd
}

// apart errs if a given site would write the same documents as another given site or a site of the fleet.
func (d *board) apart(given ...site.Site) error {
	others := slices.DeleteFunc(slices.Collect(maps.Values(d.sites)), func(s site.Site) bool {
		return slices.ContainsFunc(given, func(g site.Site) bool { return g.Name == s.Name })
	})
	return site.Apart(append(others, given...))
}

// changeEach calls change for each site, and then prints the sites. done says what change does, such as
// "added". changeEach stops at the first error, and names the sites changed before.
func (d *board) changeEach(sites []site.Site, done string, change func(*site.Site) error) error {
	rows, lines, names := []row{}, [][]string{}, []string{}
	for i := range sites {
		err := change(&sites[i])
		if err != nil && i > 0 {
			err = fmt.Errorf("%w; %s before that: %s", err, done, strings.Join(names, ", "))
		}
		if err != nil {
			return err
		}
		r, line := newRow(&sites[i], d.now()), sites[i].Name+": "+done
		if r.Next != nil {
			line += "; next due: " + r.due()
		}
		rows, lines, names = append(rows, r), append(lines, []string{line}), append(names, r.Site)
	}
	return d.tell(map[string]any{"sites": rows}, lines)
}

func (f *fleet) named(ctx context.Context, s *site.Sites, all []site.Site, names []string) ([]site.Site, error) {
	var found []site.Site
	for _, name := range names {
		known := all
		if f.removed {
			history, _ := s.History(ctx, name) // after an error the history is empty
			known = slices.Concat(all, history)
		}
		at := slices.IndexFunc(known, func(s site.Site) bool { return s.Name == name })
		if at < 0 {
			return nil, app.Usagef("%.80s: %w", name, site.ErrUnknown)
		}
		found = append(found, known[at])
	}
	return found, nil
}

// forSites adds the flag --group to a command. fn gets the sites of the arguments or of the group.
func (f *fleet) forSites(cmd *cobra.Command, fn func(context.Context, *board) error) *cobra.Command {
	var group string
	cmd.Flags().StringVar(&group, "group", "", "take the sites of the group `G`")
	run := f.onBoard(-1, func(ctx context.Context, d *board, _ []string) error {
		maps.DeleteFunc(d.sites, func(_ string, s site.Site) bool { return group != "" && s.Fleet.Group != group })
		if len(d.sites) == 0 {
			return app.Usagef("no site is in the group %q; sitesync fleet list shows all", group)
		}
		return fn(ctx, d)
	})
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if (len(names) == 0) == (group == "") {
			return app.Usagef("%s: name sites, or a --group", cmd.Name())
		}
		return run(cmd, names)
	}
	return cmd
}

func changing(f *fleet) []*cobra.Command {
	type change = func(context.Context, *site.Sites, *site.Site) error
	command := func(use, done, short string, change change) *cobra.Command {
		cmd := &cobra.Command{Use: use + " SITE... | --group G", Short: short}
		return f.forSites(cmd, func(ctx context.Context, d *board) error {
			var found []site.Site
			for _, name := range d.names() {
				found = append(found, d.sites[name])
			}
			return d.changeEach(found, done, func(s *site.Site) error { return change(ctx, site.New(d.Bus), s) })
		})
	}
	pause := func(use string, paused bool) change {
		return func(ctx context.Context, sites *site.Sites, s *site.Site) error {
			if s.Damaged != "" || s.Paused == paused {
				return s.Fault()
			}
			s.Paused = paused
			return sites.Put(ctx, s, use, f.who())
		}
	}
	remove := command("remove", "removed", "Take sites out of the fleet; their ledgers and history stay",
		func(ctx context.Context, sites *site.Sites, s *site.Site) error {
			s.Paused = true // the output then shows no next due time
			return sites.Remove(ctx, s.Name, f.removed)
		})
	remove.Flags().BoolVar(&f.removed, "purge", false, "forget ledger, state and runs too, also of a removed site")
	return []*cobra.Command{
		remove,
		command("pause", "paused", "Keep sites from being due; what is under way goes on", pause("pause", true)),
		command("resume", "resumed", "Let paused sites be due again", pause("resume", false)),
	}
}

package ledger

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

// heldNow returns what is held, and what the brakes say of it: by the last run, and by
// the last of the whole site where that one looked at a part of it.
func heldNow(ledger *diffstore.Ledger) (held []document.Entry, brakes []document.Tripped, err error) {
	run, found, err := ledger.Run("")
	if err != nil || !found {
		return nil, nil, err
	}
	decided := map[string]bool{} // by a later run
	add := func(run *document.Summary) error {
		var ids []string
		for e, err := range ledger.Entries(run.Run) {
			if err != nil {
				return err
			}
			if ids = append(ids, e.ID); e.State == document.Held && !decided[e.ID] {
				held = append(held, e)
			}
		}
		for _, id := range ids {
			decided[id] = true
		}
		brakes = append(brakes, run.Brakes...)
		return nil
	}
	if err := add(&run); err != nil || !run.Part {
		return held, brakes, err
	}
	for earlier, err := range ledger.Runs() {
		if err != nil {
			return nil, nil, err
		}
		if earlier.Run == run.Run {
			continue
		}
		if err := add(&earlier); err != nil || !earlier.Part {
			return held, brakes, err
		}
	}
	return held, brakes, nil
}

func heldCommand(a *app.App) *cobra.Command {
	cmd := &cobra.Command{Use: "held", Short: "Show the changes that brakes hold, and what releases them", Args: cobra.NoArgs}
	cmd.RunE = a.RunReading(func(ledger *diffstore.Ledger, _ []string) error {
		held, brakes, err := heldNow(ledger)
		if err != nil {
			return err
		}
		if len(held) == 0 {
			a.Print("nothing is held")
			return nil
		}
		for i := range held {
			a.Print("%s", report.HeldLine(&held[i]))
		}
		for i := range brakes {
			a.Print("%s", report.BrakeLine(&brakes[i]))
		}
		return nil
	})
	return cmd
}

func approveCommand(a *app.App) *cobra.Command {
	var group, cause string
	var all bool
	cmd := &cobra.Command{
		Use:   "approve ID... | --group G | --cause C | --all",
		Short: "Release held changes: the next run acts on them if they are still due",
		RunE: func(_ *cobra.Command, ids []string) error {
			if (len(ids) > 0) == (all || group != "" || cause != "") {
				return app.Usagef("approve: name IDs, or one of --group, --cause and --all; sitesync held lists the changes")
			}
			return approve(a, func(e *document.Entry) bool {
				switch {
				case all:
					return true
				case group != "":
					return strings.HasPrefix(e.ID, group) || string(e.Type) == group || e.Group == group
				case cause != "":
					return string(e.Cause) == cause
				}
				return slices.Contains(ids, e.ID)
			})
		},
	}
	cmd.Flags().StringVar(&group, "group", "", "everything whose ID begins with `G`, such as https://www.example.com/news/, of the type G, or that a brake holds for G")
	cmd.Flags().StringVar(&cause, "cause", "", "everything of cause `C`, such as missing")
	cmd.Flags().BoolVar(&all, "all", false, "everything")
	return cmd
}

// approve stores approvals for what the last run held and fits.
func approve(a *app.App, fits func(*document.Entry) bool) error {
	cfg, err := a.Load(app.NeedStore)
	if err != nil {
		return err
	}
	return a.WriteLedger(cfg, func(ledger *diffstore.Ledger) error {
		held, _, err := heldNow(ledger)
		if err != nil {
			return err
		}
		approved := slices.DeleteFunc(held, func(e document.Entry) bool { return !fits(&e) })
		if len(approved) == 0 {
			return app.Usagef("approve: no held change matches; sitesync held lists them")
		}
		if err := ledger.Approve(approved); err != nil {
			return err
		}
		a.Print("%d approved; the next run acts on them where they are still due", len(approved))
		return nil
	})
}

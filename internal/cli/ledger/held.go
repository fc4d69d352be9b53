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
	done := map[string]bool{}
	if held, err = heldBy(ledger, run.Run, done); err != nil || !run.Part {
		return held, run.Brakes, err
	}
	brakes = run.Brakes
	for earlier, err := range ledger.Runs() {
		if err != nil {
			return nil, nil, err
		}
		if earlier.Run == run.Run {
			continue
		}
		more, err := heldBy(ledger, earlier.Run, done)
		if err != nil {
			return nil, nil, err
		}
		if held, brakes = append(held, more...), append(brakes, earlier.Brakes...); !earlier.Part {
			break
		}
	}
	return held, brakes, nil
}

// heldBy returns what a run held, but for documents of which a later one has decided.
func heldBy(ledger *diffstore.Ledger, run string, decided map[string]bool) (held []document.Entry, err error) {
	var ids []string
	for e, err := range ledger.Entries(run) {
		if err != nil {
			return nil, err
		}
		if ids = append(ids, e.ID); e.State == document.Held && !decided[e.ID] {
			held = append(held, e)
		}
	}
	for _, id := range ids {
		decided[id] = true
	}
	return held, nil
}

func heldCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "held",
		Short: "Show the changes that brakes hold, and what releases them",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.WithLedger(func(ledger *diffstore.Ledger) error {
				held, brakes, err := heldNow(ledger)
				if err != nil {
					return err
				}
				for _, e := range held {
					a.Print("%s", report.HeldLine(&e))
				}
				if len(held) == 0 {
					a.Print("nothing is held")
					return nil
				}
				for i := range brakes {
					a.Print("%s", report.BrakeLine(&brakes[i]))
				}
				return nil
			})
		},
	}
}

// approval is what approve was asked to release.
type approval struct {
	ids          []string
	group, cause string
	all          bool
}

func (p *approval) matches(e *document.Entry) bool {
	switch {
	case p.all:
		return true
	case p.group != "":
		return strings.HasPrefix(e.ID, p.group) || string(e.Type) == p.group || e.Group == p.group
	case p.cause != "":
		return string(e.Cause) == p.cause
	}
	return slices.Contains(p.ids, e.ID)
}

func approveCommand(a *app.App) *cobra.Command {
	var p approval
	cmd := &cobra.Command{
		Use:   "approve ID... | --group G | --cause C | --all",
		Short: "Release held changes: the next run acts on them if they are still due",
		RunE: func(_ *cobra.Command, args []string) error {
			p.ids = args
			if (len(args) > 0) == (p.all || p.group != "" || p.cause != "") {
				return app.Usagef("approve: name IDs, or one of --group, --cause and --all; sitesync held lists what there is")
			}
			return approve(a, &p)
		},
	}
	cmd.Flags().StringVar(&p.group, "group", "", "everything whose ID begins with `G`, such as https://www.example.com/news/, of the type G, or that a brake holds for G")
	cmd.Flags().StringVar(&p.cause, "cause", "", "everything of cause `C`, such as missing")
	cmd.Flags().BoolVar(&p.all, "all", false, "everything")
	return cmd
}

func approve(a *app.App, p *approval) error {
	cfg, err := a.Load()
	if err == nil {
		err = cfg.Require("store")
	}
	if err != nil {
		return err
	}
	return a.WriteLedger(cfg, func(ledger *diffstore.Ledger) error { return release(a, ledger, p) })
}

// release stores approvals for what the last run held and p names.
func release(a *app.App, ledger *diffstore.Ledger, p *approval) error {
	held, _, err := heldNow(ledger)
	if err != nil {
		return err
	}
	approved := slices.DeleteFunc(held, func(e document.Entry) bool { return !p.matches(&e) })
	if len(approved) == 0 {
		return app.Usagef("approve: nothing that is held fits; sitesync held lists what there is")
	}
	if err := ledger.Approve(approved); err != nil {
		return err
	}
	a.Print("%d approved; the next run acts on them where they are still due", len(approved))
	return nil
}

package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

// heldNow returns what the last run held.
func heldNow(ledger *diffstore.Ledger) ([]document.Entry, error) {
	run, found, err := ledger.Run("")
	if err != nil || !found {
		return nil, err
	}
	var held []document.Entry
	for e, err := range ledger.Entries(run.Run) {
		if err != nil {
			return nil, err
		}
		if e.State == document.Held {
			held = append(held, e)
		}
	}
	return held, nil
}

func (a *app) heldCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "held",
		Short: "Show the changes that brakes hold, and what releases them",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.withLedger(func(ledger *diffstore.Ledger) error {
				held, err := heldNow(ledger)
				if err != nil {
					return err
				}
				for _, e := range held {
					a.print("%s", report.HeldLine(&e))
				}
				if len(held) == 0 {
					a.print("nothing is held")
					return nil
				}
				run, _, err := ledger.Run("")
				for i := range run.Brakes {
					a.print("%s", report.BrakeLine(&run.Brakes[i]))
				}
				return err
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

func (a *app) approveCommand() *cobra.Command {
	var p approval
	cmd := &cobra.Command{
		Use:   "approve ID... | --group G | --cause C | --all",
		Short: "Release held changes: the next run acts on them if they are still due",
		RunE: func(_ *cobra.Command, args []string) error {
			p.ids = args
			if (len(args) > 0) == (p.all || p.group != "" || p.cause != "") {
				return usageError{errors.New("approve: name IDs, or one of --group, --cause and --all; sitesync held lists what there is")}
			}
			return a.approve(&p)
		},
	}
	cmd.Flags().StringVar(&p.group, "group", "", "everything whose ID begins with `G`, such as https://www.example.com/news/, of the type G, or that a brake holds for G")
	cmd.Flags().StringVar(&p.cause, "cause", "", "everything of cause `C`, such as missing")
	cmd.Flags().BoolVar(&p.all, "all", false, "everything")
	return cmd
}

func (a *app) approve(p *approval) error {
	cfg, err := a.load()
	if err == nil {
		err = cfg.Require("store")
	}
	if err != nil {
		return err
	}
	return a.writeLedger(cfg, func(ledger *diffstore.Ledger) error { return a.release(ledger, p) })
}

// release stores approvals for what the last run held and p names.
func (a *app) release(ledger *diffstore.Ledger, p *approval) error {
	held, err := heldNow(ledger)
	if err != nil {
		return err
	}
	approved := slices.DeleteFunc(held, func(e document.Entry) bool { return !p.matches(&e) })
	if len(approved) == 0 {
		return usageError{errors.New("approve: nothing that is held fits; sitesync held lists what there is")}
	}
	if err := ledger.Approve(approved); err != nil {
		return err
	}
	a.print("%d approved; the next run acts on them where they are still due", len(approved))
	return nil
}

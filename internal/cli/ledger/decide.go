package ledger

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
)

func approveCommand(a *app.App) *cobra.Command {
	var group, cause string
	var all, withdraw bool
	cmd := &cobra.Command{
		Use:   "approve ID... | --group G | --cause C | --all [--withdraw]",
		Short: "Release held changes: the next run acts on them if they are still due",
		RunE: a.Run(func(_ context.Context, cfg *config.Config, ids []string) error {
			ways := 0
			for _, given := range []bool{len(ids) > 0, group != "", cause != "", all} {
				if given {
					ways++
				}
			}
			if ways != 1 {
				return app.Usagef("approve: name IDs, or one of --group, --cause and --all; %s lists the changes",
					a.Spell("sitesync held"))
			}
			fits := func(e *document.Entry) bool {
				switch {
				case all:
					return true
				case group != "":
					return e.Within(group)
				case cause != "":
					return string(e.Cause) == cause
				}
				return slices.Contains(ids, e.ID)
			}
			return a.WriteLedger(cfg, func(ledger *diffstore.Ledger) error {
				held, err := heldNow(a, ledger)
				switch {
				case err != nil:
					return err
				case withdraw:
					return held.withdraw(a, ledger, fits)
				}
				return held.approve(a, ledger, all, fits)
			})
		}, app.NeedStore),
	}
	cmd.Flags().StringVar(&group, "group", "",
		"release the changes whose ID begins with `G` (https://www.example.com/news/), whose type is G, "+
			"or that a brake holds for G")
	app.Choice(cmd, &cause, "cause", "release the changes of cause `C`", document.Causes()...)
	cmd.Flags().BoolVar(&all, "all", false, "release all held changes")
	cmd.Flags().BoolVar(&withdraw, "withdraw", false, "take approvals back that no run has used yet")
	return cmd
}

// approve stores an approval for each held change that an approval can release and for which fits returns
// true. A brake (a limit on suspicious changes) stopped these changes. approve errs if it approves nothing.
// It does not err if all is true and nothing is held.
func (held *holding) approve(a *app.App, ledger *diffstore.Ledger, all bool, fits func(*document.Entry) bool) error {
	var approved []document.Entry
	stuck := map[string]int{}
	for _, c := range held.Changes {
		switch why := held.stuck(&c.Entry); {
		case !fits(&c.Entry):
		case why != "":
			stuck[why]++
		default:
			approved = append(approved, c.Entry)
		}
	}
	var rest []string
	for _, why := range slices.Sorted(maps.Keys(stuck)) {
		rest = append(rest, fmt.Sprintf("%s can't be released: %s", document.Count(stuck[why], "change"), why))
	}
	switch {
	case len(approved) > 0:
	case len(rest) > 0:
		return app.Usagef("approve: %s", strings.Join(rest, "; "))
	case all: // no error, because a script may approve every night
		a.Print("nothing is held")
		return nil
	default:
		return app.Usagef("approve: no held change matches; %s lists them", a.Spell("sitesync held"))
	}
	if err := ledger.Approve(approved, false); err != nil {
		return err
	}
	a.Print("%s approved; the next run sends those that are still due", document.Number(len(approved)))
	for _, line := range rest {
		a.Print("%s", line)
	}
	return nil
}

func (held *holding) withdraw(a *app.App, ledger *diffstore.Ledger, fits func(*document.Entry) bool) error {
	var approved []document.Entry
	for _, c := range held.Changes {
		if c.Approved && fits(&c.Entry) {
			approved = append(approved, c.Entry)
		}
	}
	if len(approved) == 0 {
		return app.Usagef("approve --withdraw: no approved change matches; %s lists them", a.Spell("sitesync held"))
	}
	if err := ledger.Approve(approved, true); err != nil {
		return err
	}
	a.Print("%s withdrawn; the next run holds those changes again", document.Count(len(approved), "approval"))
	return nil
}

// stuck returns why no approval can release a held change, or "" if an approval can. On an unreadable host no
// approval can, because its pages give no evidence. But one can release a delete on a host whose sitemaps
// lost most URLs: there each page was read.
func (held *holding) stuck(e *document.Entry) string {
	switch host := strings.TrimSuffix(e.Group, "/"); {
	case e.Brake == document.BrakeTarget:
		return "the document that takes its place is not in the index yet; each run tries again"
	case e.Brake != document.BrakeHost:
		return ""
	case held.states[host] != document.HostSitemapCollapse || e.Op != document.Delete && e.Op != document.Queue:
		return fmt.Sprintf("%s is %s; each run finds out anew what is due", host, cmp.Or(held.states[host], "not ok"))
	}
	return ""
}

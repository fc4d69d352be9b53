package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nuid"
	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/snapshot"
)

type holding struct {
	Site   string          `json:"site"`
	Held   int             `json:"held"`             // number of changes that the last run held back
	Ledger json.RawMessage `json:"ledger,omitempty"` // JSON output of the command sitesync held
}

func heldCommand(f *fleet) *cobra.Command {
	cmd := &cobra.Command{Use: "held [SITE...]", Short: "Show the sites with held changes, or the held changes of SITE"}
	cmd.RunE = f.onBoard(-1, func(ctx context.Context, d *board, names []string) error {
		all, rows := []holding{}, [][]string{{"SITE", "HELD"}}
		for _, name := range d.names() {
			h := holding{Site: name}
			if last := d.states[name].Last; last != nil {
				h.Held = last.Counts.Held
			}
			if h.Held == 0 && len(names) == 0 {
				continue
			}
			if len(names) > 0 {
				format := map[bool]string{true: "json", false: "text"}[f.a.JSON]
				said, err := d.onCopy(ctx, name, d.states[name].Ledger, nil,
					"held", "--format="+format, fmt.Sprintf("--verbose=%t", f.a.Verbose))
				if err != nil {
					return err
				}
				h.Ledger = json.RawMessage(said)
			}
			all, rows = append(all, h), append(rows, []string{name, document.Number(h.Held)})
		}
		if len(names) == 0 || f.a.JSON {
			return f.tell(map[string]any{"sites": all}, rows)
		}
		for _, h := range all {
			fmt.Fprintf(f.a.Stdout, "%s: %s\n", h.Site, here(strings.TrimSpace(string(h.Ledger)), h.Site))
		}
		return nil
	})
	return cmd
}

// onCopy runs a command of sitesync on a copy of ledger, the database of what the site's index holds. It
// prints the command's messages and returns its output. If the exit code is 0 and keep is not nil, it calls
// keep with the path of the copy. It errs with any other exit code.
func (d *board) onCopy(
	ctx context.Context, name string, ledger *lease.File, keep func(path string) error, args ...string,
) (said string, err error) {
	if ledger == nil {
		return "", app.Usagef("%s has no ledger yet: no run of it has come to its end", name)
	}
	dir, err := os.MkdirTemp("", "sitesync-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path, file := filepath.Join(dir, snapshot.LedgerFile), filepath.Join(dir, name+".toml")
	err = snapshot.New(d.Bus).Get(ctx, "ledger", name, *ledger, path)
	if err != nil {
		return "", err
	}
	err = os.WriteFile(file, []byte(d.sites[name].TOML), 0o600)
	if err != nil {
		return "", err
	}
	watch := &app.Watch{Settle: func(cfg *config.Config) { settle(cfg, dir) }}
	said, messages, exit := d.program(ctx, watch, append([]string{"--config", file}, args...)...)
	fmt.Fprint(d.a.Stderr, here(messages, name))
	if exit != app.ExitDone || keep == nil {
		return said, code(exit)
	}
	return said, keep(path)
}

func approveCommand(f *fleet) *cobra.Command {
	var group, cause string
	var all, withdraw bool
	cmd := &cobra.Command{
		Use: "approve SITE ID... | --group G | --cause C | --all [--withdraw]", Args: cobra.MinimumNArgs(1),
		Short: "Release held changes of a site: its next run acts on them if they are still due",
	}
	cmd.Flags().StringVar(&group, "group", "", "release the changes whose ID begins with `G` "+
		"(https://www.example.com/news/), whose type is G, or that a brake holds for G")
	app.Choice(cmd, &cause, "cause", "release the changes of cause `C`", document.Causes()...)
	cmd.Flags().BoolVar(&all, "all", false, "release all held changes")
	cmd.Flags().BoolVar(&withdraw, "withdraw", false, "take approvals back that no run has used yet")
	cmd.RunE = f.onBoard(1, func(ctx context.Context, d *board, args []string) error {
		name, typed := args[0], []string{"approve", "--group=" + group}
		typed = append(typed, fmt.Sprintf("--all=%t", all), fmt.Sprintf("--withdraw=%t", withdraw))
		if cause != "" {
			typed = append(typed, "--cause="+cause)
		}
		said, args := "", append(append(typed, "--"), args[1:]...)
		err := f.lead(ctx, d.Bus, name, func(l *lease.Lease) (func(*lease.State), error) {
			before, now := l.State().Ledger, lease.File{}
			var err error
			said, err = d.onCopy(ctx, name, before, func(path string) (err error) {
				now, err = snapshot.New(d.Bus).Put(ctx, "ledger", name, l.State().Number, path, before)
				return err
			}, args...)
			return func(s *lease.State) { s.Ledger = &now }, err
		})
		if err == nil {
			fmt.Fprint(f.a.Stdout, here(said, name))
		}
		return err
	})
	return cmd
}

// lead calls fn under the lease of a site (the right to run it), so that no worker runs the site meanwhile.
// It then releases the lease. Unless fn errs, the function that fn returned changes the site's state.
func (f *fleet) lead(
	ctx context.Context, b *bus.Bus, name string, fn func(*lease.Lease) (change func(*lease.State), err error),
) (err error) {
	keeper, err := lease.Watch(ctx, b.States, lease.Options{Worker: f.who() + "-" + nuid.Next(), Log: f.a.Logger()})
	if err != nil {
		return err
	}
	defer keeper.Close()
	l, err := keeper.Take(ctx, name)
	if errors.Is(err, lease.ErrHeld) {
		f.a.Logger().Error(err.Error())
		return app.CodeError(app.ExitLocked)
	}
	if err != nil {
		return err
	}
	change, err := fn(l)
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return errors.Join(err, l.Release(wait, func(s *lease.State) {
		s.Tries-- // this lease does not count as a run
		if err == nil {
			change(s)
		}
	}))
}

package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"sitesync/crawl/transport"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/site"
)

// fleet holds the flags of the commands for a fleet: many sites that workers on several machines run.
type fleet struct {
	a       *app.App
	program app.Program
	o       bus.Options
	ca      string
	trust   []string
	removed bool // the arguments may name sites that were removed
	makes   bool // the command creates the fleet if it is missing
}

// Commands returns the command "fleet" with its subcommands. program runs other commands in this process.
func Commands(a *app.App, program app.Program) []*cobra.Command {
	f := &fleet{a: a, program: program}
	cmd := &cobra.Command{Use: "fleet", Args: cobra.NoArgs, Short: "Run thousands of sites on many machines, over NATS"}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return errors.Join(cmd.Help(), app.Usagef("no command of fleet given"))
	}
	f.flags(cmd)
	results := append(changing(f), storeCommand(f, true), storeCommand(f, false),
		listCommand(f), historyCommand(f), revertCommand(f), statusCommand(f), runsCommand(f),
		logsCommand(f), heldCommand(f), runCommand(f), cancelCommand(f))
	for _, cmd := range results {
		app.JSONFlag(cmd, &a.JSON)
	}
	cmd.AddCommand(results...)
	cmd.AddCommand(approveCommand(f), workerCommand(f), devCommand(f))
	return []*cobra.Command{cmd}
}

func (f *fleet) flags(cmd *cobra.Command) {
	flags := cmd.PersistentFlags()
	flags.StringArrayVar(&f.o.Servers, "server", nil, "`ADDRESS` of a NATS server; may be repeated "+
		"(default $SITESYNC_NATS, with commas between, or "+bus.DefaultServer+")")
	flags.StringVar(&f.o.Creds, "creds", "", "`FILE` with the user's JWT and seed (default $SITESYNC_NATS_CREDS)")
	flags.StringVar(&f.o.Nkey, "nkey", "", "`FILE` with the seed of the user's nkey (default $SITESYNC_NATS_NKEY)")
	flags.StringVar(&f.ca, "ca", "", "PEM `FILE` of the authorities of servers (default $SITESYNC_NATS_CA)")
	flags.StringArrayVar(&f.trust, "trust", nil, "public nkey (`U...`) of an operator: run only sites that such a key "+
		"has signed; may be repeated (default $SITESYNC_NATS_TRUST, with commas between)")
	flags.BoolVar(&f.o.Plaintext, "insecure-plaintext", false, "connect over the network without TLS, too")
}

// open connects to the fleet, and end closes the connection. worker is the worker's name, or "" for another
// command. Without a fleet, another command gets bus.ErrNoFleet unless f.makes is true.
func (f *fleet) open(ctx context.Context, worker string) (b *bus.Bus, end func(), err error) {
	if err := f.settle(); err != nil {
		return nil, nil, app.Usage(err)
	}
	f.o.Worker, f.o.Log = worker, f.a.Logger()
	conn, err := bus.Dial(f.o)
	if err == nil {
		b, err = f.await(ctx, conn)
	}
	if err == nil {
		b.Seal, err = bus.NewSeal(f.o, f.trust)
	}
	if err != nil {
		conn.Close() // Close of a nil connection does nothing
		if wrong, ok := errors.AsType[*bus.Error](err); ok && wrong.Usage {
			err = app.Usage(err)
		}
		return nil, nil, err
	}
	if b.Skew.Abs() > bus.MaxSkew {
		f.a.Logger().Warn("the clocks of the NATS server and of this machine differ: sites may run at wrong times; "+
			"set both by NTP", "by", b.Skew.Abs().Round(time.Second))
	}
	return b, conn.Close, nil
}

// await opens the fleet once its NATS servers have a leader. Just after a start or a failure they have none.
// A worker waits until the fleet exists, any other command for at most a minute.
func (f *fleet) await(ctx context.Context, conn *nats.Conn) (*bus.Bus, error) {
	waits, most := f.o.Worker != "", time.Minute
	if waits {
		most = 0
	}
	again := func(err error, _ time.Duration) {
		f.a.Logger().Warn("the fleet does not answer yet; it is asked again", "why", err)
	}
	return backoff.Retry(ctx, func() (b *bus.Bus, err error) {
		if f.makes {
			err = bus.Setup(ctx, conn)
		}
		if err == nil {
			b, err = bus.Open(ctx, conn)
		}
		noLeader := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrNoResponders)
		if !noLeader && !(waits && errors.Is(err, bus.ErrNoFleet)) {
			err = backoff.Permanent(err)
		}
		return b, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(2*time.Second)),
		backoff.WithMaxElapsedTime(most), backoff.WithNotify(again))
}

func (f *fleet) settle() (err error) {
	for name, into := range map[string]*string{"CREDS": &f.o.Creds, "NKEY": &f.o.Nkey, "CA": &f.ca} {
		*into = cmp.Or(*into, f.a.Getenv("SITESYNC_NATS_"+name))
	}
	for name, into := range map[string]*[]string{"SITESYNC_NATS": &f.o.Servers, "SITESYNC_NATS_TRUST": &f.trust} {
		if value := f.a.Getenv(name); len(*into) == 0 && value != "" {
			*into = strings.Split(value, ",")
		}
	}
	for flag, file := range map[string]string{"creds": f.o.Creds, "nkey": f.o.Nkey} {
		if file != "" && config.ReadableByOthers(file) {
			f.a.Logger().Warn("other users can read --" + flag + " " + file + ": chmod 600 the file")
		}
	}
	if f.ca != "" {
		f.o.Roots, err = transport.ReadAuthorities("--ca", f.ca)
	}
	return err
}

// board holds the sites that the arguments of a command name; all sites if the arguments name none.
type board struct {
	*bus.Bus
	*fleet
	sites  map[string]site.Site
	states map[string]state // states of all sites, including removed ones, by name
}

type state struct {
	lease.State
	at    time.Time // time of the last write, by the NATS server's clock
	fault error     // why State is empty: its JSON is damaged
}

type runE = func(*cobra.Command, []string) error

// onBoard returns the RunE of a command. RunE calls fn with a board and the arguments. The first siteArgs
// arguments name the board's sites; if siteArgs is negative, all arguments do.
func (f *fleet) onBoard(siteArgs int, fn func(context.Context, *board, []string) error) runE {
	return func(cmd *cobra.Command, args []string) error {
		ctx, names := cmd.Context(), args
		b, end, err := f.open(ctx, "")
		if err != nil {
			return err
		}
		defer end()
		if siteArgs >= 0 {
			names = args[:min(siteArgs, len(args))]
		}
		d := &board{Bus: b, fleet: f, sites: map[string]site.Site{}, states: map[string]state{}}
		sites := site.New(b)
		all, err := sites.List(ctx)
		if err == nil && len(names) > 0 {
			all, err = f.named(ctx, sites, all, names)
		}
		if err != nil {
			return err
		}
		for _, s := range all {
			d.sites[s.Name] = s
		}
		err = bus.Entries(ctx, b.States, b.StateLog, func(e jetstream.KeyValueEntry) {
			if e.Operation() != jetstream.KeyValuePut {
				delete(d.states, e.Key())
				return
			}
			s := state{at: e.Created()}
			s.fault = json.Unmarshal(e.Value(), &s.State)
			d.states[e.Key()] = s
		})
		if err != nil {
			return fmt.Errorf("read the states of the fleet: %w", err)
		}
		return fn(ctx, d, args)
	}
}

func (d *board) names() []string { return slices.Sorted(maps.Keys(d.sites)) }

func (d *board) now() time.Time { return time.Now().Add(d.Skew) }

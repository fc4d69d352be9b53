package fleet

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/dev"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/worker"
	"sitesync/internal/service"
)

func devCommand(f *fleet) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use: "dev", Short: "Try a fleet on this machine: a NATS server, a search service, sample sites and two workers", Args: cobra.NoArgs,
		Long: "Try a fleet on this machine. One process runs a NATS server, the local search service, four sample sites and two workers. All of them listen\n" +
			"on loopback, where every user of this machine can reach them. Ctrl-C ends it.",
	}
	cmd.Flags().StringVar(&dir, "dir", "", "keep everything in `DIR`, and continue with what is there (default: a temporary folder that is removed at the end)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		t := trial{fleet: f, at: map[string]string{}, fate: "stays"}
		if dir == "" {
			t.fate = "is removed at the end"
			dir, err = os.MkdirTemp("", "sitesync-fleet-")
			defer func() { err = errors.Join(err, os.RemoveAll(t.dir)) }()
		}
		if err == nil {
			t.dir, err = filepath.Abs(dir)
		}
		entries, _ := os.ReadDir(t.dir)
		if _, begun := os.Stat(t.path("nats")); len(entries) > 0 && begun != nil {
			return app.Usagef("--dir: %s holds other files; name an empty folder", t.dir)
		}
		if err == nil {
			err = os.MkdirAll(t.path("nats"), 0o700)
		}
		if err != nil {
			return fmt.Errorf("--dir: %w", err)
		}
		return t.run(cmd.Context())
	}
	return cmd
}

// trial is a whole fleet in one process.
type trial struct {
	fleet     *fleet
	dir, fate string            // of dir
	at        map[string]string // HOST:PORT of the search service, of NATS and of each site
}

func (t *trial) path(name string) string { return filepath.Join(t.dir, name) }

// known returns where something listened before; else a port that is free.
func (t *trial) known(name string) string { return cmp.Or(t.at[name], "127.0.0.1:0") }

// run runs the fleet until ctx is done.
func (t *trial) run(ctx context.Context) (err error) {
	remembered, _ := os.ReadFile(t.path("addresses.json"))
	_ = json.Unmarshal(remembered, &t.at) // else all get new ones
	local := config.Local()
	local.Serve.Path = t.path("service.db")
	running, stop, err := t.fleet.a.StartService(local, app.Serving{Options: service.Options{Search: true}, Listen: t.known("search")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	_, port, _ := net.SplitHostPort(t.known("nats"))
	number, _ := strconv.Atoi(port)
	server, err := dev.Start(dev.Options{Dir: t.path("nats"), Port: number, Log: t.fleet.a.Logger()})
	if err != nil {
		return err
	}
	defer server.Close()
	t.at["search"], t.at["nats"] = strings.TrimPrefix(running.URL, "http://"), strings.TrimPrefix(server.URL(), "nats://")
	conn, err := bus.Dial(bus.Options{Servers: []string{server.URL()}, Worker: "dev", Log: t.fleet.a.Logger()})
	if err != nil {
		return err
	}
	defer conn.Close()
	err = bus.Setup(ctx, conn, 1)
	if err != nil {
		return err
	}
	group, all := errgroup.WithContext(ctx)
	group.Go(func() error { return t.begin(all, conn, group) })
	err = group.Wait()
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // a worker that had just begun
	}
	return err
}

//go:embed samples
var samples embed.FS

// begin serves the sample sites, adds those that the fleet lacks, makes all of them due and
// starts the workers.
func (t *trial) begin(ctx context.Context, conn *nats.Conn, group *errgroup.Group) error {
	b, err := bus.Open(ctx, conn)
	if err != nil {
		return err
	}
	_, err = os.Stat(t.path("samples"))
	if errors.Is(err, fs.ErrNotExist) { // else what the owner did to them stays
		err = os.CopyFS(t.dir, samples)
	}
	if err == nil {
		err = os.WriteFile(t.path("key"), []byte("local"), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the sample sites: %w", err)
	}
	names := []string{"harbour", "library", "museum", "town"}
	for minute, name := range names {
		err := t.serve(ctx, name, group)
		if err == nil {
			err = t.add(ctx, site.New(b), name, minute)
		}
		if err != nil {
			return fmt.Errorf("begin the sample site %s: %w", name, err)
		}
	}
	raw, err := json.Marshal(t.at)
	if err == nil {
		err = os.WriteFile(t.path("addresses.json"), raw, 0o600)
	}
	if err != nil {
		return err
	}
	t.fleet.a.Print("A fleet runs on this machine; Ctrl-C ends it. It is in %s, which %s.", t.dir, t.fate)
	t.fleet.a.Print("NATS server nats://%s, search service http://%s, workers one and two", t.at["nats"], t.at["search"])
	for _, name := range names {
		t.fleet.a.Print("site %s: http://%s/ is %s, and is run every 5 minutes", name, t.at[name], t.path("samples/"+name))
	}
	t.fleet.a.Print("Try in another terminal (remove two pages of the town before its run, and their deletes are held):")
	for _, args := range []string{"status", "runs town", "run town --now --wait", "held", "approve town --all"} {
		t.fleet.a.Print("  sitesync fleet %s --server nats://%s", args, t.at["nats"])
	}
	t.fleet.a.Verbose = true // from here on: what the workers do
	for _, name := range []string{"one", "two"} {
		group.Go(func() error {
			return work(ctx, t.fleet, b, working{Options: worker.Options{
				Name: name, Slots: 2, Length: lease.DefaultLength, Drain: time.Second, Dir: t.path("worker-" + name), Cache: 1 << 30, Log: t.fleet.a.Logger(),
			}})
		})
	}
	return nil
}

// serve serves a sample site until ctx is done.
func (t *trial) serve(ctx context.Context, name string, group *errgroup.Group) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", t.known(name))
	if err != nil {
		return err
	}
	t.at[name] = listener.Addr().String()
	server := &http.Server{Handler: http.FileServer(http.Dir(t.path("samples/" + name))), ReadHeaderTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	group.Go(func() error {
		_ = server.Serve(listener) // until it is closed
		return nil
	})
	return nil
}

// add adds a site, unless the fleet has it, and makes it due.
func (t *trial) add(ctx context.Context, sites *site.Sites, name string, minute int) error {
	sample, err := samples.ReadFile("samples/site.toml")
	if err != nil {
		return err
	}
	known := strings.NewReplacer("START", t.at[name], "SERVICE", t.at["search"], "NAME", name, "KEY", t.path("key"), "MINUTE", strconv.Itoa(minute))
	s, err := site.Read(name, name+".toml", []byte(known.Replace(string(sample))))
	if err != nil {
		return err
	}
	_, err = sites.Get(ctx, name)
	if errors.Is(err, site.ErrUnknown) {
		err = sites.Put(ctx, &s, "add", "fleet dev")
	}
	if err == nil {
		err = sites.Now(ctx, name, "fleet dev")
	}
	if errors.Is(err, site.ErrPaused) {
		return nil
	}
	return err
}

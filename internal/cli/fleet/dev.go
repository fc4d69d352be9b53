package fleet

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/dev"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/worker"
)

func devCommand(f *fleet) *cobra.Command {
	cmd := &cobra.Command{
		Use: "dev", Short: "Try a fleet on this machine: a NATS server, a search service, sample sites and two workers", Args: cobra.NoArgs,
		Long: "Try a fleet on this machine. One process runs a NATS server, the local search service, four sample sites and two workers. All of them listen\n" +
			"on loopback, where every user of this machine can reach them. Everything is in a temporary folder. Ctrl-C ends it and removes the folder.",
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		dir, err := os.MkdirTemp("", "sitesync-fleet-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		return (&trial{fleet: f, dir: dir}).run(cmd.Context())
	}
	return cmd
}

// trial is a whole fleet in one process.
type trial struct {
	fleet              *fleet
	dir                string
	search, nats, site string // HOST:PORT of the search service, of NATS and of the sample sites
}

func (t *trial) path(name string) string { return filepath.Join(t.dir, name) }

func (t *trial) run(ctx context.Context) (err error) {
	local := config.Local()
	local.Serve.Path = t.path("service.db")
	running, stop, err := t.fleet.a.StartService(local, app.Serving{Shared: true, Listen: "127.0.0.1:0"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	server, err := dev.Start(t.path("nats"))
	if err != nil {
		return err
	}
	defer server.Close()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	web := &http.Server{Handler: http.FileServer(http.Dir(t.path("samples"))), ReadHeaderTimeout: time.Minute}
	var served sync.WaitGroup
	defer served.Wait()
	defer web.Close() //nolint:errcheck // nobody asks any more
	served.Go(func() { _ = web.Serve(listener) })
	t.search, t.nats, t.site = strings.TrimPrefix(running.URL, "http://"), strings.TrimPrefix(server.URL(), "nats://"), listener.Addr().String()
	conn, err := bus.Dial(bus.Options{Servers: []string{server.URL()}, Worker: "dev", Log: t.fleet.a.Logger()})
	if err != nil {
		return err
	}
	defer conn.Close()
	err = bus.Setup(ctx, conn)
	if err != nil {
		return err
	}
	b, err := bus.Open(ctx, conn)
	if err != nil {
		return err
	}
	err = t.begin(ctx, b)
	if err != nil && ctx.Err() != nil { // the context was cancelled
		return nil
	}
	return err
}

//go:embed samples
var samples embed.FS

// begin adds the sample sites, makes them due and runs the workers.
func (t *trial) begin(ctx context.Context, b *bus.Bus) error {
	err := os.CopyFS(t.dir, samples)
	if err == nil {
		err = os.WriteFile(t.path("key"), []byte("local"), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the sample sites: %w", err)
	}
	names := []string{"harbour", "library", "museum", "town"}
	for minute, name := range names {
		err := t.add(ctx, site.New(b), name, minute)
		if err != nil {
			return fmt.Errorf("begin the sample site %s: %w", name, err)
		}
	}
	t.fleet.a.Print("A fleet runs on this machine; Ctrl-C ends it. It is in %s, which is removed at the end.", t.dir)
	t.fleet.a.Print("NATS server nats://%s, search service http://%s, workers one and two", t.nats, t.search)
	for _, name := range names {
		t.fleet.a.Print("site %s: http://%s/%s/ is %s, and is run every 5 minutes", name, t.site, name, t.path("samples/"+name))
	}
	t.fleet.a.Print("Try in another terminal (remove two pages of the town before its run, and their deletes are held):")
	for _, args := range []string{"status", "runs town", "run town --now --wait", "held", "approve town --all"} {
		t.fleet.a.Print("  sitesync fleet %s --server nats://%s", args, t.nats)
	}
	t.fleet.a.Verbose = true // from now on the workers' messages are shown
	workers, ctx := errgroup.WithContext(ctx)
	for _, name := range []string{"one", "two"} {
		workers.Go(func() error {
			return work(ctx, t.fleet, b, working{Options: worker.Options{
				Name: name, Slots: 2, Length: lease.DefaultLength, Drain: time.Second, Dir: t.path("worker-" + name), Cache: 1 << 30, Log: t.fleet.a.Logger(),
			}})
		})
	}
	return workers.Wait()
}

func (t *trial) add(ctx context.Context, sites *site.Sites, name string, minute int) error {
	sample, err := samples.ReadFile("samples/site.toml")
	if err != nil {
		return err
	}
	known := strings.NewReplacer("SITE", t.site, "SERVICE", t.search, "NAME", name, "KEY", t.path("key"), "MINUTE", strconv.Itoa(minute))
	s, err := site.Read(name, name+".toml", []byte(known.Replace(string(sample))))
	if err == nil {
		err = sites.Put(ctx, &s, "add", "fleet dev")
	}
	if err == nil {
		err = sites.Now(ctx, name)
	}
	return err
}

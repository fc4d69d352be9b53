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
	"sitesync/internal/fleet/dev"
)

func devCommand(f *fleet) *cobra.Command {
	cmd := &cobra.Command{
		Use: "dev", Args: cobra.NoArgs,
		Short: "Try a fleet on this machine: a NATS server, a search service, sample sites and two workers",
		Long: "Try a fleet on this machine. One process runs all parts. They listen on loopback, where every user\n" +
			"of this machine can reach them. Everything is in a temporary folder, which Ctrl-C removes.",
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		dir, err := os.MkdirTemp("", "sitesync-fleet-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		return (&trial{a: f.a, program: f.program, dir: dir}).run(cmd.Context())
	}
	return cmd
}

type trial struct {
	a                  *app.App
	program            app.Program
	dir                string
	search, nats, site string // HOST:PORT of the search service, of NATS and of the sample sites
}

func (t *trial) path(name string) string { return filepath.Join(t.dir, name) }

func (t *trial) run(ctx context.Context) (err error) {
	local := config.Local()
	local.Serve.Path = t.path("service.db")
	running, stop, err := t.a.StartService(local, app.Serving{Shared: true, Listen: "127.0.0.1:0"})
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
	defer web.Close() //nolint:errcheck // the trial is ending
	served.Go(func() { _ = web.Serve(listener) })
	t.search, t.nats = strings.TrimPrefix(running.URL, "http://"), strings.TrimPrefix(server.URL(), "nats://")
	t.site = listener.Addr().String()
	getenv := t.a.Getenv
	t.a.Getenv = func(name string) string { // hides the address and key of a real fleet
		if strings.HasPrefix(name, "SITESYNC_NATS") {
			return ""
		}
		return getenv(name)
	}
	err = t.begin(ctx)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

//go:embed samples
var samples embed.FS

func (t *trial) begin(ctx context.Context) error {
	names, add := []string{"harbour", "library", "museum", "town"}, []string{"add"}
	err := os.CopyFS(t.dir, samples)
	if err == nil {
		err = os.WriteFile(t.path("key"), []byte("local"), 0o600)
	}
	sample, _ := samples.ReadFile("samples/site.toml")
	for minute, name := range names {
		known := strings.NewReplacer("SITE", t.site, "SERVICE", t.search, "NAME", name, "KEY", t.path("key"),
			"MINUTE", strconv.Itoa(minute))
		add = append(add, t.path(name+".toml"))
		if err == nil {
			err = os.WriteFile(t.path(name+".toml"), []byte(known.Replace(string(sample))), 0o600)
		}
	}
	if err != nil {
		return fmt.Errorf("write the sample sites: %w", err)
	}
	err = t.command(ctx, add...)
	if err == nil {
		err = t.command(ctx, append([]string{"run", "--now"}, names...)...)
	}
	if err != nil {
		return err
	}
	t.a.Print("A fleet runs on this machine; Ctrl-C ends it. It is in %s, which is removed at the end.", t.dir)
	t.a.Print("NATS server nats://%s, search service http://%s, workers one and two", t.nats, t.search)
	for _, name := range names {
		folder := t.path("samples/" + name)
		t.a.Print("site %s: http://%s/%s/ is %s, and is run every 5 minutes", name, t.site, name, folder)
	}
	t.a.Print("Try in another terminal (remove two pages of the town before its run, and their deletes are held):")
	for _, args := range []string{"status", "runs town", "run town --now --wait", "held", "approve town --all"} {
		t.a.Print("  sitesync fleet %s --server nats://%s", args, t.nats)
	}
	t.a.Verbose = true
	workers, ctx := errgroup.WithContext(ctx)
	for _, name := range []string{"one", "two"} {
		workers.Go(func() error {
			return t.command(ctx, "worker", "--name", name, "--dir", t.path("worker-"+name), "--slots=2", "--drain=1s")
		})
	}
	return workers.Wait()
}

func (t *trial) command(ctx context.Context, args ...string) error {
	cmd := Commands(t.a, t.program)[0]
	cmd.SetArgs(append(args, "--server", "nats://"+t.nats))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	return cmd.ExecuteContext(ctx)
}

package bus_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/testsite/deployed"
)

// begin starts a server on loopback.
func begin(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	o.Host, o.NoSigs, o.NoLog = "127.0.0.1", true, true
	if o.Port == 0 {
		o.Port = server.RANDOM_PORT
	}
	s, err := server.NewServer(o)
	must(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server is not ready")
	}
	return s
}

// serve starts a server on loopback without TLS and credentials, and returns its port.
func serve(t *testing.T, js bool) (port string) {
	t.Helper()
	_, port, _ = net.SplitHostPort(begin(t, &server.Options{JetStream: js, StoreDir: t.TempDir()}).Addr().String())
	return port
}

func plain(t *testing.T, port string) *nats.Conn {
	t.Helper()
	conn, err := bus.Dial(bus.Options{Servers: []string{"127.0.0.1:" + port}})
	must(t, err)
	t.Cleanup(conn.Close)
	return conn
}

// says checks an error: its text, and whether it is one of what the user gave.
func says(t *testing.T, name string, err error, text string, usage bool) {
	t.Helper()
	switch wrong, ok := errors.AsType[*bus.Error](err); {
	case err == nil || !strings.Contains(err.Error(), text):
		t.Errorf("%s: %v, and not %q", name, err, text)
	case usage != (ok && wrong.Usage):
		t.Errorf("%s: usage is %v: %v", name, !usage, err)
	case strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "nats: "):
		t.Errorf("%s: %v", name, err)
	}
}

// TestDialExplainsEachFault: each fault of a server, an address or credentials has one line of its own.
func TestDialExplainsEachFault(t *testing.T) {
	t.Parallel()
	h := start(t, 1)
	open := serve(t, true)
	secured, worker := h.Servers[0], filepath.Join(h.Dir, "worker.nk")
	stranger, _ := seed(t, t.TempDir(), "stranger")
	noSeed, noCreds := filepath.Join(h.Dir, "no.nk"), filepath.Join(h.Dir, "no.creds")
	write(t, noSeed, []byte("secret"))
	write(t, noCreds, []byte("secret"))
	for name, c := range map[string]struct {
		o     bus.Options
		err   string
		usage bool
	}{
		"password":              {bus.Options{Servers: []string{"nats://anna:secret@127.0.0.1:" + open}}, "must not hold a user name or password: use --nkey or --creds", true},
		"password, no scheme":   {bus.Options{Servers: []string{"secret@127.0.0.1:" + open}}, "must not hold a user name", true},
		"other scheme":          {bus.Options{Servers: []string{"https://127.0.0.1:" + open}}, "no address such as", true},
		"path":                  {bus.Options{Servers: []string{"nats://127.0.0.1/x"}}, "no address such as", true},
		"two in one":            {bus.Options{Servers: []string{"127.0.0.1:1,127.0.0.1:2"}}, "once for each server", true},
		"nobody there":          {bus.Options{Servers: []string{"127.0.0.1:1"}}, "no NATS server answers at 127.0.0.1:1;", false},
		"no such name":          {bus.Options{Servers: []string{"tls://nats.invalid:4222"}}, "nats.invalid:4222: the name has no address", false},
		"no TLS there":          {bus.Options{Servers: []string{"tls://127.0.0.1:" + open}}, "does not offer TLS", true},
		"no TLS over a network": {bus.Options{Servers: []string{"nats://0.0.0.0:" + open}}, "or give --insecure-plaintext", true},
		"one is elsewhere":      {bus.Options{Servers: []string{"127.0.0.1:" + open, "nats://0.0.0.0:" + open}}, "does not offer TLS", true},
		"other authority":       {bus.Options{Servers: []string{secured}, Nkey: worker}, "an authority that is not trusted here; name the authority's file with --ca", true},
		"other name":            {bus.Options{Servers: []string{strings.Replace(secured, "127.0.0.1", "localhost", 1)}, Nkey: worker, Roots: h.Roots}, "not valid for it", true},
		"no credentials":        {bus.Options{Servers: []string{secured}, Roots: h.Roots}, "refuses the credentials", true},
		"wrong credentials":     {bus.Options{Servers: []string{secured}, Roots: h.Roots, Nkey: stranger}, "refuses the credentials", true},
		"no seed":               {bus.Options{Servers: []string{secured}, Roots: h.Roots, Nkey: noSeed}, "no.nk holds no seed", true},
		"no creds":              {bus.Options{Servers: []string{secured}, Roots: h.Roots, Creds: noCreds}, "no.creds holds no", true},
		"no creds file":         {bus.Options{Servers: []string{secured}, Roots: h.Roots, Creds: filepath.Join(h.Dir, "none")}, "--creds or --nkey: ", true},
		"both":                  {bus.Options{Servers: []string{secured}, Roots: h.Roots, Creds: noCreds, Nkey: worker}, "can't be used together", true},
	} {
		conn, err := bus.Dial(c.o)
		if err == nil {
			conn.Close()
		}
		says(t, name, err, c.err, c.usage)
	}
	conn, err := bus.Dial(bus.Options{Servers: []string{"nats://0.0.0.0:" + open}, Plaintext: true})
	must(t, err)
	conn.Close()
	setup(t, h)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err = bus.Dial(bus.Options{Servers: []string{secured}, Roots: h.Roots, Nkey: worker})
	says(t, "a worker's seed for a command", err, "operators and workers have keys of their own", true)
	says(t, "setup by a worker", bus.Setup(ctx, h.dial(t, "worker")), "make the stream KV_sitesync-sites: these credentials have no permission for it (Publish to", true)
}

// TestOpenRefusesWhatSetupDidNotMake: a server that lacks something, or holds something else, is refused, and
// nothing there is changed.
func TestOpenRefusesWhatSetupDidNotMake(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	without := plain(t, serve(t, false))
	says(t, "no JetStream", bus.Setup(ctx, without), "has no JetStream for this user", false)
	old, err := without.Subscribe("$JS.API.INFO", func(m *nats.Msg) { // what a server of 2.11 says
		_ = m.Respond([]byte(`{"type":"io.nats.jetstream.api.v1.account_info_response","api":{"level":1}}`))
	})
	must(t, err)
	defer func() { _ = old.Unsubscribe() }()
	says(t, "old server", bus.Setup(ctx, without), "is too old", false)

	conn := plain(t, serve(t, true))
	if _, err := bus.Open(ctx, conn); !errors.Is(err, bus.ErrNoFleet) {
		t.Errorf("an empty server: %v", err)
	}
	operators, together := errgroup.WithContext(ctx)
	for range 4 {
		operators.Go(func() error { return bus.Setup(together, conn) })
	}
	must(t, operators.Wait())
	b, err := bus.Open(ctx, conn)
	must(t, err)
	must(t, errors.Join(b.JS.DeleteStream(ctx, bus.Runs), b.Sites.Purge(ctx, bus.FormatKey))) // as an operator has it in between
	if _, err := bus.Open(ctx, conn); !errors.Is(err, bus.ErrNoFleet) {
		t.Errorf("half a fleet: %v", err)
	}
	must(t, bus.Setup(ctx, conn))
	if b.Skew.Abs() > bus.MaxSkew {
		t.Errorf("the server of this machine is %s off", b.Skew)
	}
	for _, name := range []string{bus.Queue, bus.Files, bus.Runs, "KV_" + bus.Sites, "KV_" + bus.States} {
		s, err := b.JS.Stream(ctx, name)
		must(t, err)
		as := s.CachedInfo().Config
		other := as
		other.MaxMsgsPerSubject = 7
		_, err = b.JS.UpdateStream(ctx, other)
		must(t, err)
		_, err = bus.Open(ctx, conn)
		says(t, name, err, "its max_msgs_per_subject is not as sitesync sets it", false)
		if err := bus.Setup(ctx, conn); err != nil {
			t.Error(err)
		}
		if s, _ = b.JS.Stream(ctx, name); s.CachedInfo().Config.MaxMsgsPerSubject != 7 {
			t.Errorf("%s was changed", name)
		}
		_, err = b.JS.UpdateStream(ctx, as)
		must(t, err)
	}
	_, err = b.Sites.Put(ctx, bus.FormatKey, []byte("3\x1b[31m"))
	must(t, err)
	_, err = bus.Open(ctx, conn)
	says(t, "another version", err, `the fleet is of format "3\x1b[31m", and this sitesync knows 4 alone`, false)
}

// A worker is connected again after its server was gone; a command is not.
func TestOnlyWorkersConnectAgain(t *testing.T) {
	t.Parallel()
	l, err := deployed.Listen()
	must(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	must(t, l.Close())
	s := begin(t, &server.Options{Port: port})
	worker, err := bus.Dial(bus.Options{Servers: []string{s.ClientURL()}, Worker: "here"})
	must(t, err)
	defer worker.Close()
	command := plain(t, strings.TrimPrefix(s.ClientURL(), "nats://127.0.0.1:"))
	over, again := command.StatusChanged(nats.CLOSED), worker.StatusChanged(nats.CONNECTED)
	lost := worker.StatusChanged(nats.RECONNECTING)
	s.Shutdown()
	s.WaitForShutdown()
	for _, c := range []chan nats.Status{over, lost} {
		select {
		case <-c:
		case <-time.After(20 * time.Second):
			t.Fatal("a connection outlives its server")
		}
	}
	begin(t, &server.Options{Port: port})
	select {
	case <-again:
	case <-time.After(20 * time.Second):
		t.Error("the worker does not come back")
	}
}

// A server whose clock is an hour off is found out, whichever way: it stands behind another one,
// where its answers are given another time.
func TestClockOffByAnHour(t *testing.T) {
	t.Parallel()
	behind, stamp := plain(t, serve(t, true)), regexp.MustCompile(`"ts":"[^"]*"`)
	must(t, bus.Setup(t.Context(), behind))
	for _, off := range []time.Duration{time.Hour, -time.Hour} {
		conn := plain(t, serve(t, false))
		_, err := conn.Subscribe("$JS.API.>", func(m *nats.Msg) {
			answer, err := behind.RequestMsg(&nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data}, 10*time.Second)
			if err == nil {
				data := stamp.ReplaceAll(answer.Data, fmt.Appendf(nil, `"ts":%q`, time.Now().Add(off).Format(time.RFC3339Nano)))
				_ = m.RespondMsg(&nats.Msg{Header: answer.Header, Data: data})
			}
		})
		must(t, err)
		b, err := bus.Open(t.Context(), conn)
		must(t, err)
		if (b.Skew - off).Abs() > bus.MaxSkew {
			t.Errorf("%s off, and found to be %s", off, b.Skew)
		}
	}
}

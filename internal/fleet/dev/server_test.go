package dev_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/dev"
)

func connect(t *testing.T, s *dev.Server) *nats.Conn {
	t.Helper()
	conn, err := nats.Connect(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func TestServerKeepsItsFolder(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	first, err := dev.Start(ctx, dev.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	conn := connect(t, first)
	if err := bus.Setup(ctx, conn, 1); err != nil {
		t.Fatal(err)
	}
	b, err := bus.Open(ctx, conn)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Sites.Put(ctx, "town", []byte("kept")); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(first.URL(), "nats://"))
	number, _ := strconv.Atoi(port)
	first.Close()
	second, err := dev.Start(ctx, dev.Options{Dir: dir, Port: number})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if second.URL() != first.URL() {
		t.Errorf("second server at %s, want %s", second.URL(), first.URL())
	}
	b, err = bus.Open(ctx, connect(t, second))
	if err != nil {
		t.Fatal(err)
	}
	entry, err := b.Sites.Get(ctx, "town")
	if err != nil || string(entry.Value()) != "kept" {
		t.Errorf("after the restart: %v, %v", entry, err)
	}
}

func TestServerEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := dev.Start(ctx, dev.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	conn, err := nats.Connect(s.URL(), nats.NoReconnect(), nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	cancel()
	<-closed
	s.Close()
}

func TestServerSaysWhyItDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for name, o := range map[string]dev.Options{
		"not a directory": {Dir: filepath.Join(file, "below")},
		"in use":          {Dir: dir, Port: taken.Addr().(*net.TCPAddr).Port},
	} {
		_, err := dev.Start(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want a reason with %q", err, name)
		}
	}
}

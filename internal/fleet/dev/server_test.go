package dev_test

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/dev"
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

func TestServerKeepsItsFolder(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	b, url, end := deployed.BusIn(t, dir)
	_, err := b.Sites.Put(ctx, "town", []byte("kept"))
	must(t, err)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(url, "nats://"))
	number, _ := strconv.Atoi(port)
	end()
	second, err := dev.Start(dev.Options{Dir: dir, Port: number})
	must(t, err)
	defer second.Close()
	if second.URL() != url {
		t.Errorf("second server at %s, want %s", second.URL(), url)
	}
	conn, err := nats.Connect(url)
	must(t, err)
	defer conn.Close()
	b, err = bus.Open(ctx, conn)
	must(t, err)
	entry, err := b.Sites.Get(ctx, "town")
	if err != nil || string(entry.Value()) != "kept" {
		t.Errorf("after the restart: %v, %v", entry, err)
	}
}

func TestServerSaysWhyItDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	for name, o := range map[string]dev.Options{
		"not a directory": {Dir: filepath.Join(file, "below")},
		"in use":          {Dir: dir, Port: taken.Addr().(*net.TCPAddr).Port},
	} {
		_, err := dev.Start(o)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want a reason with %q", err, name)
		}
	}
}

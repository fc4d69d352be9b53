//go:build linux

// Package proof shows that a fleet as a whole does what it promises: servers and workers are
// processes, the index is the local service with a recorder before it, and machines are
// killed, paused, cut off and filled up while sites change. It has tests alone.
package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"sitesync/diffstore"
	"sitesync/extract/pdf"
	"sitesync/internal/cli"
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

// Roles of the test binary as a process of its own.
const (
	roleVariable = "SITESYNC_PROOF_ROLE"
	roleProgram  = "sitesync"
	roleNode     = "nats-server"
	roleLoop     = "loop"                // of syncs: how often, and the configurations
	nodeVariable = "SITESYNC_PROOF_NODE" // server.Options of a node, as JSON
)

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if len(os.Args) > 1 && (os.Args[1] == pdf.Argument || os.Args[1] == diffstore.Argument) {
		role = roleProgram
	}
	switch role {
	case roleProgram:
		cli.Tune(os.Getenv)
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		syscall.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	case roleNode:
		syscall.Exit(serveNode())
	case roleLoop:
		cli.Tune(os.Getenv)
		rounds, _ := strconv.Atoi(os.Args[1])
		syscall.Exit(loop(context.Background(), rounds, os.Args[2:]))
	}
	os.Exit(m.Run())
}

// serveNode runs a node until it is ended.
func serveNode() int {
	var n node
	if err := json.Unmarshal([]byte(os.Getenv(nodeVariable)), &n); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	o := &server.Options{
		ServerName: n.Name, Host: "127.0.0.1", Port: n.Port, NoSigs: true, NoLog: os.Getenv("SITESYNC_PROOF_LOG") == "", LogFile: n.Dir + ".log",
		JetStream: true, StoreDir: n.Dir, SyncAlways: n.Sync, JetStreamMaxStore: 4 << 30, JetStreamMaxMemory: 256 << 20,
	}
	if len(n.Routes) > 0 {
		o.Cluster = server.ClusterOpts{Name: "proof", Host: "127.0.0.1", Port: n.Cluster, NoAdvertise: true}
		o.Routes = server.RoutesFromStr(n.Routes)
	}
	s, err := server.NewServer(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s.ConfigureLogger()
	s.Start()
	s.WaitForShutdown()
	return 0
}

// child starts the test binary in a role; it dies with the test.
func child(t testing.TB, role string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(append(os.Environ(), roleVariable+"="+role), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

// eventually asks until there is no error any more; it fails the test with the last one
// when the time is over.
func eventually(t testing.TB, within time.Duration, what string, ask func() error) {
	t.Helper()
	end := time.After(within)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := ask()
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%s within %s: %v", what, within, err)
		}
	}
}

//go:build linux

package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/testsite/deployed"
)

// node is a NATS server as a process.
type node struct {
	Name    string
	Dir     string
	Port    int
	Cluster int
	Routes  string // of the cluster; empty: it is alone
	Sync    bool   // sync_interval: always

	cmd *exec.Cmd
}

// cluster is the nodes of a fleet.
type cluster struct {
	t     testing.TB
	mu    sync.Mutex // guards the processes of nodes
	nodes []*node
}

// newCluster starts so many nodes.
func newCluster(t testing.TB, count int, syncAlways bool) *cluster {
	t.Helper()
	c, dir := &cluster{t: t}, t.TempDir()
	ports, routes := freePorts(t, 2*count), ""
	for i := range count {
		routes += fmt.Sprintf(",nats://127.0.0.1:%d", ports[count+i])
	}
	for i := range count {
		n := &node{Name: fmt.Sprintf("n%d", i), Dir: filepath.Join(dir, fmt.Sprintf("n%d", i)), Port: ports[i], Cluster: ports[count+i], Sync: syncAlways}
		if count > 1 {
			n.Routes = routes[1:]
		}
		c.nodes = append(c.nodes, n)
		c.start(n)
	}
	t.Cleanup(func() {
		for _, n := range c.nodes {
			c.kill(n)
		}
	})
	conn := c.connect()
	defer conn.Close()
	js, err := jetstream.New(conn)
	must(t, err)
	eventually(t, time.Minute, "the nodes are one cluster", func() error { // a stream on all of them
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if _, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: "ready", Subjects: []string{"ready"}, Replicas: count}); err != nil {
			return err
		}
		return js.DeleteStream(ctx, "ready")
	})
	return c
}

// freePorts returns ports that nobody listens at.
func freePorts(t testing.TB, count int) []int {
	t.Helper()
	var ports []int
	for range count {
		l, err := deployed.Listen()
		must(t, err)
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

func (c *cluster) start(n *node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	raw, err := json.Marshal(n)
	must(c.t, err)
	n.cmd = child(c.t, roleNode, []string{nodeVariable + "=" + string(raw)})
	n.cmd.Stderr = c.t.Output()
	must(c.t, n.cmd.Start())
}

// kill ends a node as a crash does.
func (c *cluster) kill(n *node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n.cmd == nil {
		return
	}
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
	n.cmd = nil
}

// addresses of all nodes, whether they run or not.
func (c *cluster) addresses() (all []string) {
	for _, n := range c.nodes {
		all = append(all, fmt.Sprintf("127.0.0.1:%d", n.Port))
	}
	return all
}

// urls is what a client is told of the nodes.
func (c *cluster) urls() (all string) {
	for i, address := range c.addresses() {
		if i > 0 {
			all += ","
		}
		all += "nats://" + address
	}
	return all
}

// connect returns a connection to any of the nodes.
func (c *cluster) connect() *nats.Conn { return connect(c.t, c.urls()) }

// connect returns a connection of the test's own, which outlives any node.
func connect(t testing.TB, urls string) *nats.Conn {
	var conn *nats.Conn
	eventually(t, 20*time.Second, "a node answers", func() (err error) {
		conn, err = nats.Connect(urls, nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
		return err
	})
	return conn
}

// leader returns the node that leads a stream; nil where nobody does at the moment.
func (c *cluster) leader(ctx context.Context, stream jetstream.Stream) *node {
	info, err := stream.Info(ctx)
	if err != nil || info.Cluster == nil {
		return nil
	}
	for _, n := range c.nodes {
		if n.Name == info.Cluster.Leader {
			return n
		}
	}
	return nil
}

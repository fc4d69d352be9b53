package dev

import (
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server in this process.
type Server struct{ server *server.Server }

// Start starts a server on a free port of 127.0.0.1. The server keeps its messages in the folder dir, which
// Start makes if it is missing. Start errs if it can't make dir, or if the server does not start.
func Start(dir string) (*Server, error) {
	err := os.MkdirAll(dir, 0o700)
	if err != nil {
		return nil, fmt.Errorf("start a NATS server: %w", err)
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "sitesync-dev", Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: dir, JetStreamMaxMemory: 16 << 20, DisableJetStreamBanner: true,
	})
	if err != nil {
		return nil, fmt.Errorf("start a NATS server: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("start a NATS server in %s: it does not answer", dir)
	}
	return &Server{s}, nil
}

// URL returns the server's address, such as nats://127.0.0.1:40213.
func (s *Server) URL() string { return s.server.ClientURL() }

// Close ends the server and waits until it has ended.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

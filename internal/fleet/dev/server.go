package dev

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

const startWait = 30 * time.Second

// Options say where a server keeps its streams, and who is told what it says.
type Options struct {
	Dir string       // for its streams; it is made where it is missing
	Log *slog.Logger // nil: nowhere
}

// Server is a NATS server in this process.
type Server struct{ server *server.Server }

// Start starts a server on a free port of 127.0.0.1, which ends with Close. It errs when the
// server does not answer, such as in a folder that it can't have.
func Start(o Options) (*Server, error) {
	log := logger{log: cmp.Or(o.Log, slog.New(slog.DiscardHandler)), fatal: make(chan error, 1)}
	s, err := server.NewServer(&server.Options{
		ServerName: "sitesync-dev", Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true,
		JetStream: true, StoreDir: o.Dir, JetStreamMaxMemory: 16 << 20, DisableJetStreamBanner: true,
	})
	if err != nil {
		return nil, fmt.Errorf("start a NATS server: %w", err)
	}
	s.SetLoggerV2(log, false, false, false)
	s.Start()
	select {
	case err = <-log.fatal:
	default:
		if !s.ReadyForConnections(startWait) {
			err = errors.New("it does not answer")
		}
	}
	if err != nil {
		s.Shutdown()
		return nil, fmt.Errorf("start a NATS server in %s: %w", o.Dir, err)
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

// logger tells what the server says. Its notices are of interest to those who look for a fault.
type logger struct {
	log   *slog.Logger
	fatal chan error // the first
}

func (l logger) Noticef(format string, v ...any) { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l logger) Debugf(format string, v ...any)  { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l logger) Tracef(format string, v ...any)  { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l logger) Warnf(format string, v ...any)   { l.log.Warn(fmt.Sprintf(format, v...)) }
func (l logger) Errorf(format string, v ...any)  { l.log.Error(fmt.Sprintf(format, v...)) }

func (l logger) Fatalf(format string, v ...any) {
	select {
	case l.fatal <- fmt.Errorf(format, v...):
	default:
	}
}

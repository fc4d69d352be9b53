package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// The bounds of a connection.
const (
	headerTime = 10 * time.Second
	readTime   = 2 * time.Minute // a whole request
	idleTime   = 2 * time.Minute
	closeGrace = 500 * time.Millisecond // for answers under way when it closes
)

// Running is a service that listens. Close it before the Service.
type Running struct {
	URL    string // base address, such as http://127.0.0.1:41234
	server *http.Server
	cancel context.CancelFunc
	done   chan struct{} // closed when serving has ended
	err    error         // why it ended, once done is closed
	hide   func()
}

// Start listens at addr ("" is 127.0.0.1 with a free port) and serves until
// Close. It errs when the address can't be listened at, and with ErrExposed for
// one that other machines reach while a switch is set.
func (s *Service) Start(addr string) (*Running, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for the local service at %s: %w", addr, err)
	}
	hide, err := s.expose(listener.Addr())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen for the local service at %s: %w", addr, err), listener.Close())
	}
	return s.serve(listener, hide), nil
}

// expose refuses switches on an address off loopback, now and until the function
// it returns is called.
func (s *Service) expose(addr net.Addr) (hide func(), err error) {
	if at, err := netip.ParseAddrPort(addr.String()); err == nil && at.Addr().Unmap().IsLoopback() {
		return func() {}, nil
	}
	return s.switches.hide, s.switches.expose()
}

func (s *Service) serve(listener net.Listener, hide func()) *Running {
	ctx, cancel := context.WithCancel(context.Background())
	r := &Running{
		URL: "http://" + listener.Addr().String(),
		server: &http.Server{
			Handler:           s,
			ReadHeaderTimeout: headerTime,
			ReadTimeout:       readTime,
			IdleTimeout:       idleTime,
			ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
			BaseContext:       func(net.Listener) context.Context { return ctx },
		},
		cancel: cancel,
		done:   make(chan struct{}),
		hide:   sync.OnceFunc(hide),
	}
	go func() {
		defer close(r.done)
		if err := r.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			r.err = fmt.Errorf("serve at %s: %w", r.URL, err)
		}
	}()
	return r
}

// Done is closed when the service no longer listens, be it by Close or by an
// error, which Close then returns.
func (r *Running) Done() <-chan struct{} { return r.done }

// Close ends listening within half a second: answers under way are given that
// time, switched-on delays end at once.
func (r *Running) Close() error {
	r.cancel()
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	if err := r.server.Shutdown(ctx); err != nil {
		_ = r.server.Close() // those that did not end in time are cut off
	}
	<-r.done
	r.hide()
	return r.err
}

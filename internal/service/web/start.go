package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Running is a service that listens. Close it before what it serves.
type Running struct {
	URL      string // base address for this machine, such as http://127.0.0.1:41234
	Loopback bool   // this machine alone reaches it
	server   *http.Server
	cancel   context.CancelFunc
	done     chan struct{} // closed when serving has ended
	err      error         // why it ended, once done is closed
}

// Start listens at addr ("" is 127.0.0.1 with a free port) and serves until
// Close. It errs when the address can't be listened at, and for one that other
// machines reach with ErrLoopbackOnly, or with fault.ErrExposed while a switch is set.
func (s *Server) Start(addr string) (*Running, error) {
	addr = cmp.Or(addr, "127.0.0.1:0")
	listener, err := net.Listen("tcp", addr)
	if err == nil {
		err = s.expose(listener)
	}
	if err != nil {
		return nil, fmt.Errorf("listen for the local service at %s: %w", addr, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &Running{
		URL:      "http://" + hereAddress(listener.Addr()),
		Loopback: isLoopback(listener.Addr()),
		server: &http.Server{
			Handler:           s,
			ReadHeaderTimeout: 10 * time.Second,
			ReadTimeout:       2 * time.Minute,
			IdleTimeout:       2 * time.Minute,
			ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
			BaseContext:       func(net.Listener) context.Context { return ctx },
		},
		cancel: cancel,
		done:   make(chan struct{}),
	}
	go r.serve(listener)
	return r, nil
}

// hereAddress returns an address by which this machine reaches what listens at addr: of
// all its addresses the one on loopback.
func hereAddress(addr net.Addr) string {
	at, err := netip.ParseAddrPort(addr.String())
	if err != nil || !at.Addr().IsUnspecified() {
		return addr.String()
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port()).String()
}

// ErrLoopbackOnly is why an address off loopback is not listened at.
var ErrLoopbackOnly = errors.New("off loopback the service needs an API key of its own")

// expose refuses an address off loopback where Options do, and switches there from now
// on.
func (s *Server) expose(listener net.Listener) error {
	if isLoopback(listener.Addr()) {
		return nil
	}
	if s.loopbackOnly {
		return errors.Join(ErrLoopbackOnly, listener.Close())
	}
	if err := s.panel.Expose(); err != nil {
		return errors.Join(err, listener.Close())
	}
	return nil
}

func (r *Running) serve(listener net.Listener) {
	defer close(r.done)
	if err := r.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		r.err = fmt.Errorf("serve at %s: %w", r.URL, err)
	}
}

// Done is closed when the service no longer listens, be it by Close or by an
// error, which Close then returns.
func (r *Running) Done() <-chan struct{} { return r.done }

// Close ends listening within half a second: answers under way are given that
// time, switched-on delays end at once.
func (r *Running) Close() error {
	r.cancel()
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if err := r.server.Shutdown(ctx); err != nil {
		_ = r.server.Close() // those that did not end in time are cut off
	}
	<-r.done
	return r.err
}

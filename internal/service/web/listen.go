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
	"slices"
	"strings"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/netutil"
)

// Running is a service that is listening. Close it before you close the store that it serves.
type Running struct {
	URL      string // base URL for clients on this machine, such as http://127.0.0.1:41234
	Loopback bool   // true if only this machine can connect
	server   *http.Server
	Done     chan struct{} // closed when listening ends, by Close or by an error; Close returns that error
	cancel   context.CancelFunc
	err      error // the error that ended listening, or nil; read it only after Done is closed
}

// Start listens on addr and serves until Close. An empty addr means 127.0.0.1 with a free port. Start errs if
// it can't listen on addr. If Options.LoopbackOnly is set and other machines could connect, the error is
// ErrLoopbackOnly.
func (s *Server) Start(addr string) (*Running, error) {
	addr = cmp.Or(addr, "127.0.0.1:0")
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for the local service at %s: %w", addr, err)
	}
	at, err := netip.ParseAddrPort(listener.Addr().String())
	loopback := err == nil && at.Addr().Unmap().IsLoopback()
	if !loopback && s.options.LoopbackOnly {
		err := fmt.Errorf("listen for the local service at %s: %w", addr, ErrLoopbackOnly)
		return nil, errors.Join(err, listener.Close())
	}
	if at.Addr().IsUnspecified() { // listening on all addresses includes 127.0.0.1
		at = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	listener = netutil.LimitListener(listener, s.options.Bounds.Connections)
	ctx, cancel := context.WithCancel(context.Background())
	r := &Running{
		URL:      "http://" + at.String(),
		Loopback: loopback,
		server: &http.Server{
			Handler:           s,
			ReadHeaderTimeout: 10 * time.Second,
			ReadTimeout:       2 * time.Minute,
			WriteTimeout:      2 * time.Minute, // writeReply replaces this deadline by Bounds.Send
			IdleTimeout:       30 * time.Second,
			MaxHeaderBytes:    16 << 10,
			ErrorLog:          slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelDebug),
			BaseContext:       func(net.Listener) context.Context { return ctx },
		},
		cancel: cancel,
		Done:   make(chan struct{}),
	}
	go func() {
		defer close(r.Done)
		if err := r.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			r.err = fmt.Errorf("serve at %s: %w", r.URL, err)
		}
	}()
	return r, nil
}

// ErrLoopbackOnly is returned when Options.LoopbackOnly is set and the address is not a loopback address.
var ErrLoopbackOnly = errors.New("off loopback the service needs an API key of its own")

// Close stops listening within half a second. Requests in progress have that time to finish.
func (r *Running) Close() error {
	r.cancel()
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if err := r.server.Shutdown(ctx); err != nil {
		_ = r.server.Close()
	}
	<-r.Done
	return r.err
}

// CheckHost returns an error unless host is a name or an address as written in a URL: in lower case,
// without a port. Options.Hosts requires this form.
func CheckHost(host string) error {
	u, err := whatwg.Parse("http://" + host)
	if err != nil || host == "" || strings.Contains(host, "*") || u.Hostname() != host {
		return fmt.Errorf("host %q is no plain name or address: "+
			"write it as in a URL, such as search.example.com, in lower case, without scheme and port", host)
	}
	return nil
}

// hostAllowed reports whether the Host header names a host of this service, with the right port. This stops
// DNS rebinding, in which a foreign web page points its own name at this machine. If the connection is on
// loopback, the host must be a loopback name. Otherwise the host must be the connection's local address or in
// the list names.
func hostAllowed(r *http.Request, names []string) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return false
	}
	name, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		name, port = strings.Trim(r.Host, "[]"), "80"
	}
	own, err := netip.ParseAddrPort(local.String())
	if err != nil || port != fmt.Sprint(own.Port()) {
		return false
	}
	address := own.Addr().Unmap().WithZone("")
	ip, err := netip.ParseAddr(name)
	if address.IsLoopback() {
		return strings.EqualFold(name, "localhost") || err == nil && ip.Unmap().IsLoopback()
	}
	listed := func(host string) bool { return strings.EqualFold(strings.Trim(host, "[]"), name) }
	return err == nil && ip.Unmap().WithZone("") == address || slices.ContainsFunc(names, listed)
}

// CheckOrigin returns an error unless origin is a web origin as browsers send it: scheme, host, and the
// port unless it is the scheme's default.
func CheckOrigin(origin string) error {
	u, err := whatwg.Parse(origin)
	// The origin must not contain *, which the CORS library reads as a wildcard.
	isWeb := err == nil && (u.Scheme() == "http" || u.Scheme() == "https") && !strings.Contains(origin, "*")
	if !isWeb || u.Protocol()+"//"+u.Host() != origin {
		return fmt.Errorf("origin %q is not what browsers send: "+
			"write it as https://www.example.com, in lower case, without a path and a usual port", origin)
	}
	return nil
}

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

// Running is a service that listens. Close it before what it serves.
type Running struct {
	URL      string // base address for this machine, such as http://127.0.0.1:41234
	Loopback bool   // this machine alone reaches it
	server   *http.Server
	Done     chan struct{} // closed when it no longer listens, by Close or by an error, which Close then returns
	cancel   context.CancelFunc
	err      error // why it ended, once Done is closed
}

// Start listens at addr ("" is 127.0.0.1 with a free port) and serves until
// Close. It errs when the address can't be listened at, and for one that other
// machines reach with ErrLoopbackOnly where that is asked for.
func (s *Server) Start(addr string) (*Running, error) {
	addr = cmp.Or(addr, "127.0.0.1:0")
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for the local service at %s: %w", addr, err)
	}
	at, err := netip.ParseAddrPort(listener.Addr().String())
	loopback := err == nil && at.Addr().Unmap().IsLoopback()
	if !loopback && s.options.LoopbackOnly {
		return nil, errors.Join(fmt.Errorf("listen for the local service at %s: %w", addr, ErrLoopbackOnly), listener.Close())
	}
	if at.Addr().IsUnspecified() { // this machine reaches all of its addresses by this one
		at = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	listener = netutil.LimitListener(listener, s.bounds.Connections)
	ctx, cancel := context.WithCancel(context.Background())
	r := &Running{
		URL:      "http://" + at.String(),
		Loopback: loopback,
		server: &http.Server{
			Handler:           s,
			ReadHeaderTimeout: 10 * time.Second,
			ReadTimeout:       2 * time.Minute,
			WriteTimeout:      2 * time.Minute, // until an answer is sent, which has its own
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

// ErrLoopbackOnly is why an address off loopback is not listened at.
var ErrLoopbackOnly = errors.New("off loopback the service needs an API key of its own")

// Close ends listening within half a second: answers under way are given that time.
func (r *Running) Close() error {
	r.cancel()
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if err := r.server.Shutdown(ctx); err != nil {
		_ = r.server.Close() // those that did not end in time are cut off
	}
	<-r.Done
	return r.err
}

// CheckHost errs for what is no host name or address as Options.Hosts takes it: as it
// stands in URLs, in lower case, without a port.
func CheckHost(host string) error {
	u, err := whatwg.Parse("http://" + host)
	if err != nil || host == "" || strings.Contains(host, "*") || u.Hostname() != host {
		return fmt.Errorf("host %q is no plain name or address: write it as in a URL, such as search.example.com, in lower case, without scheme and port", host)
	}
	return nil
}

// hostAllowed reports whether a request names a host that is served at the address
// that it came to, with the very port: a web page elsewhere can point its own name at
// any address and would otherwise be let in. On loopback those are loopback names;
// elsewhere that very address, and the names of Options.
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

// CheckOrigin errs for what is no web origin as browsers send it: scheme, host, and the
// port where it is not the scheme's own.
func CheckOrigin(origin string) error {
	u, err := whatwg.Parse(origin)
	isWeb := err == nil && (u.Scheme() == "http" || u.Scheme() == "https") && !strings.Contains(origin, "*") // which the library takes for any text
	if !isWeb || u.Protocol()+"//"+u.Host() != origin {
		return fmt.Errorf("origin %q is not what browsers send: write it as https://www.example.com, in lower case, without a path and a usual port", origin)
	}
	return nil
}

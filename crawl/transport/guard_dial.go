package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"sitesync/internal/weburl"
)

// DialContext connects to address ("host:port"), as net.Dialer.DialContext
// does. A host name is looked up once; of its addresses those that are allowed
// are tried in order. When none is allowed the error is a *RefusedError.
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("read address %q: %w", address, err)
	}
	host = strings.ToLower(host)
	addrs, err := g.Lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	var refused error
	allowed := slices.DeleteFunc(addrs, func(addr netip.Addr) bool {
		err := g.Check(host, port, addr)
		if refused == nil {
			refused = err
		}
		return err != nil
	})
	if len(allowed) == 0 {
		return nil, refused
	}
	return g.dialFirst(ctx, network, port, allowed)
}

// checkUnresolved checks what can be checked of a host that a proxy looks up: a
// literal address in any spelling, and names of this machine (RFC 6761, section
// 6.3). Any other name passes.
func (g *Guard) checkUnresolved(u *url.URL) error {
	parsed, err := whatwg.Parse(u.Scheme + "://" + u.Host)
	if err != nil {
		return fmt.Errorf("read the host of %s: %w", weburl.RequestOrigin(u), err)
	}
	host := strings.Trim(parsed.Hostname(), "[]")
	addr, err := netip.ParseAddr(host)
	if strings.HasSuffix("."+strings.TrimSuffix(host, "."), ".localhost") {
		addr, err = netip.AddrFrom4([4]byte{127, 0, 0, 1}), nil
	}
	if err != nil {
		return nil
	}
	return g.Check(host, fmt.Sprint(parsed.DecodedPort()), addr.Unmap())
}

// Lookup returns the addresses of a host name or literal, none of them IPv4-mapped.
func (g *Guard) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr.Unmap()}, nil
	}
	found, err := g.Resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", host, err)
	}
	if len(found) == 0 {
		return nil, &net.DNSError{Err: "no address", Name: host, IsNotFound: true}
	}
	addrs := make([]netip.Addr, len(found))
	for i, addr := range found {
		addrs[i] = addr.Unmap()
	}
	return addrs, nil
}

// dialFirst returns the first connection that succeeds. Each address but the
// last gets its share of the time that is left, so that one that drops packets
// does not cost the others theirs.
func (g *Guard) dialFirst(ctx context.Context, network, port string, addrs []netip.Addr) (net.Conn, error) {
	var errs []error
	for i, addr := range addrs {
		attempt, cancel := shareDeadline(ctx, len(addrs)-i)
		conn, err := g.Dial(attempt, network, net.JoinHostPort(addr.String(), port))
		cancel()
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

func shareDeadline(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok || parts == 1 {
		return ctx, func() {}
	}
	share := time.Until(deadline) / time.Duration(parts)
	return context.WithTimeout(ctx, max(share, 2*time.Second))
}

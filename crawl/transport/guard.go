package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// AddrResolver looks up the addresses of a host name; *net.Resolver is one.
type AddrResolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Guard decides to which addresses the crawler may connect, and makes the
// connections. It resolves names itself and dials the very address it has
// checked, so a name that answers differently the next time gains nothing.
//
// Public addresses are open to every host. Loopback is open to a start address
// that names it ("localhost" or a literal), at that host and port alone.
// Private networks are open to start hosts where NewGuard was given them.
//
// A Guard is safe for concurrent use.
type Guard struct {
	Resolver AddrResolver // changed before the first use only, as is Dial
	Dial     func(ctx context.Context, network, address string) (net.Conn, error)
	blocks   []specialBlock
	hosts    map[string]bool // start hosts
	loopback map[string]bool // host:port of the start addresses that name loopback
	networks []netip.Prefix
}

// NewGuard returns a guard for the start addresses of a site. networks
// (fetch.networks) are the private networks that start hosts may resolve to:
// each must lie within one private block, and a link-local or cloud metadata
// address must stand there by itself (/32, /128). Anything else is an error.
func NewGuard(starts []string, networks []netip.Prefix) (*Guard, error) {
	g := &Guard{
		Resolver: net.DefaultResolver,
		Dial:     new(net.Dialer).DialContext,
		blocks:   specialBlocks(),
		hosts:    map[string]bool{},
		loopback: map[string]bool{},
	}
	for _, start := range starts {
		if err := g.addStart(start); err != nil {
			return nil, err
		}
	}
	for _, network := range networks {
		if err := g.addNetwork(network); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *Guard) addStart(start string) error {
	u, err := whatwg.Parse(start)
	if err != nil {
		return fmt.Errorf("read start address %q: %w", start, err)
	}
	host := strings.Trim(u.Hostname(), "[]")
	g.hosts[host] = true
	if addr, err := netip.ParseAddr(host); host == "localhost" || err == nil && addr.Unmap().IsLoopback() {
		g.loopback[net.JoinHostPort(host, fmt.Sprint(u.DecodedPort()))] = true
	}
	return nil
}

func (g *Guard) addNetwork(network netip.Prefix) error {
	if !network.IsValid() {
		return errors.New("fetch.networks: an entry is not a network such as 10.20.0.0/16")
	}
	network = network.Masked()
	block, special := g.blockOf(network.Addr())
	within := special && network.Bits() >= block.prefix.Bits()
	switch {
	case within && block.opens == byNetwork:
	case within && block.opens == byAddress && network.IsSingleIP():
	case within && block.opens == byAddress:
		return fmt.Errorf("fetch.networks: %s is %s, which is opened by single addresses only, such as %s/%d",
			network, block.name, network.Addr(), network.Addr().BitLen())
	default:
		return fmt.Errorf("fetch.networks: %s is not within a private network such as 10.0.0.0/8; remove it (public addresses need no entry)", network)
	}
	g.networks = append(g.networks, network)
	return nil
}

// Check returns nil when host:port may be reached at addr, which must not be
// an IPv4-mapped address; else a *RefusedError.
func (g *Guard) Check(host, port string, addr netip.Addr) error {
	block, special := g.blockOf(addr)
	if !special || g.opened(block, host, port, addr) {
		return nil
	}
	return &RefusedError{Host: host, Port: port, Addr: addr, Block: block.name, opens: block.opens, start: g.hosts[host]}
}

func (g *Guard) opened(block specialBlock, host, port string, addr netip.Addr) bool {
	switch block.opens {
	case byStart:
		return g.loopback[net.JoinHostPort(host, port)]
	case byNetwork:
		return g.hosts[host] && slices.ContainsFunc(g.networks, func(p netip.Prefix) bool { return p.Contains(addr) })
	case byAddress:
		return g.hosts[host] && slices.Contains(g.networks, netip.PrefixFrom(addr, addr.BitLen()))
	}
	return false
}

// blockOf returns the special-purpose block that addr belongs to, and false
// for a public address.
func (g *Guard) blockOf(addr netip.Addr) (specialBlock, bool) {
	if addr.Zone() != "" {
		return specialBlock{name: "an address with a zone"}, true
	}
	for _, block := range g.blocks {
		if block.prefix.Contains(addr) {
			return block, true
		}
	}
	if addr.Is6() && !globalUnicast6().Contains(addr) {
		return specialBlock{name: "an IPv6 address that is not assigned to the public Internet"}, true
	}
	return specialBlock{}, false
}

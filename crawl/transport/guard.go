package transport

import (
	"context"
	_ "embed"
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

// Guard decides to which addresses the crawler may connect, and makes the
// connections. It resolves names itself and dials the very address it has
// checked, so a name that answers differently the next time gains nothing.
//
// Public addresses are open to every host. Loopback is open to an address of the
// configuration that names it ("localhost" or a literal). Private networks are open to
// hosts that the configuration names, where NewGuard was given them. Both are open at the
// ports that the configuration names for the host, and at no others.
type Guard struct {
	Resolver interface { // *net.Resolver is one; changed before the first use only, as is Dial
		LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
	}
	Dial     func(ctx context.Context, network, address string) (net.Conn, error)
	blocks   []specialBlock
	hosts    map[string]bool // that the configuration names
	ports    map[string]bool // the same as host:port
	networks []Network
}

// Network is a private network of fetch.networks.
type Network = struct {
	Prefix netip.Prefix
	Port   int // that is open to every named host beside its own ports; 0: none
}

// blockOpening is what opens a special-purpose block to a start host.
type blockOpening string

const (
	byStart   blockOpening = "start"   // a start address that names it, at its port
	byNetwork blockOpening = "network" // fetch.networks
	byAddress blockOpening = "address" // fetch.networks, by the single address only
)

// specialBlock is a block of addresses that is not part of the public Internet.
type specialBlock struct {
	prefix netip.Prefix
	opens  blockOpening
	name   string
}

//go:embed blocks.txt
var blocksText string

// NewGuard returns a guard for the addresses that a configuration names: those of start
// pages, of hosts of files, and of sitemaps. networks (fetch.networks) are the private
// networks that their hosts may resolve to: each must lie within one private block, and a
// link-local or cloud metadata address must stand there by itself (/32, /128). Anything
// else is an error.
func NewGuard(named []string, networks []Network) (*Guard, error) {
	g := &Guard{
		Resolver: net.DefaultResolver,
		Dial:     new(net.Dialer).DialContext,
		hosts:    map[string]bool{},
		ports:    map[string]bool{},
		networks: networks,
	}
	for line := range strings.Lines(blocksText) {
		if words := strings.SplitN(strings.TrimSpace(line), " ", 3); words[0] != "#" {
			g.blocks = append(g.blocks, specialBlock{netip.MustParsePrefix(words[0]), blockOpening(words[1]), words[2]})
		}
	}
	for _, address := range named {
		u, err := whatwg.Parse(address)
		if err != nil {
			return nil, fmt.Errorf("read address %q: %w", address, err)
		}
		host := strings.Trim(u.Hostname(), "[]")
		g.hosts[host] = true
		g.ports[net.JoinHostPort(host, fmt.Sprint(u.DecodedPort()))] = true
	}
	for _, network := range networks {
		if err := g.checkNetwork(network.Prefix); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *Guard) checkNetwork(network netip.Prefix) error {
	block, special := g.blockOf(network.Addr())
	within := special && network.Bits() >= block.prefix.Bits()
	switch {
	case within && block.opens == byNetwork, within && block.opens == byAddress && network.IsSingleIP():
		return nil
	case within && block.opens == byAddress:
		return fmt.Errorf("fetch.networks: %s is %s, which is opened by single addresses only, such as %s/%d",
			network, block.name, network.Addr(), network.Addr().BitLen())
	}
	return fmt.Errorf("fetch.networks: %s is not within a private network such as 10.0.0.0/8; remove it (public addresses need no entry)", network)
}

// Check returns nil when host:port may be reached at addr, which must not be
// an IPv4-mapped address; else a *RefusedError.
func (g *Guard) Check(host, port string, addr netip.Addr) error {
	block, special := g.blockOf(addr)
	named, own := g.hosts[host], g.ports[net.JoinHostPort(host, port)]
	_, noLiteral := netip.ParseAddr(host)
	opened := block.opens == byStart && own && (host == "localhost" || noLiteral == nil) ||
		named && slices.ContainsFunc(g.networks, func(n Network) bool {
			fits := block.opens == byNetwork || block.opens == byAddress && n.Prefix.IsSingleIP()
			return fits && n.Prefix.Contains(addr) && (own || n.Port > 0 && fmt.Sprint(n.Port) == port)
		})
	if !special || opened {
		return nil
	}
	return &RefusedError{Host: host, Port: port, Addr: addr, Block: block.name, opens: block.opens, named: named, port: own}
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
	// Public addresses are assigned from this part of IPv6 only (IANA, IPv6 address space).
	if addr.Is6() && !netip.MustParsePrefix("2000::/3").Contains(addr) {
		return specialBlock{name: "an IPv6 address that is not assigned to the public Internet"}, true
	}
	return specialBlock{}, false
}

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
	var errs []error
	for i, addr := range allowed { // each but the last gets its share of the time that is left: one that drops packets does not cost the others theirs
		attempt, cancel := ctx, context.CancelFunc(func() {})
		if deadline, ok := ctx.Deadline(); ok && i < len(allowed)-1 {
			share := time.Until(deadline) / time.Duration(len(allowed)-i)
			attempt, cancel = context.WithTimeout(ctx, max(share, 2*time.Second))
		}
		conn, err := g.Dial(attempt, network, net.JoinHostPort(addr.String(), port))
		cancel()
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
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

// RefusedError is the guard's refusal to connect: an address that is neither
// public nor opened by the configuration.
type RefusedError struct {
	Host  string     // as it was asked for, a name or a literal
	Port  string     // in decimal
	Addr  netip.Addr // what Host resolved to
	Block string     // what the address belongs to, in words
	URL   string     // where a redirect led, without its query; empty: what was asked for

	opens blockOpening
	named bool // the configuration names Host
	port  bool // and names Port for it
}

// Error names host, address and, where there is one, the line of the
// configuration that would allow the connection.
func (e *RefusedError) Error() string {
	what := e.Host + " is"
	if e.Host != e.Addr.String() {
		what = fmt.Sprintf("%s resolves to %s,", e.Host, e.Addr)
	}
	text := fmt.Sprintf("%s %s: not connected; %s", what, e.Block, e.Remedy())
	if e.URL != "" {
		text = "redirected to " + e.URL + ": " + text
	}
	return text
}

// Remedy says which line of the configuration would allow the connection.
func (e *RefusedError) Remedy() string {
	switch e.opens {
	case byStart:
		name := e.Addr.String()
		if e.Host == "localhost" {
			name = e.Host
		}
		return fmt.Sprintf(`to crawl this machine write under [site]: start = ["http://%s/"]`, net.JoinHostPort(name, e.Port))
	case byNetwork, byAddress:
		network := fmt.Sprintf("%s/%d", e.Addr, e.Addr.BitLen())
		if e.named && !e.port {
			network = net.JoinHostPort(e.Addr.String(), e.Port)
		}
		line := fmt.Sprintf(`to allow it write under [fetch]: networks = ["%s"]`, network)
		if !e.named {
			line += fmt.Sprintf(", and add an address of %s to site.start", e.Host)
		}
		return line
	}
	return "no configuration allows it"
}

package transport

import (
	"cmp"
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

// Guard decides to which addresses the crawler may connect, and makes the connections. It resolves names
// itself, and dials exactly the address that it checked.
//
// A public address is always allowed. A loopback address is allowed only if the requested host is an IP
// address or "localhost", and a configured URL names this host with the same port. A private address is
// allowed if a network given to NewGuard contains it, and a configured URL names the requested host. The port
// must be that of such a URL, or Network.Port.
type Guard struct {
	// Resolver is a *net.Resolver, except in tests. Resolver and Dial may be changed only before the first
	// use.
	Resolver interface {
		LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
	}
	Dial     func(ctx context.Context, network, address string) (net.Conn, error)
	blocks   []specialBlock
	hosts    map[string]bool
	ports    map[string]bool
	networks []Network
}

// Network is a private network that the configuration key fetch.networks lists.
type Network = struct {
	Prefix netip.Prefix
	Port   int // a port that is allowed for all hosts that the configuration names; 0: none
}

// blockOpening is the kind of setting that allows connections to a block of non-public addresses.
type blockOpening string

const (
	byStart   blockOpening = "start"   // a start URL that names the address; it allows only the URL's port
	byNetwork blockOpening = "network" // an entry of fetch.networks
	byAddress blockOpening = "address" // an entry of fetch.networks that is a single address
)

type specialBlock struct {
	prefix netip.Prefix
	opens  blockOpening
	name   string
}

//go:embed blocks.txt
var blocksText string

// NewGuard returns a guard. urls are the URLs of the configuration: start pages, hosts of files, sitemaps.
// Their hosts may resolve to addresses in networks (fetch.networks). Each network must lie in one private
// block, such as 10.0.0.0/8. Link-local and cloud metadata addresses must be listed one by one (/32, /128).
// NewGuard errs for any other network, and for a URL that can't be parsed.
func NewGuard(urls []string, networks []Network) (*Guard, error) {
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
	for _, address := range urls {
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
	return fmt.Errorf("fetch.networks: %s is not within a private network such as 10.0.0.0/8; "+
		"remove it (public addresses need no entry)", network)
}

// Check returns nil when a connection to host:port may use addr, and a *RefusedError otherwise. addr must not
// be IPv4-mapped.
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
	return &RefusedError{
		Host: host, Port: port, Addr: addr, Block: block.name, opens: block.opens, named: named, port: own,
	}
}

func (g *Guard) blockOf(addr netip.Addr) (specialBlock, bool) {
	if addr.Zone() != "" {
		return specialBlock{name: "an address with a zone"}, true
	}
	for _, block := range g.blocks {
		if block.prefix.Contains(addr) {
			return block, true
		}
	}
	// IANA assigns public IPv6 addresses only from this block.
	if addr.Is6() && !netip.MustParsePrefix("2000::/3").Contains(addr) {
		return specialBlock{name: "an IPv6 address that is not assigned to the public Internet"}, true
	}
	return specialBlock{}, false
}

// DialContext connects to address ("host:port"), as net.Dialer.DialContext does. It looks the host up once,
// and tries each allowed address in order. If no address is allowed, the error is a *RefusedError.
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("read address %q: %w", address, err)
	}
	host = strings.ToLower(host)
	addrs, err := g.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	var refused error
	allowed := slices.DeleteFunc(addrs, func(addr netip.Addr) bool {
		err := g.Check(host, port, addr)
		refused = cmp.Or(refused, err)
		return err != nil
	})
	if len(allowed) == 0 {
		return nil, refused
	}
	var errs []error
	// Each attempt except the last gets an equal share of the time left, at least 2 seconds. An address that
	// drops packets then leaves time for the others.
	for i, addr := range allowed {
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

// checkUnresolved checks a host that a proxy will look up. It checks literal addresses in any spelling, and
// names of this machine (RFC 6761, section 6.3). Any other name passes.
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

func (g *Guard) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr.Unmap()}, nil
	}
	addrs, err := g.Resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", host, err)
	}
	if len(addrs) == 0 {
		return nil, &net.DNSError{Err: "no address", Name: host, IsNotFound: true}
	}
	for i, addr := range addrs {
		addrs[i] = addr.Unmap()
	}
	return addrs, nil
}

// RefusedError is the guard's refusal to connect to an address that is neither public nor allowed by the
// configuration.
type RefusedError struct {
	Host  string     // as requested: a name or a literal address
	Port  string     // decimal number
	Addr  netip.Addr // the address that Host resolved to
	Block string     // the block that Addr belongs to, in words
	URL   string     // target of the redirect that led to Host, without query; empty: no redirect

	opens blockOpening
	named bool
	port  bool // the configuration names Host with Port
}

// Error names the host and the address, and ends with the text of Remedy.
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

// Remedy names the configuration line that would allow the connection, or says that no line does.
func (e *RefusedError) Remedy() string {
	switch e.opens {
	case byStart:
		name := e.Addr.String()
		if e.Host == "localhost" {
			name = e.Host
		}
		address := net.JoinHostPort(name, e.Port)
		return fmt.Sprintf(`to crawl this machine write under [site]: start = ["http://%s/"]`, address)
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

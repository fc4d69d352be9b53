package transport

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// guardNames answers look-ups from a table; a name with several answers gives
// the next one each time.
type guardNames map[string][][]string

func (n guardNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	answers := n[host]
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(answers) > 1 {
		n[host] = answers[1:]
	}
	var addrs []netip.Addr
	for _, s := range answers[0] {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	return addrs, nil
}

// guardDialled collects the addresses dialled instead of connecting; those in
// down are unreachable.
type guardDialled struct {
	addresses []string
	down      []string
}

func (d *guardDialled) dial(_ context.Context, _, address string) (net.Conn, error) {
	d.addresses = append(d.addresses, address)
	if slices.Contains(d.down, address) {
		return nil, errors.New("unreachable: " + address)
	}
	client, server := net.Pipe()
	server.Close()
	return client, nil
}

func testGuard(t *testing.T, names guardNames, starts []string, networks ...string) (*Guard, *guardDialled) {
	t.Helper()
	var opened []Network
	for _, network := range networks {
		prefix, port, _ := strings.Cut(network, " ")
		n := Network{Prefix: netip.MustParsePrefix(prefix)}
		n.Port, _ = strconv.Atoi(port)
		opened = append(opened, n)
	}
	guard, err := NewGuard(starts, opened)
	if err != nil {
		t.Fatal(err)
	}
	dialled := new(guardDialled)
	guard.Resolver, guard.Dial = names, dialled.dial
	return guard, dialled
}

func guardDial(guard *Guard, address string) error {
	conn, err := guard.DialContext(context.Background(), "tcp", address)
	if err == nil {
		conn.Close()
	}
	return err
}

// Each spelling is a host as a page may write it. It goes through the parser
// first, as every URL does, and what comes out is dialled.
func TestGuardSpellings(t *testing.T) {
	const (
		public  = "public"
		refused = "refused"
		invalid = "invalid" // the parser's verdict: never asked for
	)
	names := guardNames{
		"public.test":    {{"93.184.216.34"}},
		"public6.test":   {{"2606:2800:220:1::1"}},
		"loopback.test":  {{"127.0.0.1"}},
		"loopback6.test": {{"::1"}},
		"mapped.test":    {{"::ffff:10.0.0.1"}},
		"private.test":   {{"10.1.2.3", "192.168.0.1"}},
		"metadata.test":  {{"169.254.169.254"}},
		"mixed.test":     {{"127.0.0.1", "93.184.216.34"}},
		"zone.test":      {{"fe80::1%eth0"}},
		"localhost":      {{"127.0.0.1", "::1"}},
		"localhost.":     {{"127.0.0.1"}},
	}
	for _, test := range []struct{ spelling, want string }{
		{"93.184.216.34", public}, {"public.test", public}, {"public6.test", public}, {"mixed.test", public}, {"PUBLIC.test", public},
		{"[2606:2800:220:1::1]", public}, {"1.1.1.1", public}, {"172.32.0.1", public}, {"172.15.255.255", public}, {"100.128.0.1", public},
		{"192.0.1.1", public}, {"198.20.0.1", public}, {"223.255.255.255", public}, {"11.0.0.0", public}, {"[2001:200::1]", public},
		{"[::ffff:93.184.216.34]", public}, {"0x5db8d822", public},
		// Loopback and its spellings.
		{"127.0.0.1", refused}, {"127.1", refused}, {"127.255.255.254", refused}, {"2130706433", refused}, {"0x7f000001", refused},
		{"0x7f.0.0.1", refused}, {"0177.0.0.1", refused}, {"017700000001", refused}, {"127.0.0.1.", refused}, {"%31%32%37.0.0.1", refused},
		{"１２７.0.0.1", refused}, {"①②⑦.0.0.1", refused}, {"127。0。0。1", refused}, {"[::1]", refused}, {"[0:0:0:0:0:0:0:1]", refused},
		{"[::ffff:127.0.0.1]", refused}, {"[::ffff:7f00:1]", refused}, {"[::127.0.0.1]", refused}, {"localhost", refused}, {"LOCALHOST", refused},
		{"localhost.", refused}, {"loopback.test", refused}, {"loopback6.test", refused},
		// Unspecified, "this network", broadcast.
		{"0.0.0.0", refused}, {"0", refused}, {"0x0", refused}, {"0.1.2.3", refused}, {"[::]", refused}, {"255.255.255.255", refused}, {"4294967295", refused},
		// Private.
		{"10.0.0.1", refused}, {"10.255.255.255", refused}, {"012.0.0.1", refused}, {"172.16.0.1", refused}, {"172.31.255.255", refused},
		{"192.168.1.1", refused}, {"0xc0a80101", refused}, {"3232235777", refused}, {"100.64.0.1", refused}, {"100.127.255.255", refused},
		{"[fc00::1]", refused}, {"[fd12:3456::1]", refused}, {"[fec0::1]", refused}, {"mapped.test", refused}, {"private.test", refused},
		// Link-local and metadata.
		{"169.254.169.254", refused}, {"0xa9fea9fe", refused}, {"2852039166", refused}, {"0251.0376.0251.0376", refused}, {"[::ffff:169.254.169.254]", refused},
		{"[fe80::1]", refused}, {"[fd00:ec2::254]", refused}, {"168.63.129.16", refused}, {"100.100.100.200", refused}, {"192.0.0.192", refused}, {"[fd20:ce::254]", refused}, {"169.254.170.2", refused},
		{"0xA9.254.0xA9.254", refused}, {"169.254.43518", refused}, {"[febf:ffff::1]", refused}, {"[feff::1]", refused},
		{"metadata.test", refused}, {"zone.test", refused},
		// IPv4 inside IPv6.
		{"[2002:7f00:1::]", refused}, {"[2002:a9fe:a9fe::1]", refused}, {"[64:ff9b::127.0.0.1]", refused}, {"[64:ff9b::a9fe:a9fe]", refused},
		{"[64:ff9b:1::a00:1]", refused}, {"[::ffff:0:127.0.0.1]", refused}, {"[::a9fe:a9fe]", refused}, {"[::ffff:100.64.0.1]", refused}, {"[2002:c0a8:101::1]", refused}, {"[64:ff9b::c0a8:101]", refused}, {"[2001:0:4136:e378:8000:63bf:3fff:fdd2]", refused},
		// Everything else that is not the public Internet.
		{"192.0.0.8", refused}, {"192.0.0.170", refused}, {"[2001:10::1]", refused}, {"[2001:20::1]", refused}, {"[2001:1ff:ffff::1]", refused}, {"254.255.255.255", refused}, {"192.0.2.1", refused}, {"192.31.196.1", refused}, {"192.52.193.1", refused}, {"192.88.99.1", refused}, {"192.175.48.1", refused},
		{"198.18.0.1", refused}, {"198.19.255.255", refused}, {"198.51.100.1", refused}, {"203.0.113.9", refused}, {"224.0.0.1", refused}, {"239.255.255.255", refused},
		{"240.0.0.1", refused}, {"[100::1]", refused}, {"[100:0:0:1::1]", refused}, {"[2001:2::1]", refused}, {"[2001:db8::1]", refused}, {"[2620:4f:8000::1]", refused},
		{"[3fff::1]", refused}, {"[5f00::1]", refused}, {"[ff02::1]", refused}, {"[4000::1]", refused}, {"[1::1]", refused},
		// No addresses at all.
		{"[fe80::1%25eth0]", invalid}, {"1.2.3.4.5", invalid}, {"256.256.256.256", invalid}, {"0x100000000", invalid}, {"[::1", invalid}, {"127.0.0.1%00.public.test", invalid},
	} {
		guard, dialled := testGuard(t, names, []string{"https://www.example.com/"})
		got := invalid
		if u, err := whatwg.Parse("http://" + test.spelling + "/"); err == nil {
			err := guardDial(guard, strings.Trim(u.Hostname(), "[]")+":80")
			if strings.Contains(u.Hostname(), ":") {
				err = guardDial(guard, u.Hostname()+":80")
			}
			var refusal *RefusedError
			switch {
			case err == nil:
				got = public
			case errors.As(err, &refusal):
				got = refused
			default:
				got = err.Error()
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.spelling, got, test.want)
		}
		if test.want != public && len(dialled.addresses) > 0 {
			t.Errorf("%s: dialled %v", test.spelling, dialled.addresses)
		}
	}
}

func TestGuardOpenings(t *testing.T) {
	names := guardNames{
		"localhost":      {{"127.0.0.1", "::1"}},
		"intra.test":     {{"10.20.0.5"}},
		"intra6.test":    {{"fd12::1"}},
		"elsewhere.test": {{"10.20.0.5"}},
		"linklocal.test": {{"169.254.7.7"}},
		"alibaba.test":   {{"100.100.100.200"}},
		"cloud.test":     {{"169.254.169.254"}},
	}
	starts := []string{"https://intra.test/", "http://intra6.test:8080/a", "http://linklocal.test/", "http://cloud.test/", "http://alibaba.test/", "http://localhost:8080/", "http://127.0.0.2:81/", "http://[::1]/"}
	networks := []string{"10.20.0.0/16", "fd12::/32", "169.254.7.7/32", "10.20.0.5/32 8443", "fd12::/32 9000", "169.254.7.7/32 81", "100.64.0.0/10"}
	for address, allowed := range map[string]bool{
		"intra.test:443": true, "INTRA.test:443": true, "intra.test:80": false, "intra.test:22": false, "intra.test:8080": false,
		"intra.test:8443": true, "intra.test:9000": false, "intra6.test:8443": false,
		"intra6.test:8080": true, "intra6.test:443": false, "intra6.test:80": false, "intra6.test:9000": true,
		"elsewhere.test:443": false, "elsewhere.test:8443": false, "10.20.0.5:443": false, "10.20.0.5:8443": false,
		"linklocal.test:80": true, "linklocal.test:81": true, "linklocal.test:82": false, "cloud.test:80": false, "alibaba.test:80": false,
		"localhost:8080": true, "localhost:8081": false, "localhost:80": false, "127.0.0.1:8080": false,
		"127.0.0.2:81": true, "127.0.0.2:80": false, "127.0.0.1:81": false,
		"[::1]:80": true, "[::1]:8080": false,
	} {
		guard, _ := testGuard(t, names, starts, networks...)
		if err := guardDial(guard, address); (err == nil) != allowed {
			t.Errorf("%s: %v, want allowed: %v", address, err, allowed)
		}
	}
}

// Invariant 8: the address that was checked is the one that is dialled, also when a name answers differently
// the second time.
func TestGuardDialsWhatItChecked(t *testing.T) {
	names := guardNames{
		"rebinding.test": {{"93.184.216.34"}, {"127.0.0.1"}},
		"mixed.test":     {{"10.0.0.1", "93.184.216.34", "169.254.169.254", "2606:2800:220:1::1"}},
	}
	guard, dialled := testGuard(t, names, nil)
	if err := guardDial(guard, "rebinding.test:80"); err != nil {
		t.Error(err)
	}
	var refusal *RefusedError
	if err := guardDial(guard, "rebinding.test:80"); !errors.As(err, &refusal) {
		t.Errorf("the second answer was not refused: %v", err)
	}
	dialled.down = []string{"93.184.216.34:443"}
	if err := guardDial(guard, "mixed.test:443"); err != nil {
		t.Error(err)
	}
	want := []string{"93.184.216.34:80", "93.184.216.34:443", "[2606:2800:220:1::1]:443"}
	if !slices.Equal(dialled.addresses, want) {
		t.Errorf("dialled %v, want %v", dialled.addresses, want)
	}
	dialled.down = want
	if err := guardDial(guard, "mixed.test:443"); err == nil || !strings.Contains(err.Error(), "unreachable: 93.184.216.34:443") {
		t.Errorf("no connection: %v", err)
	}
}

// An address that drops packets leaves time for the next one.
func TestGuardSharesTheTime(t *testing.T) {
	guard, _ := testGuard(t, guardNames{"two.test": {{"93.184.216.34", "93.184.216.35"}}}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	whole, _ := ctx.Deadline()
	var shares []bool // whether an attempt ends before the whole
	guard.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
		deadline, ok := ctx.Deadline()
		shares = append(shares, ok && deadline.Before(whole))
		return nil, context.DeadlineExceeded
	}
	if _, err := guard.DialContext(ctx, "tcp", "two.test:80"); err == nil || !slices.Equal(shares, []bool{true, false}) {
		t.Errorf("%v, shares %v", err, shares)
	}
}

func TestGuardRefusalText(t *testing.T) {
	names := guardNames{"intra.test": {{"10.20.0.5"}}, "other.test": {{"10.20.0.5"}}, "loop.test": {{"127.0.0.1"}}}
	names["v6.test"] = [][]string{{"fd12::5"}}
	guard, _ := testGuard(t, names, []string{"https://intra.test/", "https://v6.test/"})
	for address, parts := range map[string][]string{
		"intra.test:443":    {"intra.test resolves to 10.20.0.5", "RFC 1918", `under [fetch]: networks = ["10.20.0.5/32"]`},
		"intra.test:8443":   {"intra.test resolves to 10.20.0.5", `under [fetch]: networks = ["10.20.0.5:8443"]`},
		"v6.test:80":        {`under [fetch]: networks = ["[fd12::5]:80"]`},
		"other.test:443":    {"other.test resolves to 10.20.0.5", `under [fetch]: networks = ["10.20.0.5/32"]`, "an address of other.test to site.start"},
		"loop.test:8080":    {"loopback", `under [site]: start = ["http://127.0.0.1:8080/"]`},
		"[fe80::1]:80":      {"fe80::1 is link-local", `under [fetch]: networks = ["fe80::1/128"]`},
		"198.51.100.1:80":   {"198.51.100.1 is documentation", "no configuration allows it"},
		"[fe80::1%eth0]:80": {"zone", "no configuration allows it"},
	} {
		err := guardDial(guard, address)
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v\nhas no %q", address, err, part)
			}
		}
	}
}

func TestNewGuardRefuses(t *testing.T) {
	for network, part := range map[string]string{
		"0.0.0.0/0":      "not within a private network",
		"8.8.8.0/24":     "not within a private network",
		"127.0.0.1/32":   "not within a private network",
		"10.0.0.0/7":     "not within a private network",
		"::ffff:0:0/96":  "not within a private network",
		"169.254.0.0/16": "single addresses only",
		"fe80::/64":      "single addresses only",
	} {
		_, err := NewGuard(nil, []Network{{Prefix: netip.MustParsePrefix(network), Port: 80}})
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, want %q", network, err, part)
		}
	}
	if _, err := NewGuard(nil, []Network{{}}); err == nil {
		t.Error("an invalid network was taken")
	}
	if _, err := NewGuard([]string{"http://exa mple/"}, nil); err == nil {
		t.Error("an invalid start address was taken")
	}
}

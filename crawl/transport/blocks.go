package transport

import "net/netip"

// blockOpening is what opens a special-purpose block to a start host.
type blockOpening int

const (
	byNothing blockOpening = iota // never opened
	byStart                       // a start address that names it, at its port
	byNetwork                     // fetch.networks
	byAddress                     // fetch.networks, by the single address only
)

// specialBlock is a block of addresses that is not part of the public Internet.
type specialBlock struct {
	prefix netip.Prefix
	opens  blockOpening
	name   string
}

// specialBlocks lists the blocks of IANA's special-purpose address registries
// (RFC 6890 and its successors) for IPv4 and IPv6, the multicast and retired
// blocks beside them, and the addresses at which clouds answer with credentials.
// The first block that contains an address decides, so that the metadata
// addresses come before the networks they lie in. Blocks that carry an IPv4
// address inside (6to4, Teredo, NAT64) stay closed: what they lead to is not
// what they look like.
func specialBlocks() []specialBlock {
	at := func(prefix string, opens blockOpening, name string) specialBlock {
		return specialBlock{netip.MustParsePrefix(prefix), opens, name}
	}
	return []specialBlock{
		at("168.63.129.16/32", byAddress, "a cloud metadata address (Azure)"),
		at("100.100.100.200/32", byAddress, "a cloud metadata address (Alibaba)"),
		at("192.0.0.192/32", byAddress, "a cloud metadata address (Oracle)"),
		at("fd00:ec2::/32", byAddress, "a cloud metadata network (Amazon)"),
		at("fd20:ce::254/128", byAddress, "a cloud metadata address (Google)"),
		at("fd00:42::42/128", byAddress, "a cloud metadata address (Scaleway)"),
		at("fd00:c1::a9fe:a9fe/128", byAddress, "a cloud metadata address (Oracle)"),

		at("0.0.0.0/8", byNothing, "\"this network\", RFC 791"),
		at("10.0.0.0/8", byNetwork, "a private network, RFC 1918"),
		at("100.64.0.0/10", byNetwork, "a shared network behind a carrier, RFC 6598"),
		at("127.0.0.0/8", byStart, "loopback"),
		at("169.254.0.0/16", byAddress, "link-local, RFC 3927"),
		at("172.16.0.0/12", byNetwork, "a private network, RFC 1918"),
		at("192.0.0.0/24", byNothing, "protocol assignments, RFC 6890"),
		at("192.0.2.0/24", byNothing, "documentation, RFC 5737"),
		at("192.31.196.0/24", byNothing, "AS112, RFC 7535"),
		at("192.52.193.0/24", byNothing, "AMT, RFC 7450"),
		at("192.88.99.0/24", byNothing, "the retired 6to4 relay, RFC 7526"),
		at("192.168.0.0/16", byNetwork, "a private network, RFC 1918"),
		at("192.175.48.0/24", byNothing, "AS112, RFC 7534"),
		at("198.18.0.0/15", byNetwork, "a network for benchmarks, RFC 2544"),
		at("198.51.100.0/24", byNothing, "documentation, RFC 5737"),
		at("203.0.113.0/24", byNothing, "documentation, RFC 5737"),
		at("224.0.0.0/4", byNothing, "multicast, RFC 5771"),
		at("255.255.255.255/32", byNothing, "broadcast, RFC 919"),
		at("240.0.0.0/4", byNothing, "reserved, RFC 1112"),

		at("::1/128", byStart, "loopback"),
		at("::/128", byNothing, "the unspecified address, RFC 4291"),
		at("::ffff:0:0/96", byNothing, "an IPv4-mapped address, RFC 4291"),
		at("::/96", byNothing, "an IPv4-compatible address, RFC 4291"),
		at("64:ff9b::/96", byNothing, "NAT64, RFC 6052"),
		at("64:ff9b:1::/48", byNothing, "local NAT64, RFC 8215"),
		at("100::/64", byNothing, "discard-only, RFC 6666"),
		at("100:0:0:1::/64", byNothing, "a dummy prefix, RFC 9780"),
		at("2001::/32", byNothing, "Teredo, RFC 4380"),
		at("2001::/23", byNothing, "protocol assignments, RFC 2928"),
		at("2001:db8::/32", byNothing, "documentation, RFC 3849"),
		at("2002::/16", byNothing, "6to4, RFC 3056"),
		at("2620:4f:8000::/48", byNothing, "AS112, RFC 7534"),
		at("3fff::/20", byNothing, "documentation, RFC 9637"),
		at("5f00::/16", byNothing, "segment routing, RFC 9602"),
		at("fc00::/7", byNetwork, "a private network, RFC 4193"),
		at("fe80::/10", byAddress, "link-local, RFC 4291"),
		at("fec0::/10", byNetwork, "a retired site-local network, RFC 3879"),
		at("ff00::/8", byNothing, "multicast, RFC 4291"),
	}
}

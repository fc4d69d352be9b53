package limit

import (
	"context"
	"fmt"
	"net"
	"strings"

	"sitesync/internal/config"
	"sitesync/internal/weburl"
)

// maxAddresses bounds how many addresses of one host are counted.
const maxAddresses = 16

// Needs returns what a run of a site uses: the hosts that it reads, with same_address their
// addresses too, and the quota of its customer. resolve looks a host up, as
// net.Resolver.LookupHost does; one that it does not find counts by its name alone.
func Needs(ctx context.Context, cfg *config.Config, resolve func(ctx context.Context, host string) ([]string, error)) (needs []Need) {
	limits := cfg.Fleet.Limits
	var hosts []string
	for _, host := range cfg.Site.FileHosts {
		hosts = append(hosts, strings.ToLower(host))
	}
	for _, start := range cfg.Site.Start {
		if origin, err := weburl.ConfiguredOrigin(start); err == nil && cfg.Site.Folder == "" {
			hosts = append(hosts, weburl.Host(origin))
		}
	}
	for _, host := range hosts {
		needs = append(needs, Need{"host " + host, limits.Host})
		if !limits.SameAddress {
			continue
		}
		name, _, err := net.SplitHostPort(host)
		if err != nil {
			name = host
		}
		addresses, _ := resolve(ctx, strings.Trim(name, "[]"))
		for _, address := range addresses[:min(len(addresses), maxAddresses)] {
			needs = append(needs, Need{"address " + address, limits.Host})
		}
	}
	if !cfg.Push.Local() {
		needs = append(needs, Need{fmt.Sprintf("customer %d at %s", cfg.Push.CustomerID, cfg.Push.Base()), limits.Customer})
	}
	return needs
}

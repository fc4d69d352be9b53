package limit_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"sitesync/internal/config"
	"sitesync/internal/fleet/limit"
)

func TestNeedsAreHostsAddressesAndQuota(t *testing.T) {
	resolve := func(_ context.Context, host string) ([]string, error) {
		switch host {
		case "www.example.com", "files.example.com":
			return []string{"192.0.2.1", "2001:db8::1"}, nil
		case "many.example.com":
			return make([]string, 1000), nil
		}
		return nil, errors.New("no such host")
	}
	base := func(change func(*config.Config)) *config.Config {
		cfg := config.Default()
		cfg.Site.Start = []string{"https://WWW.example.com/news/", "http://www.example.com:8080/"}
		cfg.Site.FileHosts = []string{"Files.example.com"}
		cfg.Push.BaseURL, cfg.Push.CustomerID = "https://search.example/", 7
		change(&cfg)
		return &cfg
	}
	for name, c := range map[string]struct {
		change func(*config.Config)
		want   []limit.Need
	}{
		"hosts, with their ports": {func(*config.Config) {}, []limit.Need{
			{"host files.example.com", 1}, {"host www.example.com", 1}, {"host www.example.com:8080", 1}, {"customer 7 at https://search.example", 0},
		}},
		"addresses": {func(c *config.Config) {
			c.Site.Start, c.Fleet.Limits = c.Site.Start[1:], config.Limits{Host: 2, Customer: 3, SameAddress: true}
		}, []limit.Need{
			{"host files.example.com", 2}, {"address 192.0.2.1", 2}, {"address 2001:db8::1", 2},
			{"host www.example.com:8080", 2}, {"address 192.0.2.1", 2}, {"address 2001:db8::1", 2}, {"customer 7 at https://search.example", 3},
		}},
		"no address": {func(c *config.Config) {
			c.Site.Start, c.Site.FileHosts, c.Fleet.Limits = []string{"http://[::1]/"}, nil, config.Limits{Host: 1, SameAddress: true}
		}, []limit.Need{{"host [::1]", 1}, {"customer 7 at https://search.example", 0}}},
	} {
		if got := limit.Needs(t.Context(), base(c.change), resolve); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	many := base(func(c *config.Config) {
		c.Site.Start, c.Site.FileHosts, c.Fleet.Limits.SameAddress = []string{"https://many.example.com/"}, nil, true
	})
	if got := limit.Needs(t.Context(), many, resolve); len(got) != 1+16+1 {
		t.Errorf("a host with 1,000 addresses makes %d needs", len(got))
	}
}

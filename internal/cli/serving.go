package cli

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/internal/config"
	"sitesync/internal/service"
)

// serving is how the local service is to run; the zero value but listen is as sync
// runs it.
type serving struct {
	listen                          string
	extended                        bool
	search                          bool     // keep the search index in step: somebody may search
	crawlers, feeds, origins, hosts []string // as written
}

func (f *serving) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:7373", "`ADDR` to listen on; off loopback it needs a key of your own")
	flags.BoolVar(&f.extended, "extended", false, "serve the optional operations on search tools, too")
	flags.StringArrayVar(&f.crawlers, "crawler", nil, "make a crawler `ID=active` or ID=inactive (repeatable)")
	flags.StringArrayVar(&f.feeds, "feed", nil, "`ENGINE=CRAWLER`: what feeds an engine (repeatable; default: every crawler)")
	flags.StringArrayVar(&f.origins, "origin", nil, "`URL` whose pages may call with a SiteKey from browsers (repeatable)")
	flags.StringArrayVar(&f.hosts, "host", nil, "`NAME` that other machines reach it by, off loopback (repeatable)")
}

// options returns what the service is opened with; its errors are those of usage.
func (f *serving) options() (service.Options, error) {
	o := service.Options{Extended: f.extended, Search: f.search, Origins: f.origins, Hosts: f.hosts, Feeds: map[int64][]string{}}
	for _, origin := range f.origins {
		if err := service.CheckOrigin(origin); err != nil {
			return o, usageError{fmt.Errorf("--origin: %w", err)}
		}
	}
	for _, host := range f.hosts {
		if err := service.CheckHost(host); err != nil {
			return o, usageError{fmt.Errorf("--host: %w", err)}
		}
	}
	for _, feed := range f.feeds {
		engine, crawler, _ := strings.Cut(feed, "=")
		id, err := strconv.ParseInt(engine, 10, 64)
		if err != nil || id <= 0 || crawler == "" {
			return o, usageError{fmt.Errorf("--feed %q: write it as ENGINE=CRAWLER, with the engine's number", feed)}
		}
		o.Feeds[id] = append(o.Feeds[id], crawler)
	}
	return o, nil
}

// activity returns which of the crawlers named are to be active.
func (f *serving) activity(customer int) (map[string]bool, error) {
	active := map[string]bool{}
	for _, text := range f.crawlers {
		i := strings.LastIndex(text, "=")
		state := text[i+1:]
		if i <= 0 || state != "active" && state != "inactive" {
			return nil, usageError{fmt.Errorf("--crawler %q: write it as ID=active or ID=inactive", text)}
		}
		if customer == 0 {
			return nil, usageError{errors.New("--crawler needs to know whose it is: set push.customer_id")}
		}
		active[text[:i]] = state == "active"
	}
	return active, nil
}

// open opens the local service as the flags and the configuration say.
func (f *serving) open(a *app, cfg *config.Config) (*service.Service, error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	active, err := f.activity(cfg.Push.CustomerID)
	if err != nil {
		return nil, err
	}
	key, _ := serviceKey(cfg)
	o.Path, o.APIKey, o.LoopbackOnly, o.Logger = cfg.Serve.Path, key, key == localKey, a.logger()
	if !isLoopback(f.listen) {
		o.CustomerID = int64(cfg.Push.CustomerID) // what others can reach serves its owner alone
	}
	local, err := service.Open(o)
	if err != nil {
		return nil, err
	}
	for id, is := range active {
		if err := local.SetActive(int64(cfg.Push.CustomerID), id, is); err != nil {
			return nil, errors.Join(err, local.Close())
		}
	}
	return local, nil
}

// isLoopback reports whether an address with a port is sure to be reached from this
// machine alone.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}

// exposed says what to set where the service may not be reached by others as it is.
func exposed(err error) error {
	if errors.Is(err, service.ErrLoopbackOnly) {
		return usageError{fmt.Errorf("%w: set push.api_key or push.api_key_file to a long random key, not %q, or --listen on 127.0.0.1", err, localKey)}
	}
	return err
}

package cli

import (
	"errors"
	"net/http"
	"time"

	"sitesync/crawl"
	"sitesync/internal/config"
)

// pushTransport returns the transport for calls of the service, as push.proxy and
// push.ca_file say; nil, which stands for the client's own, where they say nothing.
func pushTransport(cfg *config.Config) (http.RoundTripper, error) {
	if cfg.Push.Proxy == "" && cfg.Push.CAFile == "" {
		return nil, nil
	}
	roots, rootsErr := crawl.ReadAuthorities("push.ca_file", cfg.Push.CAFile)
	proxy, proxyErr := crawl.ReadProxy("push.proxy", cfg.Push.Proxy, credentials(cfg))
	if err := errors.Join(rootsErr, proxyErr); err != nil {
		return nil, usageError{err}
	}
	return proxy.Transport(crawl.TransportOptions{Timeout: time.Minute, RootCAs: roots}), nil
}

// credentials returns the logins of the configuration, those of proxies included.
func credentials(cfg *config.Config) (all []crawl.Credential) {
	for _, auth := range cfg.Fetch.Auth {
		credential := crawl.Credential{Origin: auth.Origin, User: auth.User, Password: crawl.Secret(auth.Password), Headers: map[string]crawl.Secret{}}
		for name, value := range auth.Headers {
			credential.Headers[name] = crawl.Secret(value)
		}
		all = append(all, credential)
	}
	return all
}

package app

import (
	"errors"
	"net/http"
	"time"

	"sitesync/crawl/transport"
	"sitesync/internal/config"
)

// pushTransport returns the transport for calls of the service, as push.proxy and
// push.ca_file say; nil, which stands for the client's own, where they say nothing.
func pushTransport(cfg *config.Config) (http.RoundTripper, error) {
	if cfg.Push.Proxy == "" && cfg.Push.CAFile == "" {
		return nil, nil
	}
	roots, rootsErr := transport.ReadAuthorities("push.ca_file", cfg.Push.CAFile)
	proxy, proxyErr := transport.ReadProxy("push.proxy", cfg.Push.Proxy, credentials(cfg))
	if err := errors.Join(rootsErr, proxyErr); err != nil {
		return nil, Usage(err)
	}
	return proxy.Transport(transport.Options{Timeout: time.Minute, RootCAs: roots}), nil
}

// credentials returns the logins of the configuration, those of proxies included.
func credentials(cfg *config.Config) (all []transport.Credential) {
	for _, auth := range cfg.Fetch.Auth {
		credential := transport.Credential{Origin: auth.Origin, User: auth.User, Password: transport.Secret(auth.Password), Headers: map[string]transport.Secret{}}
		for name, value := range auth.Headers {
			credential.Headers[name] = transport.Secret(value)
		}
		all = append(all, credential)
	}
	return all
}

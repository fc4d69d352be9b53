package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"sitesync/crawl/transport"
	"sitesync/internal/config"
	"sitesync/push"
)

// Connect returns a client whose credentials were tried with a read, so that a
// wrong key costs no crawl.
func (a *App) Connect(ctx context.Context, cfg *config.Config) (*push.Client, func(), error) {
	return Dial(a, cfg, ClientOptions, func(o push.Options) (*push.Client, error) {
		client, err := push.New(o)
		if err != nil {
			return nil, err
		}
		return client, client.CheckCredentials(ctx)
	})
}

// Dial returns a client of the configured service, and what ends it; with "local" it
// starts the service in this process. options are ClientOptions or PublicOptions.
func Dial[C interface{ Close() }](a *App, cfg *config.Config, options func(*config.Config, string, *slog.Logger) (push.Options, error), newClient func(push.Options) (C, error)) (client C, end func(), err error) {
	base, stop, err := a.ServiceBase(cfg)
	if err != nil {
		return client, nil, err
	}
	o, err := options(cfg, base, a.Logger())
	if a.Tune != nil {
		a.Tune(&o)
	}
	if err == nil {
		client, err = newClient(o)
	}
	if err != nil {
		stop()
		return client, nil, err
	}
	return client, func() { client.Close(); stop() }, nil
}

// ClientOptions returns the settings of a client of the service at base.
func ClientOptions(cfg *config.Config, base string, log *slog.Logger) (push.Options, error) {
	key, err := cfg.Key()
	if err != nil {
		return push.Options{}, err
	}
	o, err := PublicOptions(cfg, base, log)
	o.Key = push.Secret(key)
	return o, err
}

// PublicOptions are those of calls that take no key.
func PublicOptions(cfg *config.Config, base string, log *slog.Logger) (push.Options, error) {
	transport, err := pushTransport(cfg)
	return push.Options{
		Transport: transport,
		BaseURL:   base, Customer: int64(cfg.Push.CustomerID), Engine: int64(cfg.Push.EngineID), Crawler: cfg.Push.CrawlerID, QueueCrawler: cfg.Push.QueueCrawlerID,
		BatchDocuments: cfg.Push.BatchDocuments, BatchBytes: int64(cfg.Push.BatchBytes),
		UserAgent: "sitesync/" + Version, Logger: log,
	}, err
}

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

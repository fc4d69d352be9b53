package app

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"sitesync/crawl/transport"
	"sitesync/internal/config"
	"sitesync/internal/notify"
	"sitesync/internal/report"
	"sitesync/internal/service"
	"sitesync/internal/service/web"
	"sitesync/internal/weburl"
	"sitesync/internal/work"
	"sitesync/push"
)

// Connect returns a client of the configured search service, and a function that closes the client. It errs
// if the service refuses the credentials, so that a wrong key is known before the crawl.
func (a *App) Connect(ctx context.Context, cfg *config.Config) (*push.Client, func(), error) {
	client, end, err := Dial(a, cfg, push.New)
	if err != nil {
		return nil, nil, err
	}
	if err := client.CheckCredentials(ctx); err != nil {
		end()
		return nil, nil, err
	}
	return client, end, nil
}

// Dial returns a client of the configured service, and a function that closes the client. If push.base_url is
// "local", Dial starts the local service in this process. But if "sitesync serve" already runs a service on
// the same store, the client calls that service.
func Dial[C interface{ Close() }](
	a *App, cfg *config.Config, newClient func(push.Options) C,
) (client C, end func(), err error) {
	base, stop := cfg.Push.Base(), func() {}
	if cfg.Push.Local() {
		running, endService, err := a.StartService(cfg, Serving{Listen: "127.0.0.1:0"})
		var locked *work.LockedError
		switch {
		case errors.As(err, &locked) && locked.Holder.Address != "":
			base = locked.Holder.Address
		case err != nil:
			return client, nil, err
		default:
			base, stop = running.URL, func() {
				if err := endService(); err != nil {
					a.Logger().Warn("stop the local service", "error", err)
				}
			}
		}
	}
	o, err := a.ClientOptions(cfg, base)
	if err != nil {
		stop()
		return client, nil, err
	}
	client = newClient(o)
	return client, func() { client.Close(); stop() }, nil
}

// ClientOptions returns the settings of a client of the service at base. Without a valid API key in the
// configuration, Key is empty. ClientOptions errs if push.ca_file can't be read or push.proxy is not valid.
func (a *App) ClientOptions(cfg *config.Config, base string) (push.Options, error) {
	key, _ := cfg.Key()
	o := push.Options{
		BaseURL: base, Key: key, Customer: int64(cfg.Push.CustomerID), Engine: int64(cfg.Push.EngineID),
		Crawler: cfg.Push.CrawlerID, QueueCrawler: cfg.Push.QueueCrawlerID,
		BatchDocuments: cfg.Push.BatchDocuments, BatchBytes: int64(cfg.Push.BatchBytes),
		UserAgent: "sitesync/" + Version, Logger: a.Logger(),
	}
	if cfg.Push.Proxy != "" || cfg.Push.CAFile != "" {
		roots, err := transport.ReadAuthorities("push.ca_file", cfg.Push.CAFile)
		if err != nil {
			return o, Usage(err)
		}
		o.Transport, err = through(cfg, "push.proxy", cfg.Push.Proxy, roots)
		if err != nil {
			return o, err
		}
	}
	if w := a.Watch; w != nil && w.Tune != nil {
		w.Tune(&o)
	}
	return o, nil
}

// through returns an HTTP transport. If address is not empty, requests go through the proxy at address. key
// is the configuration key of address, for error messages.
func through(cfg *config.Config, key, address string, roots *x509.CertPool) (http.RoundTripper, error) {
	proxy, err := transport.ReadProxy(key, address, credentials(cfg))
	if err != nil {
		return nil, Usage(err)
	}
	return proxy.Transport(transport.Options{Timeout: time.Minute, RootCAs: roots}), nil
}

// SiteName returns the host name of the first URL in site.start.
func SiteName(cfg *config.Config) string {
	return report.SiteName([]string{weburl.Origin(cfg.Site.Start[0])})
}

// Notifier returns the sender of messages about runs, or nil if the section notify names no recipient.
func (a *App) Notifier(cfg *config.Config) (*notify.Notifier, error) {
	o := cfg.Notify
	err := cfg.Require("notify")
	if err != nil || len(o.Mail.To) == 0 && o.Hook.URL == "" && len(o.Command) == 0 && o.Ping == "" {
		return nil, err
	}
	roots, err := transport.ReadAuthorities("notify.ca_file", o.CAFile)
	if err != nil {
		return nil, err
	}
	n := &notify.Notifier{
		Hook: string(o.Hook.URL), HookSecret: string(o.Hook.Secret), Command: o.Command, Ping: string(o.Ping),
		Pause: time.Duration(cfg.Fetch.RetryWait), UserAgent: "sitesync/" + Version,
		Mail: notify.Mail{
			TLS: o.Mail.TLS, User: o.Mail.User, Password: string(o.Mail.Password), From: o.Mail.From, To: o.Mail.To,
		},
	}
	host, port, _ := net.SplitHostPort(o.Mail.SMTP)
	n.Mail.Roots, n.Mail.Host = roots, host
	n.Mail.Port, _ = strconv.Atoi(port)
	for _, name := range []string{"PATH", "HOME", "LANG", "TZ", "TMPDIR", "SystemRoot", "TEMP"} { // none holds a secret
		if value := a.Getenv(name); value != "" {
			n.Env = append(n.Env, name+"="+value)
		}
	}
	n.Transport, err = through(cfg, "notify.proxy", o.Proxy, roots)
	return n, err
}

// Facets returns the fields by which the search pages filter results: Category, Language, and the fields of
// [[extract.field]] that are not standard fields.
func Facets(cfg *config.Config) []string {
	fields := []string{"Category", "Language"}
	for _, f := range cfg.Extract.Fields {
		if !slices.Contains(append(fields, "Title", "Url", "Date", "Description", "Content"), f.Name) {
			fields = append(fields, f.Name)
		}
	}
	return fields
}

const localKey = "local"

// StartService starts the local service, and returns a function that stops the service. If another process
// uses the service's store, StartService returns a *work.LockedError. If that process is "sitesync serve",
// the error holds the address of its service.
func (a *App) StartService(cfg *config.Config, flags Serving) (*service.Running, func() error, error) {
	local, err := flags.open(a, cfg)
	if err != nil {
		return nil, nil, err
	}
	running, err := local.Start(flags.Listen)
	switch {
	case errors.Is(err, service.ErrLoopbackOnly):
		const next = "set push.api_key or push.api_key_file to a long random key"
		err = Usagef("%w: %s, not %q, or --listen on 127.0.0.1", err, next, localKey)
	case errors.Is(err, syscall.EADDRINUSE):
		err = fmt.Errorf("%w; another serve may run there: choose another port, such as --listen 127.0.0.1:0", err)
	}
	if err != nil {
		return nil, nil, errors.Join(err, local.Close())
	}
	if flags.Pages != nil && running.Loopback {
		local.ShowPages(flags.Pages(local, running.URL))
	}
	holder := a.Holder()
	if flags.Shared {
		holder.Address = running.URL
	}
	release, err := work.Announce(localLock(cfg), holder)
	if err != nil {
		return nil, nil, errors.Join(err, running.Close(), local.Close())
	}
	return running, func() error { return errors.Join(release(), running.Close(), local.Close()) }, nil
}

// localLock returns the folder whose files name the process that uses the store of the local service.
func localLock(cfg *config.Config) string { return cfg.Serve.Path + ".lock" }

// FindKey returns the API key of the local service, by default "local", and a text about it for the user.
func FindKey(cfg *config.Config) (key, description string) {
	configured, err := cfg.Key()
	if err != nil || configured == localKey {
		return localKey, fmt.Sprintf("the API key is %q", localKey)
	}
	return string(configured), "the API key is the configured one"
}

// Serving holds the settings of the local service.
type Serving struct {
	service.Options
	Shared bool
	Listen string // host:port
	// Pages returns the handler of the web pages at url; may be nil. It is called only if url is on loopback.
	Pages func(local *service.Service, url string) http.Handler
}

// Flags adds the flags of the command "serve".
func (f *Serving) Flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	const listen = "`ADDR` to listen on; addresses other than loopback need a key of your own"
	flags.StringVar(&f.Listen, "listen", "127.0.0.1:7373", listen)
	flags.BoolVar(&f.Extended, "extended", false, "also serve the optional operations on search tools")
	flags.BoolVar(&f.Strict, "strict", false, "refuse what public clients send beyond the specification")
	flags.BoolVar(&f.Content, "content", false, "answer with Content, too, if a search names no fields")
	flags.Func("origin", "let browsers on pages of `URL` call with a SiteKey (repeatable)", func(text string) error {
		f.Origins = append(f.Origins, text)
		return web.CheckOrigin(text)
	})
	flags.Func("host", "`NAME` under which other machines reach the service (repeatable)", func(text string) error {
		f.Hosts = append(f.Hosts, text)
		return web.CheckHost(text)
	})
}

func (f *Serving) open(a *App, cfg *config.Config) (*service.Service, error) {
	o := f.Options
	key, _ := FindKey(cfg)
	o.Path, o.APIKey, o.LoopbackOnly, o.Logger = cfg.Serve.Path, key, key == localKey, a.Logger()
	host, _, err := net.SplitHostPort(f.Listen)
	if err != nil || host != "localhost" && !net.ParseIP(host).IsLoopback() {
		o.CustomerID = int64(cfg.Push.CustomerID) // other machines may call the service for this customer only
	}
	locked := &work.LockedError{Path: cfg.Serve.Path}
	if held := work.Held(localLock(cfg)); errors.As(held, &locked) {
		locked.Path = cfg.Serve.Path
		return nil, locked
	}
	local, err := service.Open(o)
	if errors.Is(err, service.ErrHeld) { // another process is starting or stopping the service
		return nil, locked
	}
	return local, err
}

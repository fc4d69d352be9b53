package crawl

import (
	"errors"
	"time"

	"sitesync/crawl/transport"
)

// transport returns the options of the transport, with what their files hold. All
// that is wrong with those and with the proxy is in the error.
func (o *Options) transport(guard *transport.Guard, now time.Time) (transport.Options, error) {
	t := transport.Options{Guard: guard, Timeout: o.Timeout, Credentials: o.Credentials, Concurrency: o.Concurrency}
	var authorities, cookies, proxy error
	t.RootCAs, authorities = transport.ReadAuthorities("fetch.ca_file", o.CAFile)
	t.Cookies, cookies = transport.ReadCookies(o.Cookies, now)
	t.Proxy, proxy = transport.ReadProxy("fetch.proxy", o.Proxy, o.Credentials)
	return t, errors.Join(authorities, cookies, proxy)
}

package crawl

import (
	"errors"
	"time"
)

// transport returns the options of the transport, with what their files hold. All
// that is wrong with those and with the proxy is in the error.
func (o *Options) transport(guard *Guard, now time.Time) (TransportOptions, error) {
	t := TransportOptions{Guard: guard, Timeout: o.Timeout, Credentials: o.Credentials, Concurrency: o.Concurrency}
	var authorities, cookies, proxy error
	t.RootCAs, authorities = ReadAuthorities("fetch.ca_file", o.CAFile)
	t.Cookies, cookies = ReadCookies(o.Cookies, now)
	t.Proxy, proxy = ReadProxy("fetch.proxy", o.Proxy, o.Credentials)
	return t, errors.Join(authorities, cookies, proxy)
}

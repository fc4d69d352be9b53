package transport

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"

	"sitesync/internal/weburl"
)

// Proxy chooses the proxy of a request. Requests to this machine never use a proxy.
type Proxy struct {
	choose  func(*url.URL) (*url.URL, error)
	origins []string
}

// ReadProxy reads the setting of a key such as fetch.proxy: a URL, or "env" for the variables HTTP_PROXY,
// HTTPS_PROXY and NO_PROXY. It returns nil for "" (no proxy). A credential with the origin of a proxy is the
// login at this proxy. Such a credential must have no headers: the proxy would pass them on to the site.
func ReadProxy(key, setting string, credentials []Credential) (*Proxy, error) {
	config := &httpproxy.Config{HTTPProxy: setting, HTTPSProxy: setting}
	if setting == "env" {
		config = httpproxy.FromEnvironment()
	}
	p, logins := &Proxy{}, newOriginCredentials(credentials)
	for _, address := range []*string{&config.HTTPProxy, &config.HTTPSProxy} {
		if *address == "" {
			continue
		}
		// If httpproxy can't parse the address, it returns no proxy for the invented URL http://site.invalid.
		alone := httpproxy.Config{HTTPProxy: *address}
		u, err := alone.ProxyFunc()(&url.URL{Scheme: "http", Host: "site.invalid"})
		// No error quotes the address, because it may hold a password.
		if err != nil || u == nil || u.Hostname() == "" || u.Path != "" && u.Path != "/" {
			return nil, fmt.Errorf("%s: it (or HTTP_PROXY or HTTPS_PROXY, with \"env\") is no address "+
				"such as http://proxy.example.com:3128", key)
		}
		origin := weburl.RequestOrigin(u)
		if login, ok := logins[origin]; ok {
			if len(login.Headers) > 0 {
				return nil, fmt.Errorf(
					"fetch.auth: %s is a proxy, which takes user and password, no headers; remove them", origin)
			}
			u.User = url.UserPassword(login.User, string(login.Password))
		}
		*address = u.String()
		p.origins = append(p.origins, origin)
	}
	if len(p.origins) == 0 {
		return nil, nil
	}
	slices.Sort(p.origins)
	p.origins, p.choose = slices.Compact(p.origins), config.ProxyFunc()
	return p, nil
}

// Of returns the URL of the proxy for u, with its login; nil for a direct request.
func (p *Proxy) Of(u *url.URL) (*url.URL, error) {
	if p == nil {
		return nil, nil
	}
	return p.choose(u)
}

// Transport returns an HTTP transport that sends requests through the proxy. It uses the concurrency, the
// time-out and the certificate authorities of o. No Guard checks its connections, neither those to a proxy
// nor direct ones.
func (p *Proxy) Transport(o Options) *http.Transport {
	t := newHTTP(o, new(net.Dialer).DialContext)
	t.MaxConnsPerHost = 0 // net/http would count all http hosts behind the proxy as one host
	t.Proxy = func(req *http.Request) (*url.URL, error) { return p.Of(req.URL) }
	t.OnProxyConnectResponse = func(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		return proxyRefusal(proxy, resp.StatusCode)
	}
	return t
}

// Note says which checks the Guard can't make behind a proxy; "" when p is nil.
func (p *Proxy) Note() string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("requests go through %s (fetch.proxy), so that the guard sees names and literal addresses, "+
		"not what a name resolves to; let the proxy refuse private networks", strings.Join(p.origins, " and "))
}

func proxyRefusal(proxy *url.URL, status int) error {
	origin := weburl.RequestOrigin(proxy)
	if status == http.StatusProxyAuthRequired {
		return fmt.Errorf("the proxy %s wants a user and password (407): "+
			"give them in [[fetch.auth]] with origin = %q", origin, origin)
	}
	return fmt.Errorf("the proxy %s did not connect to the host (%d)", origin, status)
}

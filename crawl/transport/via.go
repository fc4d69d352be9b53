package transport

import (
	"fmt"
	"net/http"
	"net/url"

	"sitesync/internal/weburl"
)

// Rerouted is a transport that asks staging hosts in place of live ones.
type Rerouted struct {
	Next http.RoundTripper
	Via  map[string]string // live origin → origin that is asked in its place
}

// RoundTrip makes the exchange with the staging host, as whose answer the live one's
// caller gets it.
func (t Rerouted) RoundTrip(req *http.Request) (*http.Response, error) {
	staging, ok := t.Via[weburl.RequestOrigin(req.URL)]
	if !ok {
		return t.Next.RoundTrip(req)
	}
	to, err := url.Parse(staging)
	if err != nil {
		return nil, fmt.Errorf("read site.via: %w", err)
	}
	out, address := req.WithContext(req.Context()), *req.URL
	address.Scheme, address.Host = to.Scheme, to.Host
	out.URL, out.Host = &address, address.Host
	resp, err := t.Next.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	resp.Request = req
	return resp, nil
}

// CloseIdleConnections closes the connections that no exchange uses.
func (t Rerouted) CloseIdleConnections() {
	(&http.Client{Transport: t.Next}).CloseIdleConnections()
}

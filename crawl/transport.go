package crawl

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"time"
)

// TransportOptions says how the crawler reaches a network.
type TransportOptions struct {
	Guard       *Guard         // required: makes every connection
	Timeout     time.Duration  // of connecting, of the TLS handshake and of the wait for response headers, each
	Credentials []Credential   // each for its own origin only
	Concurrency int            // connections to one host, at least 1
	RootCAs     *x509.CertPool // nil: the machine's
}

// Transport makes one HTTP exchange at a time on guarded connections: pages,
// robots files, sitemaps and files alike. It follows no redirect, uses no proxy
// and decodes no body, but asks for gzip and brotli. A Transport is safe for concurrent use.
type Transport struct {
	http        *http.Transport
	credentials originCredentials
}

// maxHeaderBytes bounds the header of a response; longer ones are an error.
const maxHeaderBytes = 256 << 10

// NewTransport returns a Transport. It keeps as many idle connections to a host
// as it may open: Concurrency.
func NewTransport(o TransportOptions) *Transport {
	perHost := max(o.Concurrency, 1)
	return &Transport{
		credentials: newOriginCredentials(o.Credentials),
		http: &http.Transport{
			Proxy:                  nil,
			DialContext:            dialWithin(o.Timeout, o.Guard),
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
			TLSHandshakeTimeout:    o.Timeout,
			ResponseHeaderTimeout:  o.Timeout,
			MaxResponseHeaderBytes: maxHeaderBytes,
			DisableCompression:     true,
			MaxConnsPerHost:        perHost,
			MaxIdleConnsPerHost:    perHost,
			IdleConnTimeout:        90 * time.Second,
			ForceAttemptHTTP2:      true,
			// A dead connection would otherwise fail every stream until it is noticed.
			HTTP2: &http.HTTP2Config{SendPingTimeout: o.Timeout},
		},
	}
}

// dialWithin bounds a dial itself: net/http detaches it from the request.
func dialWithin(timeout time.Duration, guard *Guard) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, timeout)
			defer cancel()
		}
		return guard.DialContext(ctx, network, address)
	}
}

// RoundTrip makes the exchange. Credentials are added here, after the origin is
// known for certain, so that no redirect and no caller can carry them elsewhere.
// explainError puts its errors into words.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	out := req.WithContext(req.Context()) // a copy: a RoundTripper leaves the request as it is
	out.Header = req.Header.Clone()
	if out.Header == nil {
		out.Header = http.Header{}
	}
	if out.Header.Get("Accept-Encoding") == "" {
		out.Header.Set("Accept-Encoding", acceptEncoding)
	}
	t.credentials.addTo(out.Header, out.URL)
	resp, err := t.http.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	resp.Request = req // not the copy, which holds the credentials
	return resp, nil
}

// CloseIdleConnections closes the connections that no exchange uses.
func (t *Transport) CloseIdleConnections() { t.http.CloseIdleConnections() }

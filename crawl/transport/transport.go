package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"sitesync/internal/weburl"
)

// Options says how a Transport reaches the network.
type Options struct {
	Guard       *Guard            // required; makes every connection except those to a proxy
	Timeout     time.Duration     // for each step: connection, TLS handshake, response headers; 0: none
	Credentials []Credential      // each is sent to its own origin only
	Cookies     *Cookies          // nil: none
	Proxy       *Proxy            // nil: none
	Via         map[string]string // maps a live origin to the staging origin that is requested instead
	Concurrency int               // most connections to one host; values below 1 count as 1
	RootCAs     *x509.CertPool    // nil: the machine's certificate authorities
}

// Transport makes the HTTP exchanges of a crawl, on connections that a Guard allows. It follows no redirect
// and ignores cookies in responses. It asks for gzip; ReadBody and OpenBody decode the bodies.
type Transport struct {
	o           Options
	http        *http.Transport
	proxied     *http.Transport
	credentials originCredentials
	patience    time.Duration // longest time from connecting to the response header; 0: unlimited
}

const maxHeaderBytes = 256 << 10

// patienceParts is the number of steps until a response header arrives: connecting to a proxy, connecting
// through it, the TLS handshake, and waiting for the header. Each step may last Options.Timeout.
const patienceParts = 4

// New returns a Transport. It keeps up to o.Concurrency idle connections to a host.
func New(o Options) *Transport {
	t := &Transport{
		o: o, http: newHTTP(o, o.Guard.DialContext), credentials: newOriginCredentials(o.Credentials),
		patience: patienceParts * o.Timeout,
	}
	if o.Proxy != nil {
		for _, origin := range o.Proxy.origins {
			delete(t.credentials, origin)
		}
		t.proxied = o.Proxy.Transport(o)
	}
	return t
}

func newHTTP(o Options, dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	perHost := max(o.Concurrency, 1)
	return &http.Transport{
		Proxy: nil, // ignore the proxy settings of the environment
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if o.Timeout > 0 { // net/http does not end ctx at the request's deadline
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, o.Timeout)
				defer cancel()
			}
			conn, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &noticingConn{Conn: conn}, nil
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
		TLSHandshakeTimeout:    o.Timeout,
		ResponseHeaderTimeout:  o.Timeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true,
		MaxConnsPerHost:        perHost,
		MaxIdleConnsPerHost:    perHost,
		IdleConnTimeout:        90 * time.Second,
		ForceAttemptHTTP2:      true,
		// Pings find a dead connection, which would otherwise fail every stream on it. The receive buffers
		// bound the memory for data that arrives before a page is read.
		HTTP2: &http.HTTP2Config{
			SendPingTimeout: o.Timeout, MaxReceiveBufferPerStream: 256 << 10, MaxReceiveBufferPerConnection: 4 << 20,
		},
	}
}

// RoundTrip makes one exchange. If Options.Via has a staging origin for the URL, RoundTrip requests that
// origin. It sends only the credentials of the origin that it requests. It drops the body of a redirect,
// because net/http would read even an endless one. [Explain] puts the errors into words.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	out := req.WithContext(ctx) // a copy: a RoundTripper must not change the request
	resp, err := t.exchange(out, cancel)
	if err != nil {
		cancel(nil)
		// out.Response is the redirect that the caller followed to this address.
		if refused, ok := errors.AsType[*RefusedError](err); ok && out.Response != nil {
			named := *refused
			named.URL = weburl.RequestOrigin(out.URL) + out.URL.EscapedPath()
			err = &named
		}
		return nil, err
	}
	resp.Request = req // not out, because out holds the credentials
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		resp.Body.Close()
		resp.Body, resp.ContentLength = http.NoBody, 0
	}
	return resp, nil
}

func (t *Transport) exchange(out *http.Request, cancel context.CancelCauseFunc) (*http.Response, error) {
	if staging, ok := t.o.Via[weburl.RequestOrigin(out.URL)]; ok {
		to, err := url.Parse(staging)
		if err != nil {
			return nil, fmt.Errorf("read site.via: %w", err)
		}
		address := *out.URL
		address.Scheme, address.Host = to.Scheme, to.Host
		out.URL, out.Host = &address, address.Host
	}
	way := t.http
	proxy, err := t.o.Proxy.Of(out.URL)
	if err != nil {
		return nil, err
	}
	if proxy != nil { // the guard can't see to which address the proxy resolves the name
		way = t.proxied
		if err := t.o.Guard.checkUnresolved(out.URL); err != nil {
			return nil, err
		}
	}
	out.Header = out.Header.Clone()
	if out.Header == nil {
		out.Header = http.Header{}
	}
	if out.Header.Get("Accept-Encoding") == "" {
		out.Header.Set("Accept-Encoding", acceptEncoding)
	}
	pathOnly := strings.HasPrefix(out.URL.Opaque, "/") && !strings.HasPrefix(out.URL.Opaque, "//")
	if proxy != nil && out.URL.Scheme == "http" && pathOnly {
		whole := *out.URL // net/http sends Opaque unchanged, but a proxy needs the host in it
		whole.Opaque = "//" + whole.Host + whole.Opaque
		out.URL = &whole
	}
	t.credentials.addTo(out.Header, out.URL)
	t.o.Cookies.addTo(out.Header, out.URL)
	resp, err := t.ask(way, out, cancel)
	if err == nil && proxy != nil && resp.StatusCode == http.StatusProxyAuthRequired {
		resp.Body.Close()
		return nil, proxyRefusal(proxy, resp.StatusCode)
	}
	return resp, err
}

func (t *Transport) ask(
	way *http.Transport, out *http.Request, cancel context.CancelCauseFunc,
) (*http.Response, error) {
	if t.patience > 0 {
		late := fmt.Errorf("no answer after %v: %w", t.patience, os.ErrDeadlineExceeded)
		defer time.AfterFunc(t.patience, func() { cancel(late) }).Stop()
	}
	began, used := time.Now().UnixNano(), new(atomic.Pointer[noticingConn])
	resp, err := way.RoundTrip(out.WithContext(once(out.Context(), cancel, used)))
	conn := used.Load()
	switch {
	case err == nil:
		conn.serves()
		resp.Body = &servedBody{resp.Body, conn, cancel}
	// Close a connection that has sent nothing since the request began. It may still answer HTTP/2 pings, and
	// net/http would use it again.
	case TimedOut(err) && conn != nil && conn.answered.Load() < began:
		_ = conn.Close()
	}
	if err != nil && context.Cause(out.Context()) == errBroken {
		way.CloseIdleConnections() // other idle connections may be broken too
		return nil, errBroken
	}
	// net/http does not bound the wait for a place on an HTTP/2 connection, nor the sending of the request.
	if late := context.Cause(out.Context()); errors.Is(late, os.ErrDeadlineExceeded) && err != nil {
		return nil, late
	}
	return resp, err
}

// CloseIdleConnections closes the connections that no exchange is using.
func (t *Transport) CloseIdleConnections() {
	t.http.CloseIdleConnections()
	if t.proxied != nil {
		t.proxied.CloseIdleConnections()
	}
}

type servedBody struct {
	io.ReadCloser
	conn   *noticingConn
	cancel context.CancelCauseFunc
}

func (b *servedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.conn.serves()
	}
	return n, err
}

func (b *servedBody) Close() error {
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}

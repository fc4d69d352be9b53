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

// Options says how the crawler reaches a network.
type Options struct {
	Guard       *Guard            // required: makes every connection but those to a proxy
	Timeout     time.Duration     // of connecting, of the TLS handshake and of the wait for response headers, each; 0: none
	Credentials []Credential      // each for its own origin only
	Cookies     *Cookies          // may be nil
	Proxy       *Proxy            // nil: none
	Via         map[string]string // live origin → staging origin that is asked in its place
	Concurrency int               // connections to one host, at least 1
	RootCAs     *x509.CertPool    // nil: the machine's
}

// Transport makes one HTTP exchange at a time on guarded connections: pages,
// robots files, sitemaps and files alike. It follows no redirect, keeps no cookie
// and decodes no body, but asks for gzip.
type Transport struct {
	o           Options
	http        *http.Transport
	proxied     *http.Transport // nil without a proxy
	credentials originCredentials
	patience    time.Duration // for the header of an answer, all in all; 0: endless
}

// maxHeaderBytes bounds the header of a response; longer ones are an error.
const maxHeaderBytes = 256 << 10

// patienceParts is how many time-outs an exchange may take up to its header:
// connecting to a proxy and through it, the TLS handshake, the header itself.
const patienceParts = 4

// New returns a Transport. It keeps as many idle connections to a host
// as it may open: Concurrency.
func New(o Options) *Transport {
	t := &Transport{o: o, http: newHTTP(o, o.Guard.DialContext), credentials: newOriginCredentials(o.Credentials), patience: patienceParts * o.Timeout}
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
		Proxy: nil, // not the environment's
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if o.Timeout > 0 { // net/http detaches a dial from the request
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
		// A dead connection would otherwise fail every stream until it is noticed.
		// What arrives before a page is read waits in memory.
		HTTP2: &http.HTTP2Config{SendPingTimeout: o.Timeout, MaxReceiveBufferPerStream: 256 << 10, MaxReceiveBufferPerConnection: 4 << 20},
	}
}

// RoundTrip makes the exchange, with a staging host where one is asked in place of the
// live one. Credentials are added here, after the origin is known for certain, so that
// no redirect and no caller can carry them elsewhere. Of an answer that redirects there
// is no body: it may never end, and net/http would read it. Explain puts the errors into
// words.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	out := req.WithContext(ctx) // a copy: a RoundTripper leaves the request as it is
	resp, err := t.exchange(out, cancel)
	if err != nil {
		cancel(nil)
		if refused, ok := errors.AsType[*RefusedError](err); ok && out.Response != nil { // a redirect asked for it, not the caller
			named := *refused
			named.URL = weburl.RequestOrigin(out.URL) + out.URL.EscapedPath()
			err = &named
		}
		return nil, err
	}
	resp.Request = req // not the copy, which holds the credentials
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		resp.Body.Close()
		resp.Body, resp.ContentLength = http.NoBody, 0
	}
	return resp, nil
}

// exchange makes an exchange up to the header of the answer, in bounded time. cancel is
// that of out's context.
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
	if proxy != nil { // which hides from the guard what the host's name resolves to
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
	if u := out.URL; proxy != nil && u.Scheme == "http" && strings.HasPrefix(u.Opaque, "/") && !strings.HasPrefix(u.Opaque, "//") {
		whole := *u // net/http sends Opaque as it is, and a proxy needs the host in it
		whole.Opaque = "//" + u.Host + u.Opaque
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

// ask sends a request once, and waits no longer for the header of the answer than there is
// patience.
func (t *Transport) ask(way *http.Transport, out *http.Request, cancel context.CancelCauseFunc) (*http.Response, error) {
	if t.patience > 0 {
		timer := time.AfterFunc(t.patience, func() { cancel(fmt.Errorf("no answer after %v: %w", t.patience, os.ErrDeadlineExceeded)) })
		defer timer.Stop()
	}
	began, on := time.Now().UnixNano(), new(atomic.Pointer[noticingConn])
	resp, err := way.RoundTrip(out.WithContext(once(out.Context(), cancel, on)))
	conn := on.Load()
	switch {
	case err == nil:
		conn.serves()
		resp.Body = &servedBody{resp.Body, conn, cancel}
	case TimedOut(err) && conn != nil && conn.answered.Load() < began: // HTTP/2 that only talks, say: it would be asked again
		_ = conn.Close()
	}
	if broken, ok := errors.AsType[brokenError](context.Cause(out.Context())); ok && err != nil {
		way.CloseIdleConnections() // they may be as broken: a further try gets a fresh one
		return nil, broken
	}
	// net/http bounds the parts of it, but neither the wait for a place on an HTTP/2 connection nor
	// the sending of the request.
	if late := context.Cause(out.Context()); errors.Is(late, os.ErrDeadlineExceeded) && err != nil {
		return nil, late
	}
	return resp, err
}

// CloseIdleConnections closes the connections that no exchange uses.
func (t *Transport) CloseIdleConnections() {
	t.http.CloseIdleConnections()
	if t.proxied != nil {
		t.proxied.CloseIdleConnections()
	}
}

// servedBody is a body that tells its connection what comes, and ends the context of its exchange.
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

package crawl

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	neturl "net/url"
	"strings"
	"sync"
	"time"

	"sitesync/crawl/transport"
	"sitesync/internal/weburl"
)

// soon is how long before its end a certificate is warned of.
const soon = 14 * 24 * time.Hour

// name looks up the addresses of a host and asks the guard about each.
func (k *checker) name(ctx context.Context, h *host) Finding {
	f := Finding{Subject: "DNS", Of: h.origin, OK: true}
	u, err := neturl.Parse(cmp.Or(k.via[h.origin], h.origin))
	if k.folder != nil || err != nil {
		return f
	}
	if proxy, err := k.proxy.Of(u); proxy != nil || err != nil {
		f.Text = "not looked up: " + k.proxy.Note()
		return f
	}
	if k.opts.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, k.opts.Timeout)
		defer cancel()
	}
	name, port := u.Hostname(), cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	addrs, err := k.guard.Lookup(ctx, name)
	if err != nil {
		f.OK, f.Text, f.Next = false, transport.Explain(err), "look at this machine's DNS settings, then check again"
		if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
			f.Next = "is it spelt as it should be in site.start, and does this machine see the name?"
		}
		return f
	}
	return k.verdict(f, name, port, addrs)
}

// verdict says which of a name's addresses may be dialled.
func (k *checker) verdict(f Finding, name, port string, addrs []netip.Addr) Finding {
	var allowed, left []string
	var refused *transport.RefusedError
	for _, addr := range addrs {
		if err := k.guard.Check(name, port, addr); !errors.As(err, &refused) {
			allowed = append(allowed, addr.String())
			continue
		}
		left = append(left, fmt.Sprintf("%s is %s: not connected", addr, refused.Block))
	}
	if len(allowed) == 0 {
		f.OK, f.Text, f.Next = false, strings.Join(left, ", "), refused.Remedy()
		return f
	}
	f.Text = strings.Join(append(allowed, left...), ", ")
	return f
}

// certificate says how a host's https stands, from the requests that were made
// anyway. It is empty for http, and where no connection came so far.
func (k *checker) certificate(h *host) []Finding {
	w, asked := k.wires.seen[h.origin]
	f := Finding{Subject: "TLS", Of: h.origin}
	switch {
	case !asked:
		return nil
	case w.state != nil && len(w.state.PeerCertificates) > 0:
		cert := w.state.PeerCertificates[0]
		left := cert.NotAfter.Sub(k.now())
		f.OK, f.Text = true, fmt.Sprintf("%s, issued by %q, valid for %s, until %s",
			tls.VersionName(w.state.Version), cmp.Or(cert.Issuer.CommonName, cert.Issuer.String()), plural(int(left.Hours()/24), "more day"), day(cert.NotAfter))
		if left < soon {
			f.Next = "let the server renew its certificate"
		}
	case w.err != nil && transport.IsTLS(w.err):
		f.Text, f.Next = transport.Explain(w.err), tlsRemedy(w.err)
	default:
		return nil
	}
	return []Finding{f}
}

// tlsRemedy says what to do about a handshake that failed.
func tlsRemedy(err error) string {
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "let the server renew its certificate; is this machine's clock right?"
	case errors.As(err, &host):
		return "let the server send a certificate for this name, or name in site.start the one that it is for"
	case errors.As(err, &authority):
		return "let the server send its intermediate certificates too, or name a file with the issuer's certificate in fetch.ca_file"
	}
	return "let the server speak TLS 1.2 or newer there, or write another port or http:// in site.start"
}

// wire is what one connection to an origin showed.
type wire struct {
	state *tls.ConnectionState
	err   error
}

// wires is a transport that notes the first exchange with each https origin.
type wires struct {
	next http.RoundTripper
	mu   sync.Mutex
	seen map[string]wire
}

// RoundTrip makes the exchange.
func (w *wires) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.next.RoundTrip(req)
	origin := weburl.RequestOrigin(req.URL)
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.seen[origin]; !known && req.URL.Scheme == "https" {
		one := wire{err: err}
		if err == nil {
			one.state = resp.TLS
		}
		w.seen[origin] = one
	}
	return resp, err
}

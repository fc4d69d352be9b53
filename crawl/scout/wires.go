package scout

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"sitesync/internal/weburl"
)

// soon is how long before its end a certificate is warned of.
const soon = 14 * 24 * time.Hour

// Wires is a transport that notes the first exchange with each https origin.
type Wires struct {
	Next http.RoundTripper

	mu   sync.Mutex
	seen map[string]wire
}

type wire struct {
	state *tls.ConnectionState
	err   error
}

// RoundTrip makes the exchange.
func (w *Wires) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.Next.RoundTrip(req)
	origin := weburl.RequestOrigin(req.URL)
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.seen[origin]; !known && req.URL.Scheme == "https" {
		one := wire{err: err}
		if err == nil {
			one.state = resp.TLS
		}
		if w.seen == nil {
			w.seen = map[string]wire{}
		}
		w.seen[origin] = one
	}
	return resp, err
}

// Certificate says what the exchanges showed of an origin's https. explain returns the
// words for an error of TLS, nothing for other errors. There is no finding for http,
// nor where no connection came so far.
func (w *Wires) Certificate(origin string, now time.Time, explain func(error) string) []Finding {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := w.seen[origin]
	if one.state != nil && len(one.state.PeerCertificates) > 0 {
		cert := one.state.PeerCertificates[0]
		left := cert.NotAfter.Sub(now)
		f := Finding{Subject: "TLS", Of: origin, OK: true, Text: fmt.Sprintf("%s, issued by %q, valid for %s, until %s",
			tls.VersionName(one.state.Version), cmp.Or(cert.Issuer.CommonName, cert.Issuer.String()), Count(int(left.Hours()/24), "more day"), day(cert.NotAfter))}
		if left < soon {
			f.Next = "let the server renew its certificate"
		}
		return []Finding{f}
	}
	if one.err != nil && explain(one.err) != "" {
		return []Finding{{Subject: "TLS", Of: origin, Text: explain(one.err), Next: remedy(one.err)}}
	}
	return nil
}

// remedy says what to do about a handshake that failed.
func remedy(err error) string {
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

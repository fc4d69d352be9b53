package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// Explain says in words why an exchange gave no complete response. The text holds no header. It holds no user
// name or password either: Explain leaves out the URL of each *url.Error.
func Explain(err error) string {
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	for _, explain := range []func(error) string{explainOwn, explainLookup, explainTLS, explainTimeout, explainBreak} {
		if text := explain(err); text != "" {
			return text
		}
	}
	return withoutPorts(err)
}

// withoutPorts returns the text of err without network addresses: their local port differs each time.
func withoutPorts(err error) string {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Sprintf("%s: %v", op.Op, op.Err)
	}
	return err.Error()
}

func explainOwn(err error) string {
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		return refused.Error()
	}
	if body, ok := errors.AsType[*bodyError](err); ok {
		return body.Error()
	}
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "proxyconnect" {
		return "the proxy (fetch.proxy) can't be reached: " + Explain(op.Err)
	}
	return ""
}

func explainLookup(err error) string {
	dns, ok := errors.AsType[*net.DNSError](err)
	switch {
	case !ok:
		return ""
	case dns.IsNotFound:
		return fmt.Sprintf("the name %s has no address (DNS)", dns.Name)
	case dns.IsTimeout:
		return fmt.Sprintf("time-out while looking up %s (DNS)", dns.Name)
	}
	return fmt.Sprintf("the name %s could not be looked up (DNS): %s", dns.Name, dns.Err)
}

func explainTLS(err error) string {
	var verification *tls.CertificateVerificationError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var authority x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case !errors.As(err, &verification):
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return describeCertificate(invalid.Cert) + " is outside its dates"
	case errors.As(err, &host):
		names := cmp.Or(strings.Join(host.Certificate.DNSNames, ", "), "no host at all")
		return fmt.Sprintf("%s is not for %s; it is for %s", describeCertificate(host.Certificate), host.Host, names)
	case errors.As(err, &authority):
		return describeCertificate(verification.UnverifiedCertificates[0]) +
			" comes from an issuer that this machine does not trust (fetch.ca_file can name its certificate)"
	default:
		certificate := describeCertificate(verification.UnverifiedCertificates[0])
		return fmt.Sprintf("%s was not accepted: %v", certificate, verification.Err)
	}
	switch {
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "the server does not speak TLS at this port"
	case errors.As(err, &alert):
		return fmt.Sprintf("the server ended the TLS handshake: %v", alert)
	}
	return ""
}

func describeCertificate(cert *x509.Certificate) string {
	subject := cert.Subject.String()
	if subject == "" {
		subject = strings.Join(cert.DNSNames, ", ")
	}
	return fmt.Sprintf("the certificate of %q (issued by %q, valid from %s to %s)", subject, cert.Issuer.String(),
		cert.NotBefore.UTC().Format(time.DateOnly), cert.NotAfter.UTC().Format(time.DateOnly))
}

// explainTimeout says in which step an exchange timed out; "" for other errors. It compares texts because
// net/http exports no types for its time-outs.
func explainTimeout(err error) string {
	if timeout, ok := errors.AsType[net.Error](err); !ok || !timeout.Timeout() {
		return ""
	}
	var dial *net.OpError
	switch text := err.Error(); {
	case strings.Contains(text, "timeout awaiting response headers"):
		return "time-out while waiting for response headers"
	case strings.Contains(text, "TLS handshake timeout"):
		return "time-out during the TLS handshake"
	case errors.As(err, &dial) && dial.Op == "dial":
		return fmt.Sprintf("time-out while connecting to %v", dial.Addr)
	}
	return "time-out: " + withoutPorts(err)
}

func explainBreak(err error) string {
	var dial *net.OpError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED) && errors.As(err, &dial):
		return fmt.Sprintf("connection refused by %v", dial.Addr)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the server broke the connection"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		strings.Contains(err.Error(), "server closed idle connection"):
		return "the server closed the connection without an answer"
	}
	return ""
}

// CanPass reports whether the error may be temporary, so that a retry can succeed. Certificate errors,
// addresses to which the Guard allows no connection, unknown names and the crawler's limits are permanent.
func CanPass(err error) bool {
	var refused *RefusedError
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, context.Canceled), errors.As(err, &refused), explainTLS(err) != "":
		return false
	case errors.As(err, &dns):
		return !dns.IsNotFound
	case explainTimeout(err) != "", explainBreak(err) != "":
		return true
	case errors.As(err, &op): // "remote error" and "local error" are TLS alerts
		return op.Op != "remote error" && op.Op != "local error"
	}
	text := err.Error() // net/http exports no types for HTTP/2 errors
	return strings.Contains(text, "http2: ") || strings.Contains(text, "stream error: ")
}

// TimedOut reports whether an exchange ended by a time-out.
func TimedOut(err error) bool { return explainTimeout(err) != "" }

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
	"os"
	"slices"
	"syscall"
	"testing"
)

// TestCanPass: what happens on the way can pass; certificates, refusals, names that
// don't exist and our own limits can't.
func TestCanPass(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	passes := []error{
		dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), dial(os.NewSyscallError("connect", syscall.EHOSTUNREACH)),
		&net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, io.EOF, io.ErrUnexpectedEOF, os.ErrDeadlineExceeded,
		&net.DNSError{Err: "server misbehaving", Name: "a.test", IsTemporary: true}, &net.DNSError{IsTimeout: true},
		errors.New("http2: server sent GOAWAY and closed the connection"), errors.New("stream error: stream ID 7; INTERNAL_ERROR"),
		bodyErrorf(io.ErrUnexpectedEOF, "body cut"), bodyErrorf(&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "body cut"),
	}
	stays := []error{
		context.Canceled, &RefusedError{Host: "a.test"}, fmt.Errorf("x: %w", &RefusedError{}), &net.DNSError{IsNotFound: true},
		&tls.CertificateVerificationError{UnverifiedCertificates: []*x509.Certificate{{}}, Err: errors.New("x")}, tls.RecordHeaderError{}, http.ErrSchemeMismatch,
		&net.OpError{Op: "remote error", Err: errors.New("tls: handshake failure")}, errors.New("malformed HTTP response"),
		bodyErrorf(nil, "body is over 1 MB"), bodyErrorf(bodyErrorf(nil, "body slower than 1 KB/s"), "slow"), bodyErrorf(errors.New("gzip: invalid checksum"), "damaged"),
	}
	for _, err := range slices.Concat(passes, stays) {
		if want := slices.Contains(passes, err); CanPass(err) != want {
			t.Errorf("%v: can pass %v, want %v", err, !want, want)
		}
	}
}

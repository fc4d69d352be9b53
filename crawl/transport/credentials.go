package transport

import (
	"crypto/x509"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"

	"sitesync/internal/weburl"
)

// Secret is a string that no formatting, logging or encoding shows.
type Secret string

const hiddenSecret = "[secret]"

// String returns a placeholder.
func (Secret) String() string { return hiddenSecret }

// Format writes a placeholder, whatever the verb.
func (Secret) Format(state fmt.State, _ rune) { fmt.Fprint(state, hiddenSecret) }

// LogValue returns a placeholder.
func (Secret) LogValue() slog.Value { return slog.StringValue(hiddenSecret) }

// MarshalText returns a placeholder, for JSON and the like.
func (Secret) MarshalText() ([]byte, error) { return []byte(hiddenSecret), nil }

// Credential is what one origin asks for: Basic authentication (RFC 7617),
// when User or Password is set, and header fields.
type Credential struct {
	Origin   string // scheme, host and port, such as "https://staging.example.com"
	User     string
	Password Secret
	Headers  map[string]Secret
}

// originCredentials finds the credential of a request's origin.
type originCredentials map[string]Credential

// newOriginCredentials leaves out credentials whose origin can't be read: they
// belong to nobody.
func newOriginCredentials(list []Credential) originCredentials {
	byOrigin := make(originCredentials, len(list))
	for _, c := range list {
		if origin, err := weburl.ConfiguredOrigin(c.Origin); err == nil {
			byOrigin[origin] = c
		}
	}
	return byOrigin
}

// addTo sets the header fields of the credential for u's own origin, if there
// is one. Nothing else about the request counts: neither a Host field nor the
// page that led to it.
func (o originCredentials) addTo(header http.Header, u *url.URL) {
	c, ok := o[weburl.RequestOrigin(u)]
	if !ok {
		return
	}
	if c.User != "" || c.Password != "" {
		basic := http.Request{Header: header}
		basic.SetBasicAuth(c.User, string(c.Password))
	}
	for name, value := range c.Headers {
		header.Set(name, string(value))
	}
}

// ReadAuthorities returns the machine's certificate authorities and those of a
// PEM file; nil, which stands for the machine's alone, when path is "". Its errors
// name the configuration key.
func ReadAuthorities(key, path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; name a PEM file that can be read", key, err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // a machine without any
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s: %s holds no certificate in PEM form (-----BEGIN CERTIFICATE-----); convert it, or name another file", key, path)
	}
	return pool, nil
}

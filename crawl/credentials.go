package crawl

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
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
		if origin, err := configuredOrigin(c.Origin); err == nil {
			byOrigin[origin] = c
		}
	}
	return byOrigin
}

// addTo sets the header fields of the credential for u's own origin, if there
// is one. Nothing else about the request counts: neither a Host field nor the
// page that led to it.
func (o originCredentials) addTo(header http.Header, u *url.URL) {
	c, ok := o[requestOrigin(u)]
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

// configuredOrigin returns the origin (RFC 6454) of an address as written in
// the configuration, in the form of requestOrigin.
func configuredOrigin(address string) (string, error) {
	u, err := whatwg.Parse(address)
	if err != nil {
		return "", fmt.Errorf("read origin %q: %w", address, err)
	}
	if u.Host() == "" {
		return "", fmt.Errorf("read origin %q: it names no host", address)
	}
	return u.Scheme() + "://" + u.Host(), nil
}

// requestOrigin returns scheme, host and, unless it is the scheme's own, port of u.
func requestOrigin(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host
}

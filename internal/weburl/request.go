package weburl

import (
	"fmt"
	"net/url"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// ConfiguredOrigin returns the origin (RFC 6454) of an address as written in
// the configuration, in the form of RequestOrigin.
func ConfiguredOrigin(address string) (string, error) {
	u, err := whatwg.Parse(address)
	if err != nil {
		return "", fmt.Errorf("read origin %q: %w", address, err)
	}
	if u.Host() == "" {
		return "", fmt.Errorf("read origin %q: it names no host", address)
	}
	return u.Scheme() + "://" + u.Host(), nil
}

// RequestOrigin returns scheme, host and, unless it is the scheme's own, port of u.
func RequestOrigin(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host
}

package config

import (
	"errors"
	"net/netip"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// parseHTTP reads an absolute http or https address by the WHATWG standard.
func parseHTTP(s string) (*url.Url, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, errors.New("must be a full address, such as https://www.example.com/")
	}
	if u.Scheme() != "http" && u.Scheme() != "https" {
		return nil, errors.New("must begin with http:// or https://")
	}
	return u, nil
}

func hasUser(u *url.Url) bool { return u.Username() != "" || u.Password() != "" }

func checkAddress(s string) error {
	u, err := parseHTTP(s)
	if err == nil && hasUser(u) {
		err = errors.New("must not hold a user name or password: use [[fetch.auth]]")
	}
	return err
}

// parseOrigin returns s as scheme://host[:port].
func parseOrigin(s string) (string, error) {
	u, err := parseHTTP(s)
	switch {
	case err != nil:
		return "", err
	case hasUser(u):
		return "", errors.New("must not hold a user name or password: use the keys user and password")
	case u.Pathname() != "/" || u.Search() != "" || u.Hash() != "":
		return "", errors.New("must be an origin alone, such as https://staging.example.com")
	}
	return u.Protocol() + "//" + u.Host(), nil
}

// checkBase accepts "local", https addresses, and http ones on this machine.
func checkBase(s string) error {
	if s == localBase {
		return nil
	}
	u, err := parseHTTP(s)
	switch {
	case err != nil:
		return errors.New(`must be the https address of your region, or "local"`)
	case hasUser(u):
		return errors.New("must not hold a user name or password: use customer_id and api_key")
	case u.Search() != "" || u.Hash() != "":
		return errors.New("must not hold ? or #")
	case u.Scheme() == "http" && !isLoopback(u):
		return errors.New("must begin with https://, because http would show the key to the network")
	}
	return nil
}

func isLoopback(u *url.Url) bool {
	host := strings.Trim(u.Hostname(), "[]")
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// checkID accepts what stands as one step in the service's paths.
func checkID(s string) error {
	if s == "." || s == ".." || strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c == 0x7f || strings.ContainsRune(`/\?#%`, c) }) {
		return errors.New("must be the ID alone, without spaces and slashes")
	}
	return nil
}

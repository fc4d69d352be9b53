package config

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"time"

	"github.com/andybalholm/cascadia"
	"github.com/bmatcuk/doublestar/v4"
)

// The checks of this file and of address.go return errors that read on after the
// value: "must be …".

func orEmpty(check func(string) error) func(string) error {
	return func(s string) error {
		if s == "" {
			return nil
		}
		return check(s)
	}
}

func oneOf(words ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(words, s) {
			return nil
		}
		return fmt.Errorf(`must be "%s"`, strings.Join(words, `" or "`))
	}
}

func atLeast[T Duration | Size](low T, parse func(string) (T, error)) func(string) (T, error) {
	return func(s string) (T, error) {
		amount, err := parse(s)
		if err == nil && amount < low {
			err = fmt.Errorf("must be at least %v", low)
		}
		return amount, err
	}
}

func checkFilled(s string) error {
	if s == "" {
		return errors.New("must not be empty")
	}
	return nil
}

// checkPattern accepts what is matched against a path: a glob, or "re:" and a
// regular expression.
func checkPattern(s string) error {
	if expression, ok := strings.CutPrefix(s, "re:"); ok {
		var wrong *syntax.Error // without the expression, which is shown already
		if _, err := regexp.Compile(expression); errors.As(err, &wrong) {
			return fmt.Errorf("must be a regular expression after \"re:\": %s", wrong.Code)
		}
		return nil
	}
	if !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "*") {
		return errors.New(`must begin with "/" or "*", because it is matched against the path, or with "re:"`)
	}
	if !doublestar.ValidatePattern(s) {
		return errors.New(`must be a glob such as "/news/**", with every bracket closed`)
	}
	return nil
}

func checkParam(s string) error {
	if s == "" || strings.ContainsAny(s, "?&=# ") {
		return errors.New(`must be the name of a query parameter alone, such as "utm_*"`)
	}
	return nil
}

func checkSelector(s string) error {
	if _, err := cascadia.ParseGroup(s); err != nil {
		return fmt.Errorf("must be a CSS selector: %w", err)
	}
	return nil
}

// parseZone refuses "Local" and "": the same site must give the same documents
// on every machine.
func parseZone(s string) (*time.Location, error) {
	zone, err := time.LoadLocation(s)
	if err != nil || s == "" || s == "Local" {
		return nil, errors.New(`must be a time zone such as "Europe/Copenhagen" or "UTC"`)
	}
	return zone, nil
}

func parseNetwork(s string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(s); err == nil && addr.Zone() == "" {
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(s)
	if err != nil {
		return prefix, errors.New(`must be a network such as "10.20.0.0/16", or one address`)
	}
	if prefix != prefix.Masked() {
		return prefix, fmt.Errorf("must be written as the network: %q", prefix.Masked())
	}
	return prefix, nil
}

func checkUser(s string) error {
	if strings.Contains(s, ":") { // RFC 7617, section 2
		return errors.New("must not hold a colon")
	}
	return checkHeaderValue(s)
}

// checkHeaderValue refuses what would end a header line early, RFC 9110,
// section 5.5.
func checkHeaderValue(s string) error {
	if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
		return errors.New("must not hold line breaks or other control characters")
	}
	return nil
}

var (
	headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$") // RFC 9110, section 5.6.2
	headerOurs = regexp.MustCompile(`(?i)^(host|connection|content-length|transfer-encoding|accept-encoding|range|if-.*|user-agent)$`)
)

func checkHeaderName(s string) error {
	if !headerName.MatchString(s) {
		return errors.New("is no name of a header")
	}
	if headerOurs.MatchString(s) {
		return errors.New("is a header that sitesync sets itself")
	}
	return nil
}

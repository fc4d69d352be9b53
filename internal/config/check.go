package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"net/mail"
	"net/netip"
	neturl "net/url"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/andybalholm/cascadia"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/http/httpguts"

	"sitesync/extract/rule"
)

var (
	// control matches characters that a header value must not hold (RFC 9110, section 5.5).
	control = regexp.MustCompile(`[\x00-\x08\x0a-\x1f\x7f]`)
	// notInID matches an ID that can't be one segment of a URL path.
	notInID = regexp.MustCompile(`^\.{1,2}$|[\x00-\x20\x7f/\\?#%]`)
	// agent matches a user agent that begins with a product token (RFC 9309, section 2.2.1).
	agent      = regexp.MustCompile(`^[A-Za-z_-]+([/ \t(]|$)`)
	headerOurs = regexp.MustCompile(
		`(?i)^(host|connection|content-length|transfer-encoding|accept-encoding|range|if-.*|user-agent)$`)
)

// check errs if s does not have the form that the parameter "is" names, such as "pattern". Any other "is"
// lists the allowed values, as in "a|b". The error text needs a subject before it, as in "must not be empty".
func check(is, s string) error {
	is, optional := strings.CutSuffix(is, " or empty")
	if optional && s == "" {
		return nil
	}
	switch is {
	case "":
		return nil
	case "filled":
		return must(s != "", "not be empty")
	case "field":
		return rule.CheckName(s)
	case "source":
		_, err := rule.ParseSource(s)
		return err
	case "transform":
		_, err := rule.ParseTransform(s)
		return err
	case "header":
		return must(!control.MatchString(s), "not hold line breaks or other control characters")
	case "agent":
		const how = `begin with a product token of letters, "_" and "-" alone, such as "examplebot/1.0": ` +
			"robots.txt names no other"
		return cmp.Or(check("header", s), must(s == "" || agent.MatchString(s), how))
	case "user": // RFC 7617, section 2, forbids a colon
		return cmp.Or(must(!strings.Contains(s, ":"), "not hold a colon"), check("header", s))
	case "id":
		return must(!notInID.MatchString(s), "be the ID alone, without spaces and slashes")
	case "param":
		return must(s != "" && !strings.ContainsAny(s, "?&=# "),
			`be the name of a query parameter alone, such as "utm_*"`)
	case "pattern":
		return checkPattern(s)
	case "selector":
		_, err := cascadia.ParseGroup(s)
		return must(err == nil, `be a CSS selector such as "main" or "#content > .text"`)
	case "header name":
		return cmp.Or(
			must(httpguts.ValidHeaderFieldName(s), "be that of a header"),
			must(!headerOurs.MatchString(s), "not be that of a header which sitesync sets itself"))
	case "multi":
		return must(s == MultiFirst || strings.HasPrefix(s, "join:"),
			`be "first", or "join:" and the text between the values, such as "join:; "`)
	case "schedule":
		return checkSchedule(s)
	case "between":
		return must(len(strings.Fields(s)) == 2, `be the words of two comments, such as "cludooff cludoon"`)
	case "address", "mail", "host:port", "origin", "host", "proxy", "base":
		return checkAddress(is, s)
	}
	return must(slices.Contains(strings.Split(is, "|"), s), `be "`+strings.ReplaceAll(is, "|", `" or "`)+`"`)
}

func checkAddress(is, s string) error {
	switch is {
	case "address":
		_, err := parseHTTP(s, "[[fetch.auth]]")
		return err
	case "mail":
		_, err := mail.ParseAddress(s)
		return must(err == nil, `be a mail address, such as "web@example.com"`)
	case "host:port":
		host, port, err := net.SplitHostPort(s)
		_, portErr := strconv.ParseUint(port, 10, 16)
		return must(err == nil && portErr == nil && host != "",
			`be a host and its port, such as "smtp.example.com:587"`)
	case "origin":
		_, err := parseOrigin(s)
		return err
	case "host":
		u, err := url.Parse("https://" + s)
		return must(err == nil && u.Href(false) == "https://"+strings.ToLower(s)+"/",
			"be the name of a host alone, such as files.example.com")
	case "proxy":
		if s == "" || s == "env" {
			return nil
		}
		_, err := parseHTTP(s, "[[fetch.auth]] for the proxy's origin")
		return err
	}
	return checkBase(s)
}

func checkBase(s string) error {
	if s == "" || s == localBase {
		return nil
	}
	_, err := parseHTTP(s, "customer_id and api_key")
	u, unfit := neturl.Parse(s) // the client of the search service uses net/url, too
	switch {
	case !strings.Contains(s, "://"):
		return errors.New(`must be the https address of your region, or "local"`)
	case err != nil:
		return err
	case unfit != nil || u.Host == "":
		return errors.New("must be a plain address, such as https://HOST")
	case strings.ContainsAny(s, "?#"):
		return errors.New("must not hold ? or #")
	}
	secure := u.Scheme == "https" || u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	return must(secure, "begin with https://, because http would show the key to the network")
}

func must(ok bool, what string) error {
	if ok {
		return nil
	}
	return errors.New("must " + what)
}

func checkPattern(s string) error {
	if expression, ok := strings.CutPrefix(s, "re:"); ok {
		_, err := regexp.Compile(expression)
		if wrong, ok := errors.AsType[*syntax.Error](err); ok {
			// The whole error would quote the pattern, which may hold values of environment variables.
			return fmt.Errorf(`must be a regular expression after "re:": %s`, wrong.Code)
		}
		return nil
	}
	if !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "*") {
		return errors.New(`must begin with "/" or "*", because it is matched against the path, or with "re:"`)
	}
	return must(doublestar.ValidatePattern(s), `be a glob such as "/news/**", with every bracket closed`)
}

// parseHTTP parses an absolute http or https URL by the WHATWG standard. It errs if the URL holds a user name
// or password. The error text then names keys, a list of the configuration keys for such values.
func parseHTTP(s, keys string) (*url.Url, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, errors.New("must be a full address, such as https://www.example.com/")
	case u.Scheme() != "http" && u.Scheme() != "https":
		return nil, errors.New("must begin with http:// or https://")
	case u.Username() != "" || u.Password() != "":
		return nil, errors.New("must not hold a user name or password: use " + keys)
	}
	return u, nil
}

func parseOrigin(s string) (string, error) {
	u, err := parseHTTP(s, "the keys user and password")
	if err != nil {
		return "", err
	}
	alone := u.Pathname() == "/" && u.Search() == "" && u.Hash() == ""
	return u.Protocol() + "//" + u.Host(), must(alone, "be an origin alone, such as https://staging.example.com")
}

func canonical(is, s string) string {
	if origin, err := parseOrigin(s); err == nil && is == "origin" {
		return origin
	}
	return s
}

func parseNetwork(s string) (n Network, err error) {
	if network, port, splitErr := net.SplitHostPort(s); splitErr == nil {
		n.Port, err = strconv.Atoi(port)
		if err != nil || n.Port < 1 || n.Port > math.MaxUint16 || strconv.Itoa(n.Port) != port {
			return n, strconv.ErrSyntax
		}
		s = network
	}
	if addr, addrErr := netip.ParseAddr(s); addrErr == nil && addr.Zone() == "" {
		n.Prefix = netip.PrefixFrom(addr, addr.BitLen())
		return n, nil
	}
	n.Prefix, err = netip.ParsePrefix(s)
	return n, cmp.Or(err, must(n.Prefix == n.Prefix.Masked(), "be masked"))
}

// Duration is a span of time, not negative. The configuration file writes it as "30s", "1h30m" or "7d".
type Duration time.Duration

const day = Duration(24 * time.Hour)

func parseDuration(s string) (Duration, error) {
	if number, ok := strings.CutSuffix(s, "d"); ok {
		days, err := strconv.ParseUint(number, 10, 16)
		return Duration(days) * day, err
	}
	d, err := time.ParseDuration(s)
	return Duration(d), cmp.Or(err, must(d >= 0, "not be negative"))
}

// Size is a number of bytes, at least 0. The configuration file writes it with a unit: B, KB, MB or GB
// (powers of 1,000), or KiB, MiB or GiB (powers of 1,024). Upper and lower case of the unit are the same.
type Size int64

// ParseSize parses a number with a unit, such as "25MB". The only error is strconv.ErrSyntax.
func ParseSize(s string) (Size, error) {
	units := map[string]int64{"b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}
	name := strings.TrimLeft(s, "0123456789")
	number, err := strconv.ParseInt(s[:len(s)-len(name)], 10, 64)
	unit := units[strings.ToLower(strings.TrimSpace(name))]
	if err != nil || unit == 0 || number > math.MaxInt64/unit {
		return 0, strconv.ErrSyntax
	}
	return Size(number * unit), nil
}

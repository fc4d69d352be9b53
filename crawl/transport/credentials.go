package transport

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Credential is the login of one origin: header fields, and Basic authentication (RFC 7617) when User or
// Password is set.
type Credential struct {
	Origin   string // scheme, host and port, such as "https://staging.example.com"
	User     string
	Password document.Secret
	Headers  map[string]document.Secret
}

type originCredentials map[string]Credential

// newOriginCredentials leaves out credentials whose origin can't be parsed, since no request matches them.
func newOriginCredentials(list []Credential) originCredentials {
	byOrigin := make(originCredentials, len(list))
	for _, c := range list {
		if origin, err := weburl.ConfiguredOrigin(c.Origin); err == nil {
			byOrigin[origin] = c
		}
	}
	return byOrigin
}

// addTo sets the header fields of the credential for u's own origin. Only u decides, not the Host header or
// the referring page.
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

// ReadAuthorities returns the machine's certificate authorities and those of the PEM file at path. If path is
// "", it returns nil, which means the machine's authorities alone. Errors begin with key.
func ReadAuthorities(key, path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path) //nolint:gosec // the path comes from the configuration, not from a page
	if err != nil {
		return nil, fmt.Errorf("%s: %w; name a PEM file that can be read", key, err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s: %s holds no certificate in PEM form (-----BEGIN CERTIFICATE-----); "+
			"convert it, or name another file", key, path)
	}
	return pool, nil
}

// Cookies holds the cookies of the file that fetch.cookies names. It ignores cookies that the site sets: with
// them, a page could depend on the pages requested before it. A nil *Cookies holds no cookies.
type Cookies struct{ jar *cookiejar.Jar }

// ReadCookies reads a Netscape cookie file (cookies.txt). It returns nil if path is "". A line has seven
// fields with tabs between: host, TRUE if subdomains get the cookie too, path, TRUE for https only, expiry,
// name, value. Expiry is a Unix time in seconds, or 0 for never. Expired cookies are left out. An error holds
// no cookie's value.
func ReadCookies(path string, now time.Time) (*Cookies, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path) //nolint:gosec // the path comes from the configuration, not from a page
	if err != nil {
		return nil, fmt.Errorf("fetch.cookies: %w; name a cookie file that can be read", err)
	}
	cookies, err := parseCookies(data, now)
	if err != nil {
		return nil, fmt.Errorf("fetch.cookies: %s, %w; export the file anew", filepath.Base(path), err)
	}
	return cookies, nil
}

func parseCookies(data []byte, now time.Time) (*Cookies, error) {
	jar, _ := cookiejar.New(nil) // without options, New never fails
	for i, line := range strings.Split(strings.TrimPrefix(string(data), "\uFEFF"), "\n") {
		line = strings.TrimPrefix(strings.TrimRight(line, "\r"), "#HttpOnly_")
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		host, c, expiry, err := parseCookie(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if expiry == 0 || expiry > now.Unix() {
			jar.SetCookies(&url.URL{Scheme: "https", Host: host}, []*http.Cookie{c})
		}
	}
	return &Cookies{jar}, nil
}

func parseCookie(fields []string) (host string, c *http.Cookie, expiry int64, err error) {
	if len(fields) == 6 { // some editors remove the tab before an empty value
		fields = append(fields, "")
	}
	if len(fields) != 7 {
		return "", nil, 0, fmt.Errorf("it has %s with tabs between, not 7", document.Count(len(fields), "field"))
	}
	u, err := whatwg.Parse("http://" + strings.TrimPrefix(fields[0], ".") + "/")
	if err != nil || u.Pathname() != "/" || u.Username() != "" || u.Port() != "" {
		return "", nil, 0, errors.New("its first field is no host name")
	}
	host = strings.Trim(u.Hostname(), "[]")
	c = &http.Cookie{Path: fields[2], Secure: fields[3] == "TRUE", Name: fields[5], Value: fields[6]}
	subdomains := fields[1] == "TRUE"
	if subdomains {
		c.Domain = host
	}
	expiry, err = strconv.ParseInt(fields[4], 10, 64)
	bools := (subdomains || fields[1] == "FALSE") && (c.Secure || fields[3] == "FALSE")
	invalid := func(r rune) bool { return r < ' ' || r == ';' || r == '\x7F' }
	switch {
	case !bools, !strings.HasPrefix(c.Path, "/"), err != nil:
		return "", nil, 0, errors.New(
			"its fields are not HOST, TRUE or FALSE, PATH, TRUE or FALSE, SECONDS, NAME, VALUE")
	case c.Name == "", strings.Contains(c.Name, "="), strings.ContainsFunc(c.Name+c.Value, invalid):
		return "", nil, 0, errors.New("its name or value can't be sent")
	}
	return host, c, expiry, nil
}

// addTo adds the cookies for u in the order of RFC 6265, section 5.4. Values are sent as the file has them:
// net/http would put some in quotes.
func (c *Cookies) addTo(header http.Header, u *url.URL) {
	if c == nil || strings.HasSuffix(u.Hostname(), ".") { // a name with a final dot is another host
		return
	}
	pairs := header.Values("Cookie")
	for _, k := range c.jar.Cookies(&url.URL{Scheme: u.Scheme, Host: u.Hostname(), Path: u.EscapedPath()}) {
		pairs = append(pairs, k.Name+"="+k.Value)
	}
	if len(pairs) > 0 {
		header.Set("Cookie", strings.Join(pairs, "; "))
	}
}

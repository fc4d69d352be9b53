package transport

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// Cookies are the cookies of the owner's file, by domain. What the site sets is
// never kept: else a page would depend on the pages that were asked before it.
// They are safe for concurrent use.
type Cookies map[string][]cookie

// cookie is a line of a cookie file.
type cookie struct {
	subdomains bool // the hosts below its domain get it too
	secure     bool
	path       string
	Pair       Secret // as sent: "name=value"; exported, for fmt shows what isn't
}

// ReadCookies reads a Netscape cookie file (cookies.txt; a host, whether
// subdomains count, path, whether https only, expiry, name and value, with tabs
// between), "" for none. Cookies that are over at now are left out; those
// without an expiry (0) are not. An error names file and line, no value.
func ReadCookies(path string, now time.Time) (Cookies, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("fetch.cookies: %w; name a cookie file that can be read", err)
	}
	cookies, err := parseCookies(data, now)
	if err != nil {
		return nil, fmt.Errorf("fetch.cookies: %s, %w; export the file anew", filepath.Base(path), err)
	}
	return cookies, nil
}

func parseCookies(data []byte, now time.Time) (Cookies, error) {
	cookies, n := Cookies{}, 0
	for line := range strings.Lines(string(bytes.TrimPrefix(data, []byte("\uFEFF")))) {
		n++
		line = strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "#HttpOnly_") // hidden from scripts: nothing to us
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		domain, c, expiry, err := parseCookie(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if expiry == 0 || expiry > now.Unix() {
			cookies[domain] = append(cookies[domain], c)
		}
	}
	return cookies, nil
}

func parseCookie(fields []string) (domain string, c cookie, expiry int64, err error) {
	if len(fields) == 6 { // an empty value whose tab an editor took away
		fields = append(fields, "")
	}
	if len(fields) != 7 {
		return "", c, 0, fmt.Errorf("it has %d fields with tabs between, not 7", len(fields))
	}
	host, err := whatwg.Parse("http://" + strings.TrimPrefix(fields[0], ".") + "/")
	if err != nil || host.Pathname() != "/" || host.Username() != "" || host.Port() != "" {
		return "", c, 0, errors.New("its first field is no host name")
	}
	c = cookie{subdomains: fields[1] == "TRUE", path: fields[2], secure: fields[3] == "TRUE", Pair: Secret(fields[5] + "=" + fields[6])}
	expiry, err = strconv.ParseInt(fields[4], 10, 64)
	switch {
	case !c.subdomains && fields[1] != "FALSE", !c.secure && fields[3] != "FALSE":
		return "", c, 0, errors.New("its second and fourth field must be TRUE or FALSE")
	case !strings.HasPrefix(c.path, "/"):
		return "", c, 0, errors.New("its third field is no path")
	case err != nil:
		return "", c, 0, errors.New("its fifth field is no time in seconds since 1970")
	case fields[5] == "" || strings.Contains(fields[5], "=") || strings.ContainsFunc(string(c.Pair), noCookieRune):
		return "", c, 0, errors.New("its name or value can't be sent")
	}
	return strings.Trim(host.Hostname(), "[]"), c, expiry, nil
}

func noCookieRune(r rune) bool { return r < ' ' || r == 0x7F || r == ';' }

// addTo adds the cookies for u, those with the longest path first (RFC 6265,
// section 5.4).
func (c Cookies) addTo(header http.Header, u *url.URL) {
	if len(c) == 0 {
		return
	}
	var found []cookie
	host, path := strings.ToLower(u.Hostname()), cmp.Or(u.EscapedPath(), "/")
	for domain, more := host, true; more; _, domain, more = strings.Cut(domain, ".") {
		for _, k := range c[domain] {
			if (k.subdomains || domain == host) && (!k.secure || u.Scheme == "https") && k.covers(path) {
				found = append(found, k)
			}
		}
	}
	if len(found) == 0 {
		return
	}
	slices.SortStableFunc(found, func(a, b cookie) int { return cmp.Compare(len(b.path), len(a.path)) })
	pairs := slices.DeleteFunc([]string{header.Get("Cookie")}, func(s string) bool { return s == "" })
	for _, k := range found {
		pairs = append(pairs, string(k.Pair))
	}
	header.Set("Cookie", strings.Join(pairs, "; "))
}

// covers is the path match of RFC 6265, section 5.1.4.
func (k cookie) covers(path string) bool {
	rest, ok := strings.CutPrefix(path, k.path)
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(k.path, "/"))
}

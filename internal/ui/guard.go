package ui

import (
	"crypto/subtle"
	"net"
	"net/http"
)

// guard accepts a request only if it has the token of the printed link, or if its path begins with the
// secret. A cookie would be unsafe: browsers send it to every port of a host, even to other users' servers.
type guard struct {
	port, token string
	base        string // first segment of every page's path: the session's secret
	origin      *http.CrossOriginProtection
}

const maxForm = 1 << 16

func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "+
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// check returns the HTTP status for a request and, if it refuses the request, the reason. The status is 303
// for a request with the token: it must be redirected to the secret path, which is never printed.
func (g *guard) check(w http.ResponseWriter, r *http.Request) (status int, why string) {
	host, port, err := net.SplitHostPort(r.Host)
	if ip := net.ParseIP(host); err != nil || port != g.port || host != "localhost" && !ip.IsLoopback() {
		return http.StatusMisdirectedRequest,
			"These pages answer at 127.0.0.1 and port " + g.port + " only. " +
				"Through ssh -L use the same port on both machines."
	}
	if err := g.origin.Check(r); err != nil {
		return http.StatusForbidden, "Another web page asked for this. Nothing was done."
	}
	if same(r.URL.Query().Get("token"), g.token) {
		return http.StatusSeeOther, ""
	}
	if n := len(g.base); len(r.URL.Path) <= n || !same(r.URL.Path[:n+1], g.base+"/") {
		return http.StatusForbidden,
			"This page needs the link that sitesync printed. " +
				"A link works until its program ends; start sitesync ui again for a new one."
	}
	if r.Body = http.MaxBytesReader(w, r.Body, maxForm); r.Method == http.MethodPost && r.ParseForm() != nil {
		return http.StatusForbidden, "The form is damaged or too large. Go back, load the page again and repeat."
	}
	return http.StatusOK, ""
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

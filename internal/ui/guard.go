package ui

import (
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// guard lets in who has the link, and nobody else.
type guard struct {
	port, token, session, form string
	used                       atomic.Bool // the token
	origin                     *http.CrossOriginProtection
}

// cookie is the name of the session: browsers send a cookie to every port of a host.
func (g *guard) cookie() string { return "sitesync-" + g.port }

// maxForm bounds what a form sends, in bytes.
const maxForm = 1 << 16

// secure sets the headers of every answer.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// check returns 200, or why a request is refused. To who brings the token it gives the
// session, and returns 303: the address without the token.
func (g *guard) check(w http.ResponseWriter, r *http.Request) (status int, why string) {
	host, port, err := net.SplitHostPort(r.Host)
	if ip := net.ParseIP(host); err != nil || port != g.port || host != "localhost" && !ip.IsLoopback() {
		return http.StatusMisdirectedRequest, "These pages answer at 127.0.0.1 and port " + g.port + " only. Through ssh -L use the same port on both machines."
	}
	if err := g.origin.Check(r); err != nil {
		return http.StatusForbidden, "Another web page asked for this. Nothing was done."
	}
	if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/static/") {
		return http.StatusOK, ""
	}
	if same(r.URL.Query().Get("token"), g.token) && g.used.CompareAndSwap(false, true) {
		http.SetCookie(w, &http.Cookie{Name: g.cookie(), Value: g.session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		return http.StatusSeeOther, ""
	}
	if cookie, err := r.Cookie(g.cookie()); err != nil || !same(cookie.Value, g.session) {
		return http.StatusForbidden, "This page needs the link that sitesync printed. A link works once; start sitesync ui again for a new one."
	}
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if !same(r.PostFormValue("form"), g.form) {
			return http.StatusForbidden, "The form is of an earlier session. Go back, load the page again and repeat."
		}
	}
	return http.StatusOK, ""
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

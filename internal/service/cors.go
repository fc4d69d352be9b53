package service

import (
	"fmt"
	"net/http"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/rs/cors"
)

// CheckOrigin errs for what is no web origin as browsers send it: scheme, host, and the
// port where it is not the scheme's own.
func CheckOrigin(origin string) error {
	u, err := whatwg.Parse(origin)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" || strings.Contains(origin, "*") { // which the library takes for any text
		return fmt.Errorf("origin %q is none of a web site: write it as https://www.example.com", origin)
	}
	if form := u.Protocol() + "//" + u.Host(); form != origin {
		return fmt.Errorf("origin %q is not what browsers send: write it as %s", origin, form)
	}
	return nil
}

// newCORS lets pages of the listed origins call from browsers, with a SiteKey in the
// header, never with cookies or a login of the browser. Without any there is none,
// since the library takes an empty list for all origins.
func newCORS(origins []string) *cors.Cors {
	if len(origins) == 0 {
		return nil
	}
	return cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodPost},
		AllowedHeaders: []string{"Authorization", "Content-Type"},
		MaxAge:         600,
	})
}

// cross answers a request, of a page of another origin too where the operation takes a
// SiteKey, which is meant for browsers (section 5.2). A preflight has no credentials
// and is answered before they are looked at.
func (s *Service) cross(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodOptions {
		method = r.Header.Get("Access-Control-Request-Method")
	}
	if s.cors != nil {
		if to, known := s.operation(r, method); known && to.takes&takesSiteKey != 0 {
			s.cors.ServeHTTP(w, r, s.mux.ServeHTTP)
			return
		}
	}
	s.mux.ServeHTTP(w, r)
}

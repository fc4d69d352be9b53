package web

import (
	"crypto/sha256"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/rs/cors"
	"golang.org/x/sync/semaphore"
)

// Schemes are the credentials that an endpoint takes, specification section 5.3.
type Schemes uint8

// The schemes of section 5, and no credentials at all.
const (
	Basic Schemes = 1 << iota
	SiteKey
	None
)

// Route is one operation of the service.
type Route struct {
	Pattern string // of http.ServeMux
	Takes   Schemes
	Handle  Handler
	MaxBody int64 // of its body, in bytes; 0: 10 MB
	NotJSON int   // the status for a body that does not say it is JSON; 0: 415
	InTurn  bool  // it is a search, of which few are made at once
}

// Options say who may reach a Server how.
type Options struct {
	CustomerID   int64  // the only customer let in; 0: any
	APIKey       string // of every customer
	Logger       *slog.Logger
	Origins      []string // of pages that may call from browsers where a SiteKey is taken; see CheckOrigin
	Hosts        []string // names that it is reached by off loopback, beside its address; see CheckHost
	LoopbackOnly bool     // refuse to listen elsewhere
	Strict       bool     // take paths in no other case and without a slash at the end, and tell handlers so
	Contract     []byte   // the OpenAPI document
	Bounds       Bounds
}

// Server answers the requests of a service; it is an http.Handler.
type Server struct {
	options    Options
	bounds     Bounds
	key        [32]byte   // hash of the API key, so that comparing takes as long for any length
	cors       *cors.Cors // nil: no other origin
	mux        *http.ServeMux
	operations map[string]Route // by pattern
	paths      [][]string       // of operations, in segments
	pages      atomic.Pointer[http.Handler]

	searches, answers *semaphore.Weighted // shares that callers wait for
}

// ShowPages shows a browser the pages of h beside the interface: at / and wherever nothing
// else is served. h says who may see them.
func (s *Server) ShowPages(h http.Handler) { s.pages.Store(&h) }

// New returns a server without operations.
func New(o Options) *Server {
	b := o.Bounds.OrDefaults()
	s := &Server{
		options: o, bounds: b, key: sha256.Sum256([]byte(o.APIKey)), mux: http.NewServeMux(), operations: map[string]Route{},
		searches: semaphore.NewWeighted(int64(b.Searches)), answers: semaphore.NewWeighted(b.Held),
	}
	if len(o.Origins) > 0 { // the library takes an empty list for all origins
		s.cors = cors.New(cors.Options{ // with a SiteKey in the header, never with cookies or a login of the browser
			AllowedOrigins: o.Origins,
			AllowedMethods: []string{http.MethodGet, http.MethodPost},
			AllowedHeaders: []string{"Authorization", "Content-Type"},
			ExposedHeaders: []string{SummaryID},
			MaxAge:         600,
		})
	}
	s.mux.HandleFunc(ContractPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		s.write(w, Reply{Status: http.StatusOK, Body: o.Contract})
	})
	s.mux.HandleFunc("/", s.other)
	return s
}

// Handle adds operations, before the first request.
func (s *Server) Handle(routes []Route) {
	for _, r := range routes {
		s.mux.HandleFunc(r.Pattern, s.answer(r))
		s.operations[r.Pattern] = r
		_, path, _ := strings.Cut(r.Pattern, " ")
		s.paths = append(s.paths, strings.Split(path, "/"))
	}
}

// ServeHTTP answers one request. A request for a foreign host is answered 421,
// one whose path is not in its shortest form 404 (never a redirect, which would
// invite a client to carry its credentials on).
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.options.Strict {
		r = s.spelled(r)
	}
	escaped := r.URL.EscapedPath()
	switch {
	case !hostAllowed(r, s.options.Hosts):
		s.write(w, Refused(http.StatusMisdirectedRequest, "this host name is not served here").Reply())
	case !shortest(escaped):
		s.write(w, NotFound().Reply())
	case s.cors != nil && s.isForBrowsers(r):
		s.cors.ServeHTTP(w, r, s.mux.ServeHTTP)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

// spelled returns a request whose path is spelled as that of an operation, where the case of
// its segments and a slash at the end are all that keeps it from one.
func (s *Server) spelled(r *http.Request) *http.Request {
	sent := strings.Split(strings.TrimSuffix(r.URL.EscapedPath(), "/"), "/")
	for _, path := range s.paths {
		if !slices.EqualFunc(sent, path, func(a, b string) bool { return strings.EqualFold(a, b) || a != "" && strings.HasPrefix(b, "{") }) {
			continue
		}
		for i, name := range path {
			if !strings.HasPrefix(name, "{") {
				sent[i] = name
			}
		}
		changed := r.Clone(r.Context())
		changed.URL.RawPath = strings.Join(sent, "/")
		changed.URL.Path, _ = url.PathUnescape(changed.URL.RawPath) // it was escaped well
		return changed
	}
	return r
}

// shortest reports whether a path is in its shortest form. That of a folder ends with a slash.
func shortest(escaped string) bool {
	clean := path.Clean(escaped)
	return clean == escaped || clean != "/" && clean+"/" == escaped
}

// isForBrowsers reports whether pages of other origins may call: what takes a SiteKey, which
// is meant for browsers (section 5.2). A preflight has no credentials and is answered
// before they are looked at.
func (s *Server) isForBrowsers(r *http.Request) bool {
	method := r.Method
	if method == http.MethodOptions {
		method = r.Header.Get("Access-Control-Request-Method")
	}
	return s.operation(r, method).Takes&SiteKey != 0
}

// operation returns what a method does at the path of a request; the zero Route for nothing.
func (s *Server) operation(r *http.Request, method string) Route {
	probe := r.WithContext(r.Context())
	probe.Method = method
	_, pattern := s.mux.Handler(probe)
	return s.operations[pattern]
}

// other answers what is no operation: with a page for a browser, with 405 where the path has
// other operations, and else with 404.
func (s *Server) other(w http.ResponseWriter, r *http.Request) {
	at := r.URL.Path
	ours := strings.HasPrefix(at+"/", "/api/") || strings.HasPrefix(at+"/", "/_/")
	named := path.Ext(at) != "" || strings.HasSuffix(at, "/") && at != "/" // styles, scripts and folders are asked for as anything
	browser := named || strings.Contains(r.Header.Get("Accept"), "text/html")
	if pages := s.pages.Load(); pages != nil && browser && !ours {
		(*pages).ServeHTTP(w, r)
		return
	}
	problem := NotFound()
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if s.operation(r, method).Handle != nil {
			w.Header().Add("Allow", method)
			problem = Refused(http.StatusMethodNotAllowed, "this path takes other methods")
		}
	}
	s.write(w, problem.Reply())
}

// ContractPath is where the OpenAPI document is served: to everyone, web pages of any
// origin included, since it says nothing of what is stored.
const ContractPath = "GET /_/openapi.json"

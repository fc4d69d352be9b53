package web

import (
	"cmp"
	"crypto/sha256"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/cors"
	"golang.org/x/sync/semaphore"

	"sitesync/internal/service/openapi"
)

// Schemes is a bit set of the credentials that an endpoint accepts, specification section 5.3.
type Schemes uint8

// The schemes of section 5: Basic with the API key, SiteKey with the public key of an engine (a site search),
// and None without credentials.
const (
	Basic Schemes = 1 << iota
	SiteKey
	None
)

// Route is one operation of the service.
type Route struct {
	Pattern string  // a pattern of http.ServeMux, with a method
	Takes   Schemes // the accepted credentials; 0 means Basic
	Handle  Handler
	MaxBody int64 // maximum size of the request body in bytes; 0: 10 MB
	NotJSON int   // status of the refusal if the request does not declare a JSON body; 0: 415
	InTurn  bool  // true if each call counts against Bounds.Searches
	Extra   bool  // true if the operation is served only with Options.Extended
}

// Options are the settings of the local service.
type Options struct {
	Path       string       // the file of the store; required; created if missing
	CustomerID int64        // the only customer with access; 0: every customer
	APIKey     string       // required; all customers share this key
	Extended   bool         // also serve operations that the specification does not show
	Logger     *slog.Logger // nil: no log

	Now          func() time.Time // nil: time.Now
	Origins      []string         // web origins that may call with a SiteKey; see CheckOrigin
	Hosts        []string         // host names for requests from other machines; see CheckHost
	LoopbackOnly bool             // listen on loopback only, because the API key is publicly known
	Strict       bool             // accept only requests that the specification shows
	Content      bool             // a search returns the field Content even if the request does not list it
	Bounds       Bounds
}

// Server serves the HTTP requests of the local service; it is an http.Handler.
type Server struct {
	options   Options
	key       [32]byte   // SHA-256 of the API key; comparing hashes takes the same time for any length
	cors      *cors.Cors // nil if web pages of other origins may not call
	mux       *http.ServeMux
	byPattern map[string]Route
	paths     [][]string // paths of all operations, split at slashes
	pages     atomic.Pointer[http.Handler]

	searches, answers *semaphore.Weighted // enforce Bounds.Searches and Bounds.Held
}

// ShowPages serves the web pages of h to browsers, at / and at every path without an operation. h must do
// its own authentication.
func (s *Server) ShowPages(h http.Handler) { s.pages.Store(&h) }

// New returns a Server of the operations. A nil Logger and zero fields of Bounds stand for their defaults.
func New(o Options, operations ...Route) *Server {
	o.Logger, o.Bounds = cmp.Or(o.Logger, slog.New(slog.DiscardHandler)), o.Bounds.OrDefaults()
	s := &Server{
		options: o, key: sha256.Sum256([]byte(o.APIKey)), mux: http.NewServeMux(), byPattern: map[string]Route{},
		searches: semaphore.NewWeighted(int64(o.Bounds.Searches)), answers: semaphore.NewWeighted(o.Bounds.Held),
	}
	if len(o.Origins) > 0 { // the CORS library reads an empty list as all origins
		s.cors = cors.New(cors.Options{ // no cookies or browser logins are allowed
			AllowedOrigins: o.Origins,
			AllowedMethods: []string{http.MethodGet, http.MethodPost},
			AllowedHeaders: []string{"Authorization", "Content-Type"},
			ExposedHeaders: []string{SummaryID},
			MaxAge:         600,
		})
	}
	s.mux.HandleFunc(ContractPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		s.writeReply(w, Reply{Status: http.StatusOK, Body: openapi.Document()})
	})
	s.mux.HandleFunc("/", s.other)
	for _, r := range operations {
		r.Takes = cmp.Or(r.Takes, Basic)
		if !r.Extra || o.Extended {
			s.mux.HandleFunc(r.Pattern, s.answer(r))
			s.byPattern[r.Pattern] = r
			_, path, _ := strings.Cut(r.Pattern, " ")
			s.paths = append(s.paths, strings.Split(path, "/"))
		}
	}
	return s
}

// ServeHTTP serves one request. A foreign Host header gets status 421. A path with empty or dot segments gets
// 404 and no redirect. After a redirect, the client would send its credentials again.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.options.Strict {
		r = s.spelled(r)
	}
	escaped := r.URL.EscapedPath()
	switch {
	case !hostAllowed(r, s.options.Hosts):
		s.writeReply(w, Refused(http.StatusMisdirectedRequest, "this host name is not served here").Reply())
	case !shortest(escaped):
		s.writeReply(w, NotFound().Reply())
	case s.cors != nil && s.isForBrowsers(r):
		s.cors.ServeHTTP(w, r, s.mux.ServeHTTP)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

// spelled corrects the spelling of a request's path if only the case of segments or a slash at the end
// differs from an operation's path. Otherwise it returns r.
func (s *Server) spelled(r *http.Request) *http.Request {
	sent := strings.Split(strings.TrimSuffix(r.URL.EscapedPath(), "/"), "/")
	for _, path := range s.paths {
		fits := func(a, b string) bool { return strings.EqualFold(a, b) || a != "" && strings.HasPrefix(b, "{") }
		if !slices.EqualFunc(sent, path, fits) {
			continue
		}
		for i, name := range path {
			if !strings.HasPrefix(name, "{") {
				sent[i] = name
			}
		}
		changed := r.Clone(r.Context())
		changed.URL.RawPath = strings.Join(sent, "/")
		changed.URL.Path, _ = url.PathUnescape(changed.URL.RawPath)
		return changed
	}
	return r
}

// shortest reports whether a path has no empty or dot segments. One slash at the end is allowed.
func shortest(escaped string) bool {
	clean := path.Clean(escaped)
	return clean == escaped || clean != "/" && clean+"/" == escaped
}

// isForBrowsers reports whether web pages of other origins may call the operation: it must accept a SiteKey
// (section 5.2). A CORS preflight has no credentials, so it is handled before authentication.
func (s *Server) isForBrowsers(r *http.Request) bool {
	method := r.Method
	if method == http.MethodOptions {
		method = r.Header.Get("Access-Control-Request-Method")
	}
	return s.operation(r, method).Takes&SiteKey != 0
}

// operation returns the Route for a method and the request's path, or the zero Route if no operation matches.
func (s *Server) operation(r *http.Request, method string) Route {
	probe := r.WithContext(r.Context())
	probe.Method = method
	_, pattern := s.mux.Handler(probe)
	return s.byPattern[pattern]
}

// other serves requests for which there is no operation. Browsers get web pages (see ShowPages), except below
// /api/ and /_/. Any other response is 405 if the path has operations for other methods, else 404.
func (s *Server) other(w http.ResponseWriter, r *http.Request) {
	at := r.URL.Path
	ours := strings.HasPrefix(at+"/", "/api/") || strings.HasPrefix(at+"/", "/_/")
	// A request for a style, a script or a folder counts as a browser's, whatever its Accept header.
	named := path.Ext(at) != "" || strings.HasSuffix(at, "/") && at != "/"
	browser := named || strings.Contains(r.Header.Get("Accept"), "text/html")
	if pages := s.pages.Load(); pages != nil && browser && !ours {
		(*pages).ServeHTTP(w, r)
		return
	}
	problem := NotFound()
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		if s.operation(r, method).Handle != nil {
			w.Header().Add("Allow", method)
			problem = Refused(http.StatusMethodNotAllowed, "this path takes other methods")
		}
	}
	s.writeReply(w, problem.Reply())
}

// ContractPath is the pattern that serves the OpenAPI document. The document needs no credentials, and web
// pages of any origin may read it, since it reveals no stored data.
const ContractPath = "GET /_/openapi.json"

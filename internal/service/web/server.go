package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rs/cors"

	"sitesync/internal/service/fault"
	"sitesync/internal/wire"
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
	Pattern  string // of http.ServeMux
	Endpoint fault.Endpoint
	Takes    Schemes
	Handle   Handler
	MaxBody  int64 // of its body, in bytes; 0: as the switches say
}

// Options say who may reach a Server how.
type Options struct {
	CustomerID   int64  // the only customer let in; 0: any
	APIKey       string // of every customer
	Logger       *slog.Logger
	Panel        *fault.Panel
	Origins      []string // of pages that may call from browsers where a SiteKey is taken; see CheckOrigin
	Hosts        []string // names that it is reached by off loopback, beside its address; see CheckHost
	LoopbackOnly bool     // refuse to listen elsewhere
	Contract     []byte   // the OpenAPI document
}

// Server answers the requests of a service; it is an http.Handler.
type Server struct {
	options    Options
	key        [32]byte   // hash of the API key, so that comparing takes as long for any length
	cors       *cors.Cors // nil: no other origin
	mux        *http.ServeMux
	operations map[string]Route // by pattern
}

// New returns a server without operations. It errs when an origin or a host makes no sense.
func New(o Options) (*Server, error) {
	var wrong []error
	for _, origin := range o.Origins {
		wrong = append(wrong, CheckOrigin(origin))
	}
	for _, host := range o.Hosts {
		wrong = append(wrong, CheckHost(host))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	s := &Server{options: o, key: sha256.Sum256([]byte(o.APIKey)), mux: http.NewServeMux(), operations: map[string]Route{}}
	if len(o.Origins) > 0 { // the library takes an empty list for all origins
		s.cors = cors.New(cors.Options{ // with a SiteKey in the header, never with cookies or a login of the browser
			AllowedOrigins: o.Origins,
			AllowedMethods: []string{http.MethodGet, http.MethodPost},
			AllowedHeaders: []string{"Authorization", "Content-Type"},
			MaxAge:         600,
		})
	}
	for _, rest := range []string{"/api/", "/api", "/_/", "/_"} { // the mux would redirect those without a slash
		s.mux.HandleFunc(rest, s.other)
	}
	s.mux.HandleFunc("GET /_/{$}", s.showIndex)
	s.mux.HandleFunc(ContractPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		Reply{Status: http.StatusOK, Body: o.Contract}.write(w)
	})
	s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { NotFound().Reply().write(w) })
	return s, nil
}

// Handle adds operations, before the first request.
func (s *Server) Handle(routes []Route) {
	for _, r := range routes {
		s.mux.HandleFunc(r.Pattern, s.answer(r))
		s.operations[r.Pattern] = r
	}
}

// ServeHTTP answers one request. A request for a foreign host is answered 421,
// one whose path is not in its shortest form 404 (never a redirect, which would
// invite a client to carry its credentials on).
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	escaped := r.URL.EscapedPath()
	switch {
	case !hostAllowed(r, s.options.Hosts):
		Problem{Status: http.StatusMisdirectedRequest, Message: "this host name is not served here"}.Reply().write(w)
	case path.Clean(escaped) != escaped && escaped != "/_/":
		NotFound().Reply().write(w)
	case s.cors != nil && s.isForBrowsers(r):
		s.cors.ServeHTTP(w, r, s.mux.ServeHTTP)
	default:
		s.mux.ServeHTTP(w, r)
	}
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

// other answers what is no operation: 405 where the path has others, by the schemes
// that those take, and else 404 to whoever has credentials, who can try them so.
func (s *Server) other(w http.ResponseWriter, r *http.Request) {
	to := Route{Endpoint: fault.EndpointOther, Handle: func(*Call) (Reply, error) { return Reply{}, NotFound() }}
	var allow []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if known := s.operation(r, method); known.Handle != nil {
			allow = append(allow, method)
			to.Takes |= known.Takes
		}
	}
	if allow == nil {
		to.Takes = Basic | SiteKey
	} else {
		to.Handle = func(*Call) (Reply, error) {
			answer := Problem{Status: http.StatusMethodNotAllowed, Message: "this path takes " + strings.Join(allow, ", ")}.Reply()
			answer.allow = allow
			return answer, nil
		}
	}
	s.answer(to)(w, r)
}

// ContractPath is where the OpenAPI document is served: to everyone, web pages of any
// origin included, since it says nothing of what is stored.
const ContractPath = "GET /_/openapi.json"

// showIndex is GET /_/, which needs no credentials: what there is beside the specified
// interface.
func (s *Server) showIndex(w http.ResponseWriter, _ *http.Request) {
	own := []string{ContractPath}
	for pattern, to := range s.operations {
		if to.Endpoint == fault.EndpointOwn {
			own = append(own, pattern)
		}
	}
	slices.Sort(own)
	answer, _ := JSON(http.StatusOK, map[string][]string{"own": own}) // strings always encode
	answer.write(w)
}

// Reply is a whole answer before it is written, so that a switch can still
// change it.
type Reply struct {
	Status     int
	Body       []byte
	retryAfter string
	allow      []string // the methods that a 405 names
	takes      Schemes  // that a 401 names
	drop       bool     // no answer: the connection ends
}

// JSON returns the answer with v as its JSON body.
func JSON(status int, v any) (Reply, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return Reply{}, fmt.Errorf("encode the answer: %w", err)
	}
	return Reply{Status: status, Body: body.Bytes()}, nil
}

// OK returns the answer 200 with v, or the error that came with it.
func OK(v any, err error) (Reply, error) {
	if err != nil {
		return Reply{}, err
	}
	return JSON(http.StatusOK, v)
}

// write sends the answer; a dropped one ends the connection without a byte.
func (r Reply) write(w http.ResponseWriter) {
	if r.drop {
		panic(http.ErrAbortHandler)
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(r.Body)))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	if r.retryAfter != "" {
		header.Set("Retry-After", r.retryAfter)
	}
	if r.allow != nil {
		header.Set("Allow", strings.Join(r.allow, ", "))
	}
	if r.Status == http.StatusUnauthorized {
		if r.takes&SiteKey != 0 { // as RFC 9110, section 11.6.1, has it
			header.Add("WWW-Authenticate", `SiteKey realm="Site Search Service"`)
		}
		if r.takes&Basic != 0 {
			header.Add("WWW-Authenticate", `Basic realm="Site Search Service", charset="UTF-8"`)
		}
	}
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body) // a client that is gone has nothing to be told
}

// Problem is a request that is refused with {message}, or with field errors, specification
// section 7.
type Problem struct {
	Status  int
	Message string
	Fields  wire.FieldErrors // answered in place of the message
}

// Error returns the message.
func (p Problem) Error() string { return p.Message }

// Reply returns the answer that says so.
func (p Problem) Reply() Reply {
	var body any = wire.Message{Message: p.Message}
	if p.Fields != nil {
		body = p.Fields
	}
	answer, _ := JSON(p.Status, body) // strings always encode
	return answer
}

// BadRequest returns the Problem of an invalid request.
func BadRequest(format string, args ...any) Problem {
	return Problem{Status: http.StatusBadRequest, Message: fmt.Sprintf(format, args...)}
}

// TooLarge returns the Problem of a body or an array beyond the limits.
func TooLarge(format string, args ...any) Problem {
	return Problem{Status: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf(format, args...)}
}

// NotFound returns the Problem of a path where nothing is served.
func NotFound() Problem {
	return Problem{Status: http.StatusNotFound, Message: "nothing is served at this path"}
}

// serverError returns the answer to an unexpected error, section 7; reference is
// what the log names as well.
func serverError(reference string) Reply {
	answer, _ := JSON(http.StatusInternalServerError, wire.ServerError{
		Status:   "InternalServerError",
		Code:     http.StatusInternalServerError,
		Messages: []string{"The request could not be processed. Support reference ID: " + reference},
	})
	return answer
}

// shapeOf returns the body that section 7 gives for a bare status.
func shapeOf(status int) Reply {
	p := Problem{Status: status, Message: strings.ToLower(http.StatusText(status))}
	switch status {
	case http.StatusInternalServerError:
		return serverError("switched-on")
	case http.StatusUnauthorized, http.StatusForbidden:
		p.Message = wire.Unauthorized
	}
	return p.Reply()
}

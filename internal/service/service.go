package service

import (
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"time"
)

// Options say what Open opens.
type Options struct {
	Path       string           // the store's file; required, made when missing
	CustomerID int64            // the only customer let in; 0: any
	APIKey     string           // the key of every customer; required
	Hosts      []string         // Host headers accepted besides loopback names, such as "search.example:8080"
	Switches   Switches         // the zero value is the service as documented
	Now        func() time.Time // default time.Now
	Logger     *slog.Logger     // default: nothing is logged
}

// Service is an open local service; it is an http.Handler. Close it after the
// last request.
type Service struct {
	store    *store
	access   access
	hosts    []string
	log      *slog.Logger
	calls    *callLog
	switches *switchboard
	mux      *http.ServeMux
}

// Open opens the service on the file that options name. It errs when the path
// or the key is missing, when a switch makes no sense, when another process
// holds the file, and when the file is not a store of this version.
func Open(options Options) (*Service, error) {
	if options.Path == "" {
		return nil, errors.New("open the local service: no path for its store is given")
	}
	if options.APIKey == "" {
		return nil, errors.New("open the local service: no API key is given")
	}
	board, err := newSwitchboard(options.Switches)
	if err != nil {
		return nil, err
	}
	store, err := openStore(options.Path)
	if err != nil {
		return nil, err
	}
	s := &Service{
		store:    store,
		access:   access{customer: options.CustomerID, key: sha256.Sum256([]byte(options.APIKey))},
		hosts:    options.Hosts,
		log:      options.Logger,
		calls:    &callLog{now: options.Now},
		switches: board,
		mux:      http.NewServeMux(),
	}
	s.defaults()
	s.routes()
	return s, nil
}

func (s *Service) defaults() {
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.calls.now == nil {
		s.calls.now = time.Now
	}
}

// Close closes the store's file, after the transactions that still run.
func (s *Service) Close() error { return s.store.close() }

// routes registers every resource; each has its own file.
func (s *Service) routes() {
	s.documentRoutes()
	s.bulkDeleteRoutes()
	s.pathRoutes()
	s.ownRoutes()
	s.mux.HandleFunc("/api/", s.answer(EndpointOther, unknownPath))
	s.mux.HandleFunc("/api", s.answer(EndpointOther, unknownPath)) // which the mux would redirect
	s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { notFound().write(w) })
}

// unknownPath answers 404 to whoever has credentials, and so lets a client try
// them with a read.
func unknownPath(*call) (apply, error) {
	return func() (reply, error) { return notFound(), nil }, nil
}

// ServeHTTP answers one request. A request for a foreign host is answered 421,
// one whose path is not in its shortest form 404 (never a redirect, which would
// invite a client to carry its credentials on).
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !hostAllowed(r, s.hosts) {
		problem{http.StatusMisdirectedRequest, "this host name is not served here"}.reply().write(w)
		return
	}
	if escaped := r.URL.EscapedPath(); path.Clean(escaped) != escaped {
		notFound().write(w)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// methods are the handlers of one path by HTTP method.
type methods map[string]http.HandlerFunc

// route registers a path; a method that it does not have is answered 405.
func (s *Service) route(pattern string, have methods) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if handle, ok := have[r.Method]; ok {
			handle(w, r)
			return
		}
		w.Header()["Allow"] = allowed(have)
		problem{http.StatusMethodNotAllowed, "this path does not take " + r.Method}.reply().write(w)
	})
}

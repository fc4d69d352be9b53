package service

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"path"
	"sync"
	"time"

	"github.com/rs/cors"
	bolt "go.etcd.io/bbolt"
)

// Endpoint names one of the service's operations in switches and counts.
type Endpoint string

// The endpoints of specification sections 4.1 to 4.5; those of search tools count
// together, a kind each. EndpointOther is any other path below /api/.
const (
	EndpointPut             Endpoint = "put"
	EndpointPatch           Endpoint = "patch"
	EndpointDelete          Endpoint = "delete"
	EndpointBulkDelete      Endpoint = "bulk-delete"
	EndpointPaths           Endpoint = "paths"
	EndpointRankings        Endpoint = "rankings"
	EndpointQuicklinks      Endpoint = "quicklinks"
	EndpointBanners         Endpoint = "banners"
	EndpointSynonyms        Endpoint = "synonyms"
	EndpointQueryLog        Endpoint = "querylog"
	EndpointClickLog        Endpoint = "clicklog"
	EndpointFeedback        Endpoint = "feedback"
	EndpointSummaryFeedback Endpoint = "summary-feedback"
	EndpointAnswerFeedback  Endpoint = "answer-feedback"
	EndpointAnswerClick     Endpoint = "answer-click"
	EndpointSearch          Endpoint = "search"
	EndpointAutocomplete    Endpoint = "autocomplete"
	EndpointAnswer          Endpoint = "answer"
	EndpointSummarize       Endpoint = "summarize"
	EndpointOther           Endpoint = "other"
	endpointOwn             Endpoint = "own" // below /_/: neither counted nor struck by faults
)

func endpoints() []Endpoint {
	return []Endpoint{
		EndpointPut, EndpointPatch, EndpointDelete, EndpointBulkDelete, EndpointPaths,
		EndpointRankings, EndpointQuicklinks, EndpointBanners, EndpointSynonyms,
		EndpointQueryLog, EndpointClickLog, EndpointFeedback, EndpointSummaryFeedback, EndpointAnswerFeedback, EndpointAnswerClick,
		EndpointSearch, EndpointAutocomplete, EndpointAnswer, EndpointSummarize, EndpointOther,
	}
}

// Options say what Open opens.
type Options struct {
	Path       string       // the store's file; required, made when missing
	CustomerID int64        // the only customer let in; 0: any
	APIKey     string       // the key of every customer; required
	Switches   Switches     // the zero value is the service as documented
	Extended   bool         // serve the operations that the specification does not show, too
	Logger     *slog.Logger // default: nothing is logged

	Now          func() time.Time   // default: time.Now
	Feeds        map[int64][]string // the crawlers that feed an engine; default: all of its customer
	Origins      []string           // of pages that may call from browsers where a SiteKey is taken; see CheckOrigin
	Hosts        []string           // names that it is reached by off loopback, beside its address; see CheckHost
	LoopbackOnly bool               // refuse to listen elsewhere, as the key is well known
	Search       bool               // keep the search index in step from the start, not from the first search on
}

// SoftMemory is a limit for the collector (see debug.SetMemoryLimit), in bytes, under which
// documents are indexed at full speed.
const SoftMemory = 380 << 20

// Service is an open local service; it is an http.Handler. Close it after the
// last request.
type Service struct {
	db       *bolt.DB
	secret   []byte // that IDs are signed with
	extended bool
	customer int64    // 0: any
	key      [32]byte // hash of the API key, so that comparing takes as long for any length
	log      *slog.Logger
	mux      *http.ServeMux

	now          func() time.Time
	feeds        map[int64][]string
	cors         *cors.Cors // nil: no other origin
	hosts        []string
	loopbackOnly bool
	operations   map[string]route // by pattern
	finds        *finder

	mu       sync.Mutex // guards what follows
	switches Switches   // with what is left of their faults
	exposed  bool       // it was reached from other machines
	calls    map[Endpoint]int
}

// Open opens the service on the file that options name. It errs when the path
// or the key is missing, when a switch, an origin or a host makes no sense, when another process
// holds the file, and when the file is not a store of this version.
func Open(options Options) (*Service, error) {
	if options.Path == "" || options.APIKey == "" {
		return nil, errors.New("open the local service: the path for its store or the API key is missing")
	}
	s := &Service{
		customer: options.CustomerID,
		extended: options.Extended,
		key:      sha256.Sum256([]byte(options.APIKey)),
		log:      cmp.Or(options.Logger, slog.New(slog.DiscardHandler)),
		mux:      http.NewServeMux(),
		now:      options.Now,
		feeds:    options.Feeds,
		calls:    map[Endpoint]int{},

		operations: map[string]route{},
	}
	if s.now == nil {
		s.now = time.Now
	}
	err := errors.Join(s.SetSwitches(options.Switches), s.setAccess(options))
	if err == nil {
		s.db, s.secret, err = openStore(options.Path)
	}
	if err != nil {
		return nil, err
	}
	s.finds = newFinder(s, options.Path, options.Search)
	if options.Search {
		err = s.finds.openAll()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.routes()
	s.mux.HandleFunc(contractPath, showContract)
	return s, nil
}

// Close closes the store's file, after the transactions that still run.
func (s *Service) Close() error {
	if err := errors.Join(s.finds.close(), s.db.Close()); err != nil {
		return fmt.Errorf("close the local service's store: %w", err)
	}
	return nil
}

// Calls returns how many calls came to each endpoint, refused ones included,
// since Open or ResetCalls.
func (s *Service) Calls() map[Endpoint]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.calls)
}

// ResetCalls forgets the counts.
func (s *Service) ResetCalls() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = map[Endpoint]int{}
}

// ServeHTTP answers one request. A request for a foreign host is answered 421,
// one whose path is not in its shortest form 404 (never a redirect, which would
// invite a client to carry its credentials on).
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	escaped := r.URL.EscapedPath()
	switch {
	case !hostAllowed(r, s.hosts):
		problem{http.StatusMisdirectedRequest, "this host name is not served here"}.reply().write(w)
	case path.Clean(escaped) != escaped && escaped != "/_/":
		notFound().write(w)
	default:
		s.cross(w, r)
	}
}

package service

import (
	"cmp"
	"errors"
	"iter"
	"log/slog"
	"slices"
	"time"

	"sitesync/internal/service/events"
	"sitesync/internal/service/fault"
	"sitesync/internal/service/openapi"
	"sitesync/internal/service/query"
	"sitesync/internal/service/store"
	"sitesync/internal/service/tools"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// What callers name of the rooms below.
type (
	Switches = fault.Switches
	Refusal  = fault.Refusal
	Fault    = fault.Fault
	Point    = fault.Point
	Endpoint = fault.Endpoint
	Event    = events.Event
	Queue    = store.Queue
	Running  = web.Running
)

// The points of a call that a Fault strikes, and the endpoints that callers count.
const (
	Before  = fault.Before
	Between = fault.Between
	After   = fault.After

	EndpointPut        = fault.EndpointPut
	EndpointPatch      = fault.EndpointPatch
	EndpointDelete     = fault.EndpointDelete
	EndpointBulkDelete = fault.EndpointBulkDelete
	EndpointPaths      = fault.EndpointPaths
	EndpointRankings   = fault.EndpointRankings
	EndpointBanners    = fault.EndpointBanners
	EndpointQueryLog   = fault.EndpointQueryLog
	EndpointOther      = fault.EndpointOther
)

// ErrLoopbackOnly is why an address off loopback is not listened at.
var ErrLoopbackOnly = web.ErrLoopbackOnly

// CheckOrigin errs for what is no web origin as browsers send it.
func CheckOrigin(origin string) error { return web.CheckOrigin(origin) }

// CheckHost errs for what is no host name or address as Options.Hosts takes it.
func CheckHost(host string) error { return web.CheckHost(host) }

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
	*web.Server  // answers and listens
	*fault.Panel // holds the switches and counts calls

	store  *store.Store
	tools  *tools.Tools
	events *events.Recorder
	query  *query.Finder
}

// Open opens the service on the file that options name. It errs when the path
// or the key is missing, when a switch, an origin or a host makes no sense, when another process
// holds the file, and when the file is not a store of this version.
func Open(o Options) (*Service, error) {
	if o.Path == "" || o.APIKey == "" {
		return nil, errors.New("open the local service: the path for its store or the API key is missing")
	}
	log := cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	panel := &fault.Panel{}
	if err := panel.SetSwitches(o.Switches); err != nil {
		return nil, err
	}
	server, err := web.New(web.Options{
		CustomerID: o.CustomerID, APIKey: o.APIKey, Logger: log, Panel: panel,
		Origins: o.Origins, Hosts: o.Hosts, LoopbackOnly: o.LoopbackOnly, Contract: openapi.Document(),
	})
	if err != nil {
		return nil, err
	}
	opened, err := store.Open(store.Options{Path: o.Path, Search: o.Search, Panel: panel, Logger: log, Now: o.Now})
	if err != nil {
		return nil, err
	}
	signer := web.Signer(opened.Secret)
	s := &Service{Server: server, Panel: panel, store: opened, tools: tools.New(opened, o.Extended), events: events.New(opened, signer, o.Now)}
	s.query = &query.Finder{Store: opened, Tools: s.tools, Signer: signer, Feeds: o.Feeds, Now: o.Now}
	server.Handle(s.routes())
	return s, nil
}

func (s *Service) routes() []web.Route {
	return slices.Concat(s.store.Routes(), s.tools.Routes(), s.events.Routes(), s.query.Routes())
}

// Close closes the store's file, after the transactions that still run.
func (s *Service) Close() error { return s.store.Close() }

// Documents returns what one crawler of a customer holds, in order of ID bytes, as
// it stands when the ranging begins: all of it is held in memory. After an error
// it ends.
func (s *Service) Documents(customer int64, crawler string) iter.Seq2[wire.Document, error] {
	return s.store.Documents(customer, crawler)
}

// Queue returns the queue of one crawler of a customer; an unknown crawler's is
// empty.
func (s *Service) Queue(customer int64, crawler string) (Queue, error) {
	return s.store.Queue(customer, crawler)
}

// SetActive makes a crawler active, which takes the URLs that wait, or inactive
// as it is at first (specification section 3).
func (s *Service) SetActive(customer int64, crawler string, active bool) error {
	return s.store.SetActive(customer, crawler, active)
}

// Events returns the recorded events of an engine, the oldest first; kind is one of
// wire's, or empty for all of them.
func (s *Service) Events(customer, engine int64, kind string) ([]Event, error) {
	return s.events.Events(customer, engine, kind)
}

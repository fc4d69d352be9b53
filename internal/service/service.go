package service

import (
	"cmp"
	"errors"
	"log/slog"
	"slices"
	"time"

	"sitesync/internal/service/events"
	"sitesync/internal/service/openapi"
	"sitesync/internal/service/query"
	"sitesync/internal/service/statistics"
	"sitesync/internal/service/store"
	"sitesync/internal/service/tools"
	"sitesync/internal/service/web"
)

// Types of subpackages that callers of this package need.
type (
	Running = web.Running
	Bounds  = web.Bounds
	Change  = store.Change
	Request = query.Request
	Answer  = query.Answer
	Found   = query.TypedDocument
)

// ErrLoopbackOnly is returned when Options.LoopbackOnly is set and the address is not a loopback address.
var ErrLoopbackOnly = web.ErrLoopbackOnly

// ErrHeld is returned when another process has the store's file open.
var ErrHeld = store.ErrHeld

// CheckOrigin returns an error if origin is not a web origin in the form that browsers send.
func CheckOrigin(origin string) error { return web.CheckOrigin(origin) }

// CheckHost returns an error if host is not a host name or address in the form that Options.Hosts requires.
func CheckHost(host string) error { return web.CheckHost(host) }

// Options are the settings of Open.
type Options struct {
	Path       string       // the file of the store; required; created if missing
	CustomerID int64        // the only customer with access; 0: every customer
	APIKey     string       // required; all customers share this key
	Extended   bool         // also serve operations that the specification does not show
	Logger     *slog.Logger // nil: no log

	Now          func() time.Time // nil: time.Now
	Origins      []string         // web origins that may call with a SiteKey; see CheckOrigin
	Hosts        []string         // host names for requests from other machines; see CheckHost
	LoopbackOnly bool             // listen on loopback only, since the key is publicly known
	Strict       bool             // accept only requests that the specification shows
	Content      bool             // a search returns the field Content even if the request does not list it
	Bounds       Bounds           // limits for all callers together
}

// SoftMemory is a limit in bytes for debug.SetMemoryLimit that allows indexing at full speed.
const SoftMemory = 240 << 20

// Service is an open local service and an http.Handler. Call Close after the last request.
type Service struct {
	*web.Server      // serves HTTP
	*store.Store     // stores documents and queues
	*events.Recorder // stores events

	*query.Finder // searches; also callable in this process, without HTTP
	*tools.Tools
	now func() time.Time
}

// Open opens the service on the file Options.Path. It returns an error if the path or the API key is empty,
// if another process has the file open, or if the file is not a store of this version. Open doesn't check
// Origins and Hosts.
func Open(o Options) (*Service, error) {
	if o.Path == "" || o.APIKey == "" {
		return nil, errors.New("open the local service: the path for its store or the API key is missing")
	}
	log := cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Service{now: o.Now}
	s.Server = web.New(web.Options{
		CustomerID: o.CustomerID, APIKey: o.APIKey, Logger: log,
		Origins: o.Origins, Hosts: o.Hosts, LoopbackOnly: o.LoopbackOnly, Strict: o.Strict, Contract: openapi.Document(),
		Bounds: o.Bounds,
	})
	var err error
	s.Store, err = store.Open(o.Path)
	if err != nil {
		return nil, err
	}
	signer := web.Signer(s.Secret)
	s.Recorder = events.New(s.Store, signer, o.Now, o.Bounds.OrDefaults())
	s.Tools = &tools.Tools{Store: s.Store, Extended: o.Extended}
	s.Finder = &query.Finder{Store: s.Store, Tools: s.Tools, Signer: signer, Content: o.Content, Now: o.Now}
	s.Handle(s.routes())
	return s, nil
}

func (s *Service) routes() []web.Route {
	numbers := statistics.Calls{Events: s.Recorded, Now: s.now}
	return slices.Concat(s.Store.Routes(), s.Tools.Routes(), s.Recorder.Routes(), s.Finder.Routes(), numbers.Routes())
}

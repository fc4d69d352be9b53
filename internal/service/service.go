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

// What callers name of the rooms below.
type (
	Running = web.Running
	Bounds  = web.Bounds
	Change  = store.Change
	Request = query.Request
	Answer  = query.Answer
	Found   = query.TypedDocument
)

// ErrLoopbackOnly is why an address off loopback is not listened at.
var ErrLoopbackOnly = web.ErrLoopbackOnly

// ErrHeld is why a store that another process has is not opened.
var ErrHeld = store.ErrHeld

// CheckOrigin errs for what is no web origin as browsers send it.
func CheckOrigin(origin string) error { return web.CheckOrigin(origin) }

// CheckHost errs for what is no host name or address as Options.Hosts takes it.
func CheckHost(host string) error { return web.CheckHost(host) }

// Options say what Open opens.
type Options struct {
	Path       string       // the store's file; required, made when missing
	CustomerID int64        // the only customer let in; 0: any
	APIKey     string       // the key of every customer; required
	Extended   bool         // serve the operations that the specification does not show, too
	Logger     *slog.Logger // default: nothing is logged

	Now          func() time.Time // default: time.Now
	Origins      []string         // of pages that may call from browsers where a SiteKey is taken; see CheckOrigin
	Hosts        []string         // names that it is reached by off loopback, beside its address; see CheckHost
	LoopbackOnly bool             // refuse to listen elsewhere, as the key is well known
	Strict       bool             // take what the specification shows alone, not all that public clients send
	Content      bool             // a search answers Content also where its fields do not name it
	Bounds       Bounds           // of what callers can take together
}

// SoftMemory is a limit for the collector (see debug.SetMemoryLimit), in bytes, under which
// documents are indexed at full speed.
const SoftMemory = 240 << 20

// Service is an open local service; it is an http.Handler. Close it after the
// last request.
type Service struct {
	*web.Server      // answers and listens
	*store.Store     // has documents and queues
	*events.Recorder // has events

	*query.Finder // searches, also for the process that has it
	*tools.Tools
	now func() time.Time
}

// Open opens the service on the file that options name. It errs when the path
// or the key is missing, when another process holds the file, and when the file is not a store
// of this version. Origins and hosts are not checked.
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

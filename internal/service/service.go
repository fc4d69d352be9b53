package service

import (
	"errors"
	"slices"
	"time"

	"sitesync/internal/service/events"
	"sitesync/internal/service/query"
	"sitesync/internal/service/statistics"
	"sitesync/internal/service/store"
	"sitesync/internal/service/tools"
	"sitesync/internal/service/web"
)

// Aliases for types of subpackages that callers of this package need.
type (
	Options = web.Options
	Running = web.Running
	Bounds  = web.Bounds
	Change  = store.Change
	Request = query.Request
	Answer  = query.Answer
	Found   = query.TypedDocument
)

// Errors of subpackages, for callers that test an error with errors.Is.
var (
	ErrLoopbackOnly = web.ErrLoopbackOnly
	ErrHeld         = store.ErrHeld
)

// SoftMemory is a limit in bytes for debug.SetMemoryLimit that allows indexing at full speed.
const SoftMemory = 240 << 20

// Service is an open local service and an http.Handler. Call Close after the last request.
type Service struct {
	*web.Server
	*store.Store
	*events.Recorder
	*query.Finder
	*tools.Tools
}

// Open opens the service on the file o.Path. It errs if o.Path or o.APIKey is empty, if another process has
// the file open, or if the file is damaged, of another program or of another version. It does not check
// o.Origins and o.Hosts.
func Open(o Options) (*Service, error) {
	if o.Path == "" || o.APIKey == "" {
		return nil, errors.New("open the local service: the path for its store or the API key is missing")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	in, err := store.Open(o.Path)
	if err != nil {
		return nil, err
	}
	signer := web.Signer(in.Secret)
	s := &Service{Store: in, Recorder: events.New(in, signer, o), Tools: &tools.Tools{Store: in}}
	s.Finder = &query.Finder{Store: in, Tools: s.Tools, Signer: signer, Content: o.Content, Now: o.Now}
	s.Server = web.New(o, s.routes(o.Now)...)
	return s, nil
}

func (s *Service) routes(now func() time.Time) []web.Route {
	return slices.Concat(
		s.Store.Routes(), s.Tools.Routes(), s.Recorder.Routes(), s.Finder.Routes(), statistics.Routes(s.Store, now),
	)
}

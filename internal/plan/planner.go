package plan

import (
	"context"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/work"
)

// Past and Sink are crawl's interfaces, as this package fills them.
type (
	// Past answers what earlier runs know.
	Past interface {
		Known(visit func(url string, known document.Known) error) error
		Lookup(url string) (document.Known, error)
		Host(origin string) (document.HostMemory, error)
	}
	// Sink takes the pages of a crawl.
	Sink interface {
		Page(ctx context.Context, p *document.Page) error
	}
)

// Ledger is what planning reads of a ledger.
type Ledger interface {
	Get(id string) (*document.Record, error)
	Brief(id string) (*document.Record, error) // without Fields
	Text(id string) (document.Document, bool, error)
	Records(visit func(id string, decode func(brief bool) (*document.Record, error)) error) error
	Host(origin string) (document.HostMemory, error)
	Profile() (document.Profile, error)
	Approved(c *document.Change) (bool, error)
}

// Writer takes the lines of a plan.
type Writer interface {
	Change(document.Change) error
	Observe(document.Observation) error
	Failure(document.Failure) error
	Move(document.Move) error
	Warning(document.Warning) error
}

// Stages are the steps of a run that live in other rooms.
type Stages struct {
	Crawl   func(ctx context.Context, past Past, sink Sink) (document.Survey, error)
	Read    func(p *document.Page) (document.Draft, error)
	Finish  func(d document.Draft, id string, profile document.Profile) document.Document
	Sum     func(p *document.Page, d document.Draft) document.Hash
	Rules   func(url string, profile document.Profile) uint64
	Held    func(d document.Draft, url string, profile document.Profile) (held []byte, whole bool) // what of the profile it holds; whole: nothing is to be learned from it
	Learner func(profile document.Profile) Learner                                                 // nil: the profile stays as it is
	Diff    func(t document.Type, fields map[string]document.Hash, rec *document.Record) document.Delta
	Expired func(url, date string) (rule, why string) // the retention rule that covers a date, as it is written, and what it says today; empty: none
}

// Options say how a plan is made.
type Options struct {
	Run          string
	Start        time.Time
	Policy       judge.Policy
	Limits       judge.Limits
	Recheck      time.Duration // a page is read for real at least this often; half of it to all of it
	RecheckFiles time.Duration
	AllowDeletes bool     // release every brake but the host's for this run
	AcceptScope  bool     // release deletes whose cause is the configured scope
	Origins      []string // that the ledger is pinned to; nil: it never pushed
	FileOrigins  []string // of which only files belong to the site; never pinned
	Retention    []string // the rules that had an effect before
	Bulk         bool     // what is due may go by one bulk delete
	Only         bool     // a part of the site: no orphans
	Links        bool     // the crawl follows links
	Full         bool     // read every page, whatever its hints say
	Queue        bool     // only tell the hosted crawler which URLs changed
	Doubt        string   // why every document is in doubt; empty: none is for that

	RulesBefore  document.Rules // when a run was last complete; nil: not known
	RulesNow     document.Rules
	HealthBefore map[string]document.HealthGroup // what the run's figures are compared with, see HealthBefore
	Lines        map[string]string               // FILE:LINE of keys of the configuration, and of retention rules
}

// Planner makes the plan of one run.
type Planner struct {
	Options
	stages Stages
	ledger Ledger
	work   *work.Folder

	past      *past
	profile   document.Profile // of the ledger; what is learned is added after the crawl
	learned   document.Profile // in this run
	documents int
	ofType    map[document.Type]int // of those
	survey    document.Survey
	capped    capped
	hosts     map[string]document.Host
	memories  map[string]document.HostMemory
	copies    *copies // of contents, on hosts that are not ok; nil while all are
}

// NewPlanner returns a planner that works in the given folder.
func NewPlanner(o Options, stages Stages, ledger Ledger, folder *work.Folder) *Planner {
	if o.Doubt != "" {
		ledger = doubting{ledger, o.Doubt}
	}
	p := &Planner{
		Options: o, stages: stages, ledger: ledger, work: folder,
		hosts: map[string]document.Host{}, memories: map[string]document.HostMemory{},
	}
	p.Policy.Run, p.Policy.Start, p.Policy.RecheckDue = o.Run, o.Start.Unix(), p.recheckDue
	return p
}

// Plan crawls the site and writes what is due into out. It returns the trailer of
// the plan. It errs when ctx is done, and when the ledger or the work folder can't
// be used; the work folder then stays, for a resumed run.
func (p *Planner) Plan(ctx context.Context, out Writer) (document.PlanTrailer, error) {
	p.past = newPast(p)
	if err := p.loadProfile(); err != nil {
		return document.PlanTrailer{}, err
	}
	survey, err := p.stages.Crawl(ctx, p.past, &sink{Planner: p})
	if err := firstError(err, p.work.Group.Flush()); err != nil {
		return document.PlanTrailer{}, err
	}
	p.survey = survey
	if p.capped, err = newCapped(survey.Caps); err != nil {
		return document.PlanTrailer{}, err
	}
	for _, h := range survey.Hosts {
		p.hosts[h.Host] = h
		if p.memories[h.Host], err = p.ledger.Host(h.Host); err != nil {
			return document.PlanTrailer{}, err
		}
	}
	sightings, err := p.index()
	if err != nil {
		return document.PlanTrailer{}, err
	}
	defer sightings.close()
	if err := p.settleProfile(sightings); err != nil {
		return document.PlanTrailer{}, err
	}
	if err := sightings.settle(); err != nil {
		return document.PlanTrailer{}, err
	}
	verdicts, err := p.judge(ctx, sightings)
	if err != nil {
		return document.PlanTrailer{}, err
	}
	defer verdicts.close()
	if err := p.settleHosts(sightings); err != nil {
		return document.PlanTrailer{}, err
	}
	return p.brake(verdicts, out)
}

// recheckDue reports whether a page is to be read for real, hints or not: after
// half of the recheck time and a share of the other half that depends on its URL,
// so that the load is spread and every night takes a sample.
func (p *Planner) recheckDue(url string, rec *document.Record) bool {
	every := p.Recheck
	if rec.Type == document.FileContent {
		every = p.RecheckFiles
	}
	return float64(p.Start.Unix()-rec.Fetched) >= every.Seconds()*(0.5+0.5*share(url))
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

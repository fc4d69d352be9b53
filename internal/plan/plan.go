package plan

import (
	"cmp"
	"context"
	"iter"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/past"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
	"sitesync/internal/work"
)

// Sink receives the pages of a crawl.
type Sink interface {
	Page(ctx context.Context, p *document.Page) error
}

// Ledger is the part of the ledger that planning reads.
type Ledger interface {
	past.Ledger
	Get(id string) (*document.Record, error)
	Records() iter.Seq2[*document.Record, error]
	Text(id string) (document.Document, bool, error)
	Profile() (document.Profile, error)
	Approved(e *document.Entry) (bool, error)
}

// Writer writes the lines of a plan, in the order of its methods.
type Writer interface {
	Page(document.SitePage) error // in the order of URLs
	Change(document.Change) error
	Observe(document.Observation) error
	Failure(document.Failure) error
	Move(document.Move) error
	Warning(document.Warning) error
}

// Stages are the functions of a run that other packages provide.
type Stages struct {
	Crawl  func(ctx context.Context, earlier *past.Past, sink Sink) (document.Survey, error)
	Read   func(p *document.Page) (document.Draft, error)
	Finish func(d document.Draft, id string, profile document.Profile) document.Document
	Sum    func(p *document.Page, d document.Draft) document.Hash
	Rules  func(url string, profile document.Profile) uint64
	// Held returns the profile's lines on the page. whole: the profile learns nothing from the page.
	Held    func(d document.Draft, url string, profile document.Profile) (held []byte, whole bool)
	Learner func(profile document.Profile) Learner // nil: the profile stays as it is
	Diff    func(t document.Type, fields map[string]document.Hash, rec *document.Record) document.Delta
	Told    func(h judge.Hold) document.Tripped // describes a hold for people
	// Expired returns the retention rule that covers a date, as configured and for people; empty for none.
	Expired func(url, date string) (rule, why string)
}

// Options configures a plan.
type Options struct {
	Run          string
	Start        time.Time
	Policy       judge.Policy
	Limits       judge.Limits
	Past         past.Options                        // NewPlanner sets Start and Expired, Plan sets Rules
	AllowDeletes bool                                // release all held deletes, except by BrakeHost and BrakeOrigin
	AcceptScope  bool                                // release deletes of documents that the configuration excludes
	StartPages   []string                            // these pages are deleted only by 410 or an approval
	Origins      []string                            // origins that the ledger is pinned to; nil before the first push
	FileOrigins  []string                            // origins of which only files belong to the site; never pinned
	Retention    []string                            // rules that have deleted something before
	Bulk         string                              // bulk-delete documents that expired before this day, YYYY/MM/DD
	Only         bool                                // the run looks at a part of the site, by --only
	Links        bool                                // the crawl follows links
	Volatile     weburl.Patterns                     // pages whose whole text changes by nature
	Facts        iter.Seq2[document.SitePage, error] // earlier runs' view of every page; nil if unknown
	LeftOut      iter.Seq2[document.SitePage, error] // like Facts, but only pages that make no document
	Queue        bool                                // queue mode: the plan only queues URLs for the hosted crawler
	Held         []document.Tripped                  // what the last runs held
	Ran          bool                                // an earlier run looked at the whole site

	RulesBefore document.Rules // of the last complete run; nil if unknown
	RulesNow    document.Rules
}

type Planner struct {
	pages
	options Options
}

// sightingLog stores the sightings of the crawl on disk.
type sightingLog interface {
	AddSighting(s document.Sighting) (at int64)
	Sighting(at int64) (*document.Sighting, error)
	Sightings() iter.Seq2[*work.Seen, error]
}

// NewPlanner returns a planner that works in the given folder.
func NewPlanner(o Options, stages Stages, ledger Ledger, folder *work.Folder) *Planner {
	o.Policy.Run, o.Policy.Start = o.Run, o.Start.Unix()
	o.Past.Start, o.Past.Expired = o.Start, stages.Expired
	o.Policy.RecheckDue, o.Policy.ClockOff = o.Past.RecheckDue, o.Limits.ClockOff
	return &Planner{pages{stages: stages, ledger: ledger, folder: folder, log: folder, table: folder.Table}, o}
}

// Plan crawls the site, writes the due changes to out, and returns the trailer of the plan. It errs if ctx
// ends, or if the ledger or the work folder fails. The work folder then stays, so that a later run can
// resume.
//
// After the crawl, Plan reads the ledger once and the sightings at most three times.
func (p *Planner) Plan(ctx context.Context, out Writer) (trailer document.PlanTrailer, err error) {
	p.profile, err = p.ledger.Profile()
	if err != nil {
		return trailer, err
	}
	options := p.options.Past
	options.Rules = func(url string) uint64 { return p.stages.Rules(url, p.profile) }
	earlier := past.New(options, p.ledger, p.table)
	survey, err := p.stages.Crawl(ctx, earlier, &sink{p.pages, &p.options})
	if flushed := p.folder.Group.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		return trailer, err
	}
	scratch := spool.NewScratch(p.folder.Dir)
	defer scratch.Close()
	s, err := p.newSite(survey, earlier, scratch)
	if err != nil {
		return trailer, err
	}
	v := s.newVerdicts(judge.NewBulk(s.options.Bulk))
	agenda, err := s.gather(v.bulk)
	if err != nil {
		return trailer, err
	}
	if err := s.judge(ctx, agenda, v, out); err != nil {
		return trailer, err
	}
	trailer, err = writePlan(s, v, out)
	return trailer, cmp.Or(err, scratch.Err())
}

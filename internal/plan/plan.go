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

// Ledger is the part of the ledger (the file that records what the index holds) that planning reads.
type Ledger interface {
	past.Ledger
	Get(id string) (*document.Record, error)
	Records() iter.Seq2[*document.Record, error]
	Text(id string) (document.Document, bool, error)
	Profile() (document.Profile, error)
	Approved(e *document.Entry) (bool, error)
}

// Writer writes the lines of a plan (the changes to send). Its methods are called in this order, Page first.
type Writer interface {
	Page(document.SitePage) error // in the order of URLs
	Change(document.Change) error
	Observe(document.Observation) error
	Failure(document.Failure) error
	Move(document.Move) error
	Warning(document.Warning) error
}

// Stages are the functions of other packages that planning calls. A Draft is a document before the site's
// Profile (text that its pages share) is removed.
type Stages struct {
	Crawl  func(ctx context.Context, earlier *past.Past, sink Sink) (document.Survey, error)
	Read   func(p *document.Page) (document.Draft, error)
	Finish func(d document.Draft, id string, profile document.Profile) document.Document
	Sum    func(p *document.Page, d document.Draft) document.Hash
	Rules  func(url string, profile document.Profile) uint64
	// Held finds the profile's entries on a page, one bit each. whole: such a page can't change the profile.
	Held    func(d document.Draft, url string, profile document.Profile) (held []byte, whole bool)
	Learner func(profile document.Profile) Learner // nil: the profile does not change
	Diff    func(t document.Type, fields map[string]document.Hash, rec *document.Record) document.Delta
	Told    func(h judge.Hold) document.Tripped // says in words why a change is held back
	// Expired returns the retention (age) rule that expires a date, and the reason in words; empty for none.
	Expired func(url, date string) (rule, why string)
}

// Options configures a Planner.
type Options struct {
	Run          string
	Start        time.Time
	Policy       judge.Policy
	Limits       judge.Limits
	Past         past.Options // this package sets Past.Start, .Expired and .Rules
	AllowDeletes bool         // no brake (limit) holds deletes, except for BrakeHost and BrakeOrigin
	AcceptScope  bool         // send deletes of URLs that the configuration excludes
	StartPages   []string     // start URLs; deleting one needs a 410 or an approval
	Origins      []string     // origins of the start URLs of earlier runs; nil before the first run
	FileOrigins  []string     // origins of which only files belong to the site
	Retention    []string     // retention (age) rules that have deleted something before
	Bulk         string       // one API call may delete documents dated before this YYYY/MM/DD; empty: never
	Only         bool         // the flag --only limits the run to a part of the site
	Links        bool
	Volatile     weburl.Patterns                     // pages whose whole text changes by nature
	Facts        iter.Seq2[document.SitePage, error] // all pages as earlier runs saw them; nil if unknown
	LeftOut      iter.Seq2[document.SitePage, error] // like Facts, but only pages that make no document
	Queue        bool                                // only ask the service's own crawler to fetch the URLs
	Held         []document.Tripped                  // changes that earlier runs held back
	Ran          bool                                // an earlier run looked at the whole site

	RulesBefore document.Rules // extraction rules of the last complete run; nil if unknown
	RulesNow    document.Rules
}

type Planner struct {
	pages
	options Options
}

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
// ends, or if the ledger, the work folder or out fails. A later run can then resume from the work folder.
//
// After the crawl, Plan reads the ledger once and the results of the crawl at most three times.
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

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

// Sink takes the pages of a crawl, whose interface it is.
type Sink interface {
	Page(ctx context.Context, p *document.Page) error
}

// Ledger is what planning reads of a ledger.
type Ledger interface {
	past.Ledger
	Get(id string) (*document.Record, error)
	Text(id string) (document.Document, bool, error)
	Profile() (document.Profile, error)
	Approved(e *document.Entry) (bool, error)
}

// Writer takes the lines of a plan.
type Writer interface {
	Page(document.SitePage) error // all of them come first, in the order of URLs
	Change(document.Change) error
	Observe(document.Observation) error
	Failure(document.Failure) error
	Move(document.Move) error
	Warning(document.Warning) error
}

// Stages are the steps of a run that live in other rooms.
type Stages struct {
	Crawl   func(ctx context.Context, earlier *past.Past, sink Sink) (document.Survey, error)
	Read    func(p *document.Page) (document.Draft, error)
	Finish  func(d document.Draft, id string, profile document.Profile) document.Document
	Sum     func(p *document.Page, d document.Draft) document.Hash
	Rules   func(url string, profile document.Profile) uint64
	Held    func(d document.Draft, url string, profile document.Profile) (held []byte, whole bool) // what of the profile it holds; whole: nothing is to be learned from it
	Learner func(profile document.Profile) Learner                                                 // nil: the profile stays as it is
	Diff    func(t document.Type, fields map[string]document.Hash, rec *document.Record) document.Delta
	Told    func(h judge.Hold) document.Tripped       // in words
	Expired func(url, date string) (rule, why string) // the retention rule that covers a date, as it is written, and what it says today; empty: none
}

// Options say how a plan is made.
type Options struct {
	Run          string
	Start        time.Time
	Policy       judge.Policy
	Limits       judge.Limits
	Past         past.Options                        // Start, Rules and Expired are the planner's to set
	AllowDeletes bool                                // release every brake but the host's for this run
	AcceptScope  bool                                // release deletes whose cause is the configured scope
	StartPages   []string                            // none of them is deleted by a 404
	Origins      []string                            // that the ledger is pinned to; nil: it never pushed
	FileOrigins  []string                            // of which only files belong to the site; never pinned
	Retention    []string                            // the rules that had an effect before
	Bulk         string                              // the day before which what expired may go by one bulk delete, YYYY/MM/DD; empty: none may
	Only         bool                                // a part of the site: no orphans
	Links        bool                                // the crawl follows links
	Volatile     weburl.Patterns                     // pages whose text changes wholly by nature
	Facts        iter.Seq2[document.SitePage, error] // what earlier runs saw of every page; nil: not known
	LeftOut      iter.Seq2[document.SitePage, error] // those of which no document was made; nil: not known
	Queue        bool                                // only tell the hosted crawler which URLs changed
	Held         []document.Tripped                  // why the last runs held something
	Ran          bool                                // an earlier run looked at the whole site

	RulesBefore document.Rules // when a run was last complete; nil: not known
	RulesNow    document.Rules
}

// Planner makes the plan of one run.
type Planner struct {
	pages
	options Options
}

// sightingLog is what the crawl saw, on disk.
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

// Plan crawls the site, writes what is due into out, and returns the trailer of the plan. It errs when
// ctx is done, and when the ledger or the work folder can't be used; the work folder then stays, for a
// resumed run.
//
// After the crawl it reads the ledger once, and the sightings three times at most: as they were
// spooled, where a document is gone, and to judge.
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

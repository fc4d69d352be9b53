package run

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"

	"github.com/spf13/cobra"

	"sitesync/crawl/memory"
	"sitesync/crawl/reading"
	"sitesync/crawl/scout"
	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/plan"
	"sitesync/internal/plan/past"
	"sitesync/internal/report"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// explanation is all there is to tell of one URL. As a plan.Writer it takes what the
// planner says of the pages that were looked at.
type explanation struct {
	Found    []step             `json:"discovery,omitempty"` // of what the ledger knows, back to where it began
	Trace    *scout.Trace       `json:"trace,omitempty"`
	Document *document.Document `json:"document,omitempty"`
	Fields   []extract.Attempt  `json:"fields,omitempty"` // what every source gave
	Hash     string             `json:"hash,omitempty"`
	Warnings []string           `json:"warnings,omitempty"`
	Record   *document.Record   `json:"ledger"`
	Hints    *past.Hints        `json:"hints,omitempty"` // what the next run makes of the ledger's hints
	Last     *app.PastChange    `json:"last_change,omitempty"`
	Due      *report.Change     `json:"due,omitempty"` // what a plan says of the URL, else of the page that it leads to
	Verdict  string             `json:"verdict"`

	session *session
	ledger  *diffstore.Ledger
	profile document.Profile
	url     string
	held    iter.Seq2[document.Entry, error] // what the last run held; nil: nothing
	file    string                           // is read in place of the page; empty: none
	tried   []string
	all     bool             // what gave nothing is shown, too
	facts   map[string]*fact // of the pages that were looked at
	last    string           // where the redirects end
	earlier *past.Past
	sink    plan.Sink
}

// fact is what is known of a page that was looked at.
type fact struct {
	record    *document.Record
	page      document.SitePage
	canonical string // that the page names
	change    *document.Change
	next      *document.Record // that is kept without a call
	warning   string           // the last of its warnings
}

func explainCommand(a *app.App) *cobra.Command {
	var flags explainFlags
	cmd := &cobra.Command{Use: "explain URL", Short: "Show what a run would do with one URL, and why", Args: cobra.ExactArgs(1)}
	cmd.RunE = a.Run(func(ctx context.Context, cfg *config.Config, args []string) error {
		return explain(ctx, a, cfg, args[0], flags)
	}, (*config.Config).NeedCrawl, flags.try)
	cmd.Flags().StringVar(&flags.file, "html", "", "read this local `FILE` (HTML, or a document by its extension) instead of the page")
	cmd.Flags().StringArrayVar(&flags.rules, "field", nil, "try a field rule, `NAME=SOURCE`, before those of the configuration (repeatable)")
	app.JSONFlag(cmd, &flags.json)
	return cmd
}

// explain has the planner of a run decide on one URL, as on a night on which nothing else
// changed: the other pages are what the ledger says, and their hosts as the last run saw them.
func explain(ctx context.Context, a *app.App, cfg *config.Config, raw string, flags explainFlags) (err error) {
	url, err := weburl.NewCanonicalizer(cfg.Site.IgnoreParams).URL(raw)
	if err != nil {
		return app.Usage(err)
	}
	s := &session{app: a, cfg: cfg}
	defer func() { err = errors.Join(err, s.close()) }()
	return app.ReadLedger(cfg, func(ledger *diffstore.Ledger) error {
		// A ledger tells of the live site, a validator of what scripts did not make.
		o := planOptions{dry: true, full: len(cfg.Site.Via) > 0 || cfg.Fetch.Render == config.RenderAlways}
		if err := s.open(ctx, ledger, o); err != nil {
			return err
		}
		e := &explanation{session: s, ledger: ledger, url: url, file: flags.file, tried: flags.tried, all: a.Verbose, facts: map[string]*fact{}}
		if err := e.decide(ctx, o); err != nil {
			return err
		}
		if flags.json {
			return report.Object(a.Stdout, e)
		}
		a.Print("%s", url)
		err := explanationText().Execute(a.Stdout, e)
		if err == nil && e.all && e.Due != nil {
			err = report.Differences(a.Stdout, e.Due, a.Color())
		}
		return err
	})
}

// decide reads what the ledger says of the URL, and has the planner decide.
func (e *explanation) decide(ctx context.Context, o planOptions) (err error) {
	s := e.session
	e.Record, err = e.ledger.Get(e.url)
	if err != nil {
		return err
	}
	e.Found, err = discovery(e.ledger, s.crawler.Site().Start, e.url)
	if err != nil {
		return err
	}
	e.profile, err = e.ledger.Profile()
	if err != nil {
		return err
	}
	e.Last, err = app.LastChange(e.ledger, e.url)
	if err != nil {
		return err
	}
	options, err := s.planning(e.ledger, o)
	if err != nil {
		return err
	}
	e.held, options.Run, options.Bulk = options.Past.HeldBefore, "", false // without a run evidence says "now"
	steps := app.Stages(s.cfg, s.crawler, s.ex, options.Start, nil)
	steps.Crawl, steps.Read, steps.Learner = e.crawl, e.read, nil
	_, err = plan.NewPlanner(options, steps, e.ledger, s.work).Plan(ctx, e)
	if err != nil {
		return err
	}
	return e.conclude()
}

// crawl stands for the crawl of a run: it asks for the URL and the pages that it leads to.
// Hosts are as the last run saw them.
func (e *explanation) crawl(ctx context.Context, earlier *past.Past, sink plan.Sink) (survey document.Survey, err error) {
	e.earlier, e.sink = earlier, sink
	vanished, err := e.others()
	if err != nil {
		return survey, err
	}
	if err := e.look(ctx); err != nil {
		return survey, err
	}
	if e.Record != nil && e.Trace != nil && e.tried == nil { // --field only tries a rule
		hints, err := earlier.Hints(e.Record, e.Trace.LinkRules)
		if err != nil {
			return survey, err
		}
		e.Hints = &hints
	}
	for url, seen := range vanished {
		if e.facts[url] != nil {
			continue
		}
		if err := sink.Page(ctx, &document.Page{URL: url, Seen: seen, Status: http.StatusNotFound}); err != nil {
			return survey, err
		}
	}
	last, _, err := e.ledger.Run("")
	survey.SkippedByHint = 1 // not every page was read: nobody knows what no page links to
	site := e.session.crawler.Site()
	for _, origin := range slices.Concat(site.Origins(), site.FileOrigins()) {
		host := document.Host{Host: origin, State: document.HostOK, Covered: true}
		if i := slices.IndexFunc(last.Hosts, func(h document.Host) bool { return h.Host == origin }); i >= 0 {
			host = last.Hosts[i]
		}
		survey.Hosts = append(survey.Hosts, host)
	}
	return survey, err
}

// others notes in the run's table that all other pages are as the last run saw them, and
// returns those that it missed: brakes count them.
func (e *explanation) others() (vanished map[string]document.Seen, err error) {
	table, vanished := e.session.work.Table, map[string]document.Seen{}
	err = e.earlier.Known(func(url string, known document.Known) error {
		fp, as := spool.Fingerprint(url), spool.Queued|spool.Kept
		flags, _ := table.Get(fp)
		if flags&spool.Listed != 0 {
			as |= spool.InSitemap
		}
		table.Mark(fp, as)
		if flags&spool.Quiet != 0 || !known.Document {
			return nil
		}
		rec, err := e.ledger.Brief(url)
		if err == nil && rec.Misses > 0 {
			vanished[url] = document.Missing
		}
		return err
	})
	for _, url := range e.session.crawler.Site().Start {
		table.Mark(spool.Fingerprint(url), spool.Queued|spool.Start)
	}
	if err != nil || e.held == nil {
		return vanished, err
	}
	for c, err := range e.held {
		if err != nil {
			return nil, err
		}
		if c.Op == document.Delete && c.Cause != document.CauseMoved && c.Cause != document.CauseDuplicate { // those are no loss
			vanished[c.ID] = document.Gone
		}
	}
	return vanished, nil
}

// look asks for the URL, and for the canonicals that the pages there name, one after the
// other; or it reads the file.
func (e *explanation) look(ctx context.Context) (err error) {
	if e.file != "" {
		share := memory.New(int64(e.session.cfg.Fetch.Memory)).Share()
		p, err := reading.LocalFile(e.url, e.file, func(bytes int64) error { return share.Take(ctx, bytes) })
		if err != nil {
			return app.Usage(err)
		}
		e.last = e.url
		return e.hand(ctx, p)
	}
	e.Trace, e.last, err = e.follow(ctx, e.url)
	for url := e.fact(e.last).canonical; err == nil && url != "" && e.facts[url] == nil && len(e.facts) < mostLooks; {
		_, url, err = e.follow(ctx, url)
		url = e.fact(url).canonical
	}
	return err
}

// mostLooks bounds how many pages are asked for: redirects and canonicals.
const mostLooks = 20

// follow asks for a URL, and returns where its redirects end. What keeps a crawl from a page
// is handed on in its place.
func (e *explanation) follow(ctx context.Context, url string) (t *scout.Trace, last string, err error) {
	crawler := e.session.crawler
	t, err = crawler.Look(ctx, url, func(p *document.Page) error {
		url = cmp.Or(p.Target, p.URL)
		return e.hand(ctx, p)
	})
	if err != nil {
		return t, url, err
	}
	p := &document.Page{URL: url, Seen: document.OutOfScope, Why: t.Scope}
	switch unsure := crawler.Site().Unsure(url); {
	case t.InScope && (t.Allowed || t.LinkRules == ""): // or robots.txt could not be read
		return t, url, nil
	case t.InScope:
		p.Seen, p.Why = document.Disallowed, "robots.txt: "+t.Robots
	case unsure != "": // no evidence, then
		p.Seen, p.Why = document.Unread, unsure
	}
	return t, url, e.hand(ctx, p)
}

// hand hands a page to the planner, with what is known of it from elsewhere.
func (e *explanation) hand(ctx context.Context, p *document.Page) (err error) {
	if e.facts[p.URL] != nil { // a loop
		return nil
	}
	f := &fact{canonical: p.Canonical}
	e.facts[p.URL] = f
	f.record, err = e.ledger.Get(p.URL)
	if err != nil {
		return err
	}
	p.Known, err = e.earlier.Lookup(p.URL)
	if err != nil {
		return err
	}
	p.First, p.Link.Text, p.Hints.Lastmod = p.Known.First, p.Known.First.Link, p.Known.First.Lastmod
	as := spool.Queued | spool.Sighted
	if f.record == nil { // something leads there, or nobody would ask
		as |= spool.Linked
	}
	e.session.work.Table.Mark(spool.Fingerprint(p.URL), as)
	return e.sink.Page(ctx, p)
}

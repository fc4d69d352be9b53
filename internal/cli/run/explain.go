package run

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/plan"
	"sitesync/internal/plan/past"
	"sitesync/internal/report"
	"sitesync/internal/weburl"
)

// explanation is all there is to tell of one URL. As a plan.Writer it takes what the
// planner says of the pages that were looked at.
type explanation struct {
	Found    string             `json:"discovery,omitempty"` // how, says the ledger; empty: no run has found it
	Trace    *crawl.Trace       `json:"trace,omitempty"`
	Document *document.Document `json:"document,omitempty"`
	Fields   []extract.Attempt  `json:"fields,omitempty"` // what every source gave
	Hash     string             `json:"hash,omitempty"`
	Warnings []string           `json:"warnings,omitempty"`
	Record   *document.Record   `json:"ledger"`
	Last     *app.PastChange    `json:"last_change,omitempty"`
	Due      *report.Change     `json:"due,omitempty"` // what a plan says of the URL, else of the page that it leads to
	Verdict  string             `json:"verdict"`
	In       string             `json:"in_index"` // yes, no, or not certain

	session *session
	ledger  *diffstore.Ledger
	profile document.Profile
	url     string
	held    iter.Seq2[document.Entry, error] // what the last run held; nil: nothing
	file    string                           // is read in place of the page; empty: none
	all     bool                             // what gave nothing is shown, too
	facts   map[string]*fact                 // of the pages that were looked at
	last    string                           // where the redirects end
	latest  *app.PastChange                  // what was sent, tried or is held
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

// explainCommand has the planner of a run decide on one URL, as on a night on which nothing else
// changed: the other pages are what the ledger says, and their hosts as the last run saw them.
func explainCommand(a *app.App) *cobra.Command {
	var flags explainFlags
	cmd := &cobra.Command{Use: "explain URL|/PATH", Short: "Show what a run would do with one URL, and why", Args: cobra.ExactArgs(1)}
	cmd.RunE = a.Run(func(ctx context.Context, cfg *config.Config, args []string) (err error) {
		if strings.HasPrefix(args[0], "/") && len(cfg.Site.Start) == 1 {
			args[0] = weburl.Origin(cfg.Site.Start[0]) + args[0]
		}
		url, err := weburl.NewCanonicalizer(cfg.Site.IgnoreParams).URL(args[0])
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
			e := &explanation{session: s, ledger: ledger, url: url, file: flags.file, all: a.Verbose, facts: map[string]*fact{}}
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
	}, (*config.Config).NeedCrawl, flags.try)
	cmd.Flags().StringVar(&flags.file, "html", "", "read this local `FILE` (HTML, or a document by its extension) instead of the page")
	cmd.Flags().StringArrayVar(&flags.rules, "field", nil, "try a field rule, `NAME=SOURCE`, before those of the configuration (repeatable)")
	app.JSONFlag(cmd, &flags.json)
	return cmd
}

// decide reads what the ledger says of the URL, and has the planner decide.
func (e *explanation) decide(ctx context.Context, o planOptions) (err error) {
	s := e.session
	e.Record, err = e.ledger.Get(e.url)
	if err != nil {
		return err
	}
	switch isStart := slices.Contains(s.crawler.Site().Start, e.url); {
	case e.Record == nil:
	case isStart:
		e.Found = "a start address"
	case e.Record.First.From != "":
		e.Found = "on " + e.Record.First.From
	case e.Record.Listed:
		e.Found = "in a sitemap"
	case s.cfg.Site.Folder != "": // whose files need no link
		e.Found = "in the folder"
	}
	e.profile, err = e.ledger.Profile()
	if err != nil {
		return err
	}
	e.Last, err = app.LastChange(e.ledger, e.url, true)
	if err != nil {
		return err
	}
	e.latest, err = app.LastChange(e.ledger, e.url, false)
	if err != nil {
		return err
	}
	options, err := s.planning(e.ledger, o)
	if err != nil {
		return err
	}
	e.held, options.Run, options.Bulk = options.Past.HeldBefore, "", "" // without a run evidence says "now"
	steps := app.Stages(s.cfg, s.crawler, s.ex, options.Start)
	steps.Crawl, steps.Read, steps.Learner = e.crawl, e.read, nil
	_, err = plan.NewPlanner(options, steps, e.ledger, s.work).Plan(ctx, e)
	if err != nil {
		return err
	}
	return e.conclude()
}

package run

import (
	"cmp"
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

// explanation holds the facts about one URL. It is a plan.Writer, to which the planner passes its decisions.
type explanation struct {
	Found    string             `json:"discovery,omitempty"` // how an earlier run found the URL; may be empty
	Trace    *crawl.Trace       `json:"trace,omitempty"`     // the requests and responses; nil with --html
	Document *document.Document `json:"document,omitempty"`
	Fields   []extract.Attempt  `json:"fields,omitempty"` // the result of every source of every field
	Hash     string             `json:"hash,omitempty"`
	Warnings []string           `json:"warnings,omitempty"`
	Record   *document.Record   `json:"ledger"`
	Last     *pastChange        `json:"last_change,omitempty"`
	// Due is the planned change of the URL, or else of the page to which it redirects.
	Due     *report.Change `json:"due,omitempty"`
	Verdict string         `json:"verdict"`
	In      string         `json:"in_index"` // "yes", "no" or "not certain"

	session *session
	ledger  *diffstore.Ledger
	profile document.Profile // text that the site's pages share, which documents leave out
	url     string
	held    iter.Seq2[document.Entry, error] // changes held by brakes (limits on suspicious changes); or nil
	file    string                           // file to read instead of the page, from --html; may be empty
	all     bool                             // with -v: also show the sources of fields that gave no result
	facts   map[string]*fact                 // facts about each requested page, by URL
	last    string                           // the URL at the end of the redirects of url
	latest  *pastChange                      // the newest change in the history, even if it was not sent
	earlier *past.Past
	sink    plan.Sink
}

type fact struct {
	record    *document.Record // the URL's entry in the ledger (the record of the index); may be nil
	page      document.SitePage
	canonical string
	change    *document.Change
	next      *document.Record // new record, if a run would change the ledger but not the index
	warning   string
}

// explainCommand returns the command "explain", which plans one URL as if nothing else had changed. It takes
// facts about other pages from the ledger (the record of what the index holds), and the states of hosts from
// the last run.
func explainCommand(a *app.App) *cobra.Command {
	var file string
	var rules []string
	const short = "Show what a run would do with one URL, and why"
	cmd := &cobra.Command{Use: "explain URL|/PATH", Short: short, Args: cobra.ExactArgs(1)}
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
			// With site.via the ledger describes another host. With rendering, ETag and Last-Modified do not
			// cover a page's scripts. In both cases request the whole page.
			o := planOptions{dry: true, full: len(cfg.Site.Via) > 0 || cfg.Fetch.Render == config.RenderAlways}
			if err := s.open(ctx, ledger, o); err != nil {
				return err
			}
			e := &explanation{session: s, ledger: ledger, url: url, file: file, all: a.Verbose}
			e.facts = map[string]*fact{}
			if err := e.decide(ctx, o); err != nil {
				return err
			}
			if a.JSON {
				return report.Object(a.Stdout, e)
			}
			a.Print("%s", url)
			err := explanationText().Execute(a.Stdout, e)
			if err == nil && e.all && e.Due != nil {
				err = report.Differences(a.Stdout, e.Due, a.Color())
			}
			return err
		})
	}, (*config.Config).NeedCrawl, func(cfg *config.Config) error { return addRules(cfg, rules) })
	cmd.Flags().StringVar(&file, "html", "",
		"read this local `FILE` (HTML, or a document by its extension) instead of the page")
	cmd.Flags().StringArrayVar(&rules, "field", nil,
		"try a field rule, `NAME=SOURCE`, before those of the configuration (repeatable)")
	app.JSONFlag(cmd, &a.JSON)
	return cmd
}

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
	case s.cfg.Site.Folder != "": // every file of the folder is crawled, linked or not
		e.Found = "in the folder"
	}
	e.profile, err = e.ledger.Profile()
	if err != nil {
		return err
	}
	if err := e.findChanges(); err != nil {
		return err
	}
	options, err := s.planning(e.ledger, o)
	if err != nil {
		return err
	}
	e.held = options.Past.HeldBefore
	options.Run, options.Bulk = "", "" // without a run ID, the evidence (reason) of a delete says "now"
	steps := app.Stages(s.cfg, s.crawler, s.ex, options.Start)
	steps.Crawl, steps.Read, steps.Learner = e.crawl, e.extract, nil
	_, err = plan.NewPlanner(options, steps, e.ledger, s.work).Plan(ctx, e)
	if err != nil {
		return err
	}
	return e.conclude()
}

type pastChange struct {
	Run string `json:"run"`
	document.Entry
}

// findChanges sets e.Last and e.latest. It ignores a held change if a later run covered the whole site.
func (e *explanation) findChanges() error {
	over := false
	for run, err := range e.ledger.Runs() {
		if err != nil {
			return err
		}
		for entry, err := range e.ledger.Entries(run.Run) {
			if err != nil {
				return err
			}
			if entry.ID != e.url || over && entry.State == document.Held {
				continue
			}
			change := &pastChange{run.Run, entry}
			e.latest = cmp.Or(e.latest, change)
			if entry.State == document.Acknowledged {
				e.Last = change
				return nil
			}
		}
		over = over || !run.Part
	}
	return nil
}

package inspect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/crawl/memory"
	"sitesync/crawl/reading"
	"sitesync/crawl/scout"
	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/plan/past"
	"sitesync/internal/report"
	"sitesync/internal/weburl"
)

// Commands returns the commands of this package, which work on a.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{explainCommand(a), listCommand(a), reportCommand(a), initCommand(a), checkCommand(a)}
}

// explanation is all there is to tell of one URL.
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
	Due      *document.Entry    `json:"due,omitempty"` // a delete, as plans show it
	Verdict  string             `json:"verdict"`

	url     string
	ex      *extract.Extractor
	ledger  *diffstore.Ledger
	profile document.Profile
	tried   []string // names of the fields that --field tries
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

func explain(ctx context.Context, a *app.App, cfg *config.Config, raw string, flags explainFlags) (err error) {
	ex, err := a.NewExtractor(ctx, cfg)
	if err != nil {
		return app.Usage(err)
	}
	defer func() { err = errors.Join(err, ex.Close()) }()
	url, err := weburl.NewCanonicalizer(cfg.Site.IgnoreParams).URL(raw)
	if err != nil {
		return app.Usage(err)
	}
	ledger, err := diffstore.OpenRead(cfg.Store.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	e := &explanation{url: url, ex: ex, ledger: ledger, tried: flags.tried}
	e.Record, err = ledger.Get(url)
	if err != nil {
		return err
	}
	e.Found, err = discovery(ledger, cfg, url)
	if err != nil {
		return err
	}
	e.Last, err = app.LastChange(ledger, url)
	if err != nil {
		return err
	}
	e.profile, err = ledger.Profile()
	if err != nil {
		return err
	}
	if flags.file != "" {
		share := memory.New(int64(cfg.Fetch.Memory)).Share()
		p, fileErr := reading.LocalFile(url, flags.file, func(bytes int64) error { return share.Take(ctx, bytes) })
		if fileErr != nil {
			return app.Usage(fileErr)
		}
		err = e.read(p)
	} else {
		err = e.look(ctx, app.WithFiles(app.CrawlOptions(cfg, nil), cfg, ex))
	}
	if err == nil && e.Trace != nil && e.Record != nil && e.tried == nil { // --field only tries a rule
		err = e.explainHints(a, cfg)
	}
	if err != nil {
		return err
	}
	if cfg.Push.Mode == config.ModeQueue && (strings.HasPrefix(e.Verdict, "put") || strings.HasPrefix(e.Verdict, "patch")) {
		e.Verdict = "queue; with documents it would be " + e.Verdict
	}
	e.Due = e.due(app.Policy(cfg))
	if flags.json {
		return report.Object(a.Stdout, e)
	}
	a.Print("%s", url)
	return explanationText().Execute(a.Stdout, e)
}

// look asks the URL as a crawl would.
func (e *explanation) look(ctx context.Context, o crawl.Options) error {
	crawler, err := crawl.New(o)
	if err != nil {
		return app.Usage(err)
	}
	e.Trace, err = crawler.Look(ctx, e.url, e.read)
	if err := errors.Join(err, crawler.Close()); err != nil {
		return err
	}
	switch t := e.Trace; {
	case len(t.Hops) > 0 && !(t.InScope && t.Allowed):
		e.Verdict = "leads to what is not crawled: " + t.Scope + t.Robots + held(e.Record, ", and stays for now")
	case !t.InScope:
		e.Verdict = "not crawled: " + t.Scope + held(e.Record, "; delete.out_of_scope decides whether it stays")
	case !t.Allowed:
		e.Verdict = "not crawled: robots.txt: " + t.Robots + held(e.Record, "; delete.out_of_scope decides whether it stays")
	case e.Verdict == "":
		e.Verdict = "unread: no page after " + document.Count(len(t.Hops), "redirect") + held(e.Record, ", and it stays")
	case len(t.Hops) > 1:
		e.Verdict += held(e.Record, redirected(t.Hops))
	}
	return nil
}

// explainHints tells what the next run makes of the record's hints.
func (e *explanation) explainHints(a *app.App, cfg *config.Config) error {
	start := a.Now()
	earlier := past.New(past.Options{
		Start: start, Recheck: time.Duration(cfg.Fetch.Recheck), RecheckFiles: time.Duration(cfg.Fetch.RecheckFiles),
		Full:    len(cfg.Site.Via) > 0 || cfg.Fetch.Render == config.RenderAlways, // a ledger tells of the live site, a validator of what scripts did not make
		Rules:   func(url string) uint64 { return e.ex.Rules(url, e.profile) },
		Expired: app.Stages(cfg, nil, e.ex, start, nil).Expired,
	}, e.ledger, nil)
	hints, err := earlier.Hints(e.Record, e.Trace.LinkRules)
	e.Hints = &hints
	return err
}

// held returns the fate of the document of a page that is not read; empty where the
// index holds no document.
func held(rec *document.Record, fate string) string {
	if !rec.IsDocument() {
		return ""
	}
	return "; the index holds it" + fate
}

// fate returns the fate of a document whose page is seen so.
func fate(seen document.Seen) string {
	switch seen {
	case document.Gone, document.NoIndex:
		return ", and sync deletes it"
	case document.Missing:
		return ", and sync deletes it when delete.confirm runs agree"
	case document.OutOfScope:
		return "; delete.out_of_scope decides whether it stays"
	}
	return ", and it stays"
}

// redirected returns the fate of a document whose page redirects.
func redirected(hops []scout.Hop) string {
	last := len(hops) - 1
	for _, hop := range hops[:last] {
		if hop.Seen != document.Moved {
			return ", and it stays"
		}
	}
	if hops[last].Seen != document.Read {
		return ", and it stays for now"
	}
	return ", and sync deletes it once that page is there"
}

// read extracts the page, or the one that it leads to, and compares it with the
// ledger's record of it.
func (e *explanation) read(p *document.Page) (err error) {
	rec := e.Record
	if p.URL != e.url {
		rec, err = e.ledger.Get(p.URL)
		if err != nil {
			return err
		}
		defer func() { e.Verdict = "leads to " + p.URL + "; there: " + e.Verdict }()
	}
	if p.Seen != document.Read {
		why := strings.TrimSpace(fmt.Sprintf("HTTP status %d %s", p.Status, p.Why))
		if strings.HasPrefix(p.Why, "HTTP status") {
			why = p.Why
		}
		e.Verdict = fmt.Sprintf("%s: %s", p.Seen, why) + held(rec, fate(p.Seen))
		return nil
	}
	if rec != nil {
		p.First, p.Link.Text, p.Hints.Lastmod = rec.First, rec.First.Link, rec.First.Lastmod
	}
	draft, attempts, err := e.ex.Explain(p, e.profile)
	e.noteAttempts(attempts)
	if err != nil {
		e.Verdict = "unread: " + err.Error()
		return nil
	}
	doc := e.ex.Finish(draft, p.URL, e.profile)
	e.Document, e.Hash, e.Warnings = &doc, doc.Hash().String(), slices.Clone(draft.Warn)
	if i := slices.Index(e.Warnings, extract.WarnFileText); i >= 0 && draft.NoText != "" {
		e.Warnings[i] += ": " + draft.NoText
	}
	e.Verdict = compare(doc, rec)
	if p.Canonical != "" {
		e.Verdict += "; the page names " + p.Canonical + " as canonical, and is folded into it when that page has the same content"
	}
	return nil
}

// compare says what a sync would send for the document.
func compare(doc document.Document, rec *document.Record) string {
	if rec == nil || rec.Push == document.PushNone {
		return "put: the index does not hold it"
	}
	if rec.Parked() {
		return fmt.Sprintf("parked after %d refusals: %s; sync --retry-parked tries again", rec.Strikes, rec.Reason)
	}
	if rec.Push != document.PushOK {
		return fmt.Sprintf("put: its record is %s: %s", rec.Push, rec.Reason)
	}
	delta := diffstore.Diff(doc.Type, doc.FieldHashes(), rec)
	switch {
	case delta.Same():
		return "unchanged"
	case len(delta.Lost) > 0:
		return "put: the index has fields that the page no longer has: " + strings.Join(delta.Lost, ", ")
	}
	return "patch: " + strings.Join(delta.Changed, ", ")
}

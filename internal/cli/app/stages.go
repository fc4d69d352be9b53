package app

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"sitesync/crawl"
	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/extract/pdf"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan"
	"sitesync/internal/weburl"
	"sitesync/internal/work"
	"sitesync/push"
)

// CrawlOptions returns the crawl's settings from the configuration.
func CrawlOptions(cfg *config.Config, folder *work.Folder) crawl.Options {
	o := crawl.Options{
		Start: cfg.Site.Start, Folder: cfg.Site.Folder, Sitemaps: cfg.Site.Sitemaps.List, AutoSitemaps: cfg.Site.Sitemaps.Auto,
		Links: cfg.Site.Links, Include: cfg.Site.Include, Exclude: cfg.Site.Exclude, IgnoreParams: cfg.Site.IgnoreParams,
		MaxPages: cfg.Site.MaxPages, MaxDepth: cfg.Site.MaxDepth,
		UserAgent: cfg.Fetch.UserAgent, Concurrency: cfg.Fetch.Concurrency,
		Delay: time.Duration(cfg.Fetch.Delay), Timeout: time.Duration(cfg.Fetch.Timeout),
		MaxBody: int64(cfg.Fetch.MaxBody), MaxFile: int64(cfg.Fetch.MaxFile),
		IgnoreRobots: cfg.Fetch.Robots == config.Ignore, Networks: cfg.Fetch.Networks,
		FollowOnly: cfg.Site.FollowOnly, NoFollow: cfg.Site.NoFollow, FileHosts: cfg.Site.FileHosts, Via: cfg.Site.Via,
		Retries: cfg.Fetch.Retries, RetryWait: time.Duration(cfg.Fetch.RetryWait),
		Proxy: cfg.Fetch.Proxy, CAFile: cfg.Fetch.CAFile, Cookies: cfg.Fetch.Cookies,
		Render: cfg.Fetch.Render, Browser: cfg.Fetch.Browser, NoSandbox: !cfg.Fetch.BrowserSandbox,
	}
	if o.UserAgent == "" {
		o.UserAgent = "sitesync/" + Version()
	}
	o.Credentials = credentials(cfg)
	if folder != nil {
		o.Work, o.Table, o.Group = folder.Dir, folder.Table, folder.Group
	}
	return o
}

// NewExtractor returns the extractor of a run, which ends with ctx.
func (a *App) NewExtractor(ctx context.Context, cfg *config.Config) (*extract.Extractor, error) {
	o := extract.Options{
		PDF:     a.pdfReader(ctx, cfg),
		Content: cfg.Extract.Content, Exclude: cfg.Extract.Exclude, Between: cfg.Extract.Between,
		Description: cfg.Extract.Description, Multi: cfg.Extract.Multi, Location: cfg.Extract.Timezone,
	}
	for _, s := range cfg.Extract.Sections {
		where, err := ruleWhere(s.Where)
		if err != nil {
			return nil, err
		}
		o.Sections = append(o.Sections, extract.Section{Where: where, Content: s.Content, Exclude: s.Exclude})
	}
	for _, f := range cfg.Extract.Fields {
		where, err := ruleWhere(f.Where)
		if err != nil {
			return nil, err
		}
		o.Fields = append(o.Fields, extract.Field{Name: f.Name, From: f.From, Where: where, Transform: f.Transform, Map: f.Map, Required: f.Required})
	}
	return extract.New(o)
}

// ruleWhere returns the part of the site that a rule is for: all of it where there
// is no pattern.
func ruleWhere(patterns []string) (extract.Where, error) {
	if len(patterns) == 0 {
		return extract.Where{}, nil
	}
	match, err := weburl.ReadPatterns("pattern", patterns)
	return extract.Where{Patterns: patterns, Match: match.Match}, err
}

// Stages wires the rooms of a run, none of which knows another.
func Stages(cfg *config.Config, crawler *crawl.Crawler, ex *extract.Extractor, start time.Time) plan.Stages {
	return plan.Stages{
		Crawl: func(ctx context.Context, past plan.Past, sink plan.Sink) (document.Survey, error) {
			return crawler.Run(ctx, past, sink)
		},
		Read: ex.Read, Finish: ex.Finish, Sum: ex.Sum, Rules: ex.Rules, Held: ex.Held,
		Learner: func(profile document.Profile) plan.Learner { return extract.NewLearner(profile) },
		Diff:    diffstore.Diff,
		Expired: retention(cfg, start),
	}
}

// Policy returns what the configuration says about deleting.
func Policy(cfg *config.Config) judge.Policy {
	return judge.Policy{
		Confirm:    cfg.Delete.Confirm,
		OutOfScope: cfg.Delete.OutOfScope == config.ActDelete,
		Orphans:    cfg.Delete.Orphans == config.ActDelete,
		MovedAway:  cfg.Delete.MovedAway == config.ActDelete,
	}
}

// Target returns what the ledger is to be pinned to.
func Target(cfg *config.Config, origins []string) document.Target {
	return document.Target{Base: cfg.Push.BaseURL, Customer: int64(cfg.Push.CustomerID), Crawler: cfg.Push.CrawlerID, Origins: origins}
}

// SameIndex reports whether two targets are one and the same index.
func SameIndex(a, b document.Target) bool {
	return a.Base == b.Base && a.Customer == b.Customer && a.Crawler == b.Crawler
}

// newClient returns the client of the service at base.
func (a *App) newClient(cfg *config.Config, base string) (*push.Client, error) {
	o, err := ClientOptions(cfg, base, a.Logger())
	if err != nil {
		return nil, err
	}
	if a.Tune != nil {
		a.Tune(&o)
	}
	return push.New(o)
}

func ClientOptions(cfg *config.Config, base string, log *slog.Logger) (push.Options, error) {
	key, err := cfg.Key()
	o, optionsErr := PublicOptions(cfg, base, log)
	o.Key = push.Secret(key)
	return o, FirstError(err, optionsErr)
}

// PublicOptions are those of calls that take no key.
func PublicOptions(cfg *config.Config, base string, log *slog.Logger) (push.Options, error) {
	transport, err := pushTransport(cfg)
	return push.Options{
		Transport: transport,
		BaseURL:   base, Customer: int64(cfg.Push.CustomerID), Engine: int64(cfg.Push.EngineID), Crawler: cfg.Push.CrawlerID, QueueCrawler: cfg.Push.QueueCrawlerID,
		BatchDocuments: cfg.Push.BatchDocuments, BatchBytes: int64(cfg.Push.BatchBytes),
		UserAgent: "sitesync/" + Version(), Logger: log,
	}, err
}

func WorkDir(cfg *config.Config) string { return filepath.Clean(cfg.Store.Work) }

// WithFiles returns the settings of a crawl that reads files for their links, where
// the configuration asks for that.
func WithFiles(o crawl.Options, cfg *config.Config, ex *extract.Extractor) crawl.Options {
	if cfg.Site.FileLinks {
		o.ReadFile = ex.ReadFile
	}
	return o
}

// pdfReader returns the reader of a run's PDF files. It gives up at once when ctx
// is done.
func (a *App) pdfReader(ctx context.Context, cfg *config.Config) *pdf.Reader {
	o := pdf.Options{Cache: cfg.Extract.Cache, Warn: func(text string) { a.Logger().Warn(text) }}
	if cfg.Store.Path != "" {
		o.Fallback = cfg.Store.Path + ".cache"
	}
	r := pdf.New(o)
	context.AfterFunc(ctx, func() { _ = r.Close() })
	return r
}

// release is the version of this source.
const release = "0.1.0"

func Version() string { return release }

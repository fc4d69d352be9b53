package cli

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"sitesync/crawl"
	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan"
	"sitesync/internal/weburl"
	"sitesync/internal/work"
	"sitesync/push"
)

// crawlOptions returns the crawl's settings from the configuration.
func crawlOptions(cfg *config.Config, folder *work.Folder) crawl.Options {
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
		o.UserAgent = "sitesync/" + version()
	}
	o.Credentials = credentials(cfg)
	if folder != nil {
		o.Work, o.Table, o.Group = folder.Dir, folder.Table, folder.Group
	}
	return o
}

// newExtractor returns the extractor of a run, which ends with ctx.
func (a *app) newExtractor(ctx context.Context, cfg *config.Config) (*extract.Extractor, error) {
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

// stages wires the rooms of a run, none of which knows another.
func stages(cfg *config.Config, crawler *crawl.Crawler, ex *extract.Extractor, start time.Time) plan.Stages {
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

// policy returns what the configuration says about deleting.
func policy(cfg *config.Config) judge.Policy {
	return judge.Policy{
		Confirm:    cfg.Delete.Confirm,
		OutOfScope: cfg.Delete.OutOfScope == config.ActDelete,
		Orphans:    cfg.Delete.Orphans == config.ActDelete,
		MovedAway:  cfg.Delete.MovedAway == config.ActDelete,
	}
}

func limits(cfg *config.Config) judge.Limits {
	return judge.Limits{
		Max: cfg.Delete.Max, MaxShare: cfg.Delete.MaxShare, MaxAbsolute: cfg.Delete.MaxAbsolute,
		MaxFailed: cfg.Fetch.MaxFailedShare,
	}
}

// target returns what the ledger is to be pinned to.
func target(cfg *config.Config, origins []string) document.Target {
	return document.Target{Base: cfg.Push.BaseURL, Customer: int64(cfg.Push.CustomerID), Crawler: cfg.Push.CrawlerID, Origins: origins}
}

// sameIndex reports whether two targets are one and the same index.
func sameIndex(a, b document.Target) bool {
	return a.Base == b.Base && a.Customer == b.Customer && a.Crawler == b.Crawler
}

// newClient returns the client of the service at base.
func (a *app) newClient(cfg *config.Config, base string) (*push.Client, error) {
	o, err := clientOptions(cfg, base, a.logger())
	if err != nil {
		return nil, err
	}
	if a.tune != nil {
		a.tune(&o)
	}
	return push.New(o)
}

func clientOptions(cfg *config.Config, base string, log *slog.Logger) (push.Options, error) {
	key, err := cfg.Key()
	o, optionsErr := publicOptions(cfg, base, log)
	o.Key = push.Secret(key)
	return o, firstError(err, optionsErr)
}

// publicOptions are those of calls that take no key.
func publicOptions(cfg *config.Config, base string, log *slog.Logger) (push.Options, error) {
	transport, err := pushTransport(cfg)
	return push.Options{
		Transport: transport,
		BaseURL:   base, Customer: int64(cfg.Push.CustomerID), Engine: int64(cfg.Push.EngineID), Crawler: cfg.Push.CrawlerID, QueueCrawler: cfg.Push.QueueCrawlerID,
		BatchDocuments: cfg.Push.BatchDocuments, BatchBytes: int64(cfg.Push.BatchBytes),
		UserAgent: "sitesync/" + version(), Logger: log,
	}, err
}

// onlyFilter returns whether a URL is named by --only, and the names that are URLs
// themselves.
func onlyFilter(only []string) (match func(string) bool, urls []string, err error) {
	if len(only) == 0 {
		return nil, nil, nil
	}
	var globs []string
	named := map[string]bool{}
	canon := weburl.NewCanonicalizer(nil)
	for _, name := range only {
		if !strings.Contains(name, "://") {
			globs = append(globs, name)
			continue
		}
		url, err := canon.URL(name)
		if err != nil {
			return nil, nil, usageError{err}
		}
		urls, named[url] = append(urls, url), true
	}
	matches, err := weburl.ReadPatterns("pattern", globs)
	if err != nil {
		return nil, nil, usageError{err}
	}
	return func(url string) bool { return named[url] || matches.Match(url) }, urls, nil
}

func workDir(cfg *config.Config) string { return filepath.Clean(cfg.Store.Work) }

// withFiles returns the settings of a crawl that reads files for their links, where
// the configuration asks for that.
func withFiles(o crawl.Options, cfg *config.Config, ex *extract.Extractor) crawl.Options {
	if cfg.Site.FileLinks {
		o.ReadFile = ex.ReadFile
	}
	return o
}

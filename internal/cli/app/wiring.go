package app

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"sitesync/crawl"
	"sitesync/crawl/site"
	"sitesync/crawl/transport"
	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/extract/pdf"
	"sitesync/extract/profile"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/plan"
	"sitesync/internal/plan/past"
	"sitesync/internal/report"
	"sitesync/internal/weburl"
	"sitesync/internal/work"
)

// CrawlOptions returns a crawl's settings. folder is for temporary files; it is nil if nothing is crawled.
func CrawlOptions(cfg *config.Config, folder *work.Folder) crawl.Options {
	o := crawl.Options{
		Options: site.Options{
			Start: cfg.Site.Start, Folder: cfg.Site.Folder, Include: cfg.Site.Include, Exclude: cfg.Site.Exclude,
			IgnoreParams: cfg.Site.IgnoreParams, FollowOnly: cfg.Site.FollowOnly, NoFollow: cfg.Site.NoFollow,
			FileHosts: cfg.Site.FileHosts, Via: cfg.Site.Via,
		},
		Own: cfg.Own(), Links: cfg.Site.Links,
		Sitemaps: cfg.Site.Sitemaps.List, AutoSitemaps: cfg.Site.Sitemaps.Auto,
		MaxPages: cfg.Site.MaxPages, MaxDepth: cfg.Site.MaxDepth, UserAgent: cfg.Fetch.UserAgent,
		Concurrency: cfg.Fetch.Concurrency, Delay: time.Duration(cfg.Fetch.Delay),
		Timeout: time.Duration(cfg.Fetch.Timeout), Memory: int64(cfg.Fetch.Memory),
		MaxBody: int64(cfg.Fetch.MaxBody), MaxFile: int64(cfg.Fetch.MaxFile),
		IgnoreRobots: cfg.Fetch.Robots == config.Ignore, Networks: cfg.Fetch.Networks,
		Retries: cfg.Fetch.Retries, RetryWait: time.Duration(cfg.Fetch.RetryWait),
		MaxWait: time.Duration(cfg.Fetch.MaxWait),
		Proxy:   cfg.Fetch.Proxy, CAFile: cfg.Fetch.CAFile, Cookies: cfg.Fetch.Cookies,
		Render: cfg.Fetch.Render, Browser: cfg.Fetch.Browser, NoSandbox: !cfg.Fetch.BrowserSandbox,
		Credentials: credentials(cfg),
	}
	if o.UserAgent == "" {
		o.UserAgent = "sitesync/" + Version
	}
	if folder != nil {
		o.Work, o.Table, o.Group = folder.Dir, folder.Table, folder.Group
	}
	return o
}

// SiteOf returns the site that the configuration describes. It makes no request.
func SiteOf(cfg *config.Config) (*site.Site, error) {
	crawler, err := crawl.New(CrawlOptions(cfg, nil))
	if err != nil {
		return nil, Usage(err)
	}
	return crawler.Site(), crawler.Close()
}

// NewExtractor returns an extractor with the configured rules. It stops reading PDF files when ctx is done.
func (a *App) NewExtractor(ctx context.Context, cfg *config.Config) (*extract.Extractor, error) {
	files := pdf.Options{
		Cache: cfg.Extract.Cache,
		Warn:  func(text string) { a.Logger().Warn(text) }, Say: func(text string) { a.Logger().Info(text) },
	}
	if cfg.Store.Path != "" {
		files.Fallback = cfg.Store.Path + ".cache"
	}
	reader := pdf.New(files)
	context.AfterFunc(ctx, func() { _ = reader.Close() })
	o := extract.Options{
		PDF:     reader,
		Content: cfg.Extract.Content, Exclude: cfg.Extract.Exclude, Between: cfg.Extract.Between,
		Description: cfg.Extract.Description, Multi: cfg.Extract.Multi, Location: cfg.Extract.Timezone, Now: a.Now(),
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
		o.Fields = append(o.Fields, extract.Field{
			Name: f.Name, From: f.From, Where: where, Transform: f.Transform, Map: f.Map, Required: f.Required,
		})
	}
	return extract.New(o)
}

// ruleWhere returns the condition that a page matches one of the patterns. Without patterns, every page matches.
func ruleWhere(patterns []string) (extract.Where, error) {
	if len(patterns) == 0 {
		return extract.Where{}, nil
	}
	match, err := weburl.ReadPatterns("pattern", patterns)
	return extract.Where{Patterns: patterns, Match: match.Match}, err
}

// Stages returns the functions through which package plan calls the crawler and the extractor.
func Stages(cfg *config.Config, crawler *crawl.Crawler, ex *extract.Extractor, start time.Time) plan.Stages {
	type rule struct {
		where              weburl.Patterns
		before, name, text string
	}
	var rules []rule
	for _, r := range cfg.Delete.Retention {
		where, err := weburl.ReadPatterns("pattern", r.Where)
		if err != nil {
			continue
		}
		before := cutoff(cfg, r, start)
		text := fmt.Sprintf("[[delete.retention]] where %q: dated before %s", r.Where, before)
		name := strings.Join(r.Where, " ") + " before " + r.Before.String() // identifies the rule in every run
		rules = append(rules, rule{where, before, name, text})
	}
	return plan.Stages{
		Crawl: func(ctx context.Context, earlier *past.Past, sink plan.Sink) (document.Survey, error) {
			return crawler.Run(ctx, earlier, sink)
		},
		Read: ex.Read, Finish: ex.Finish, Sum: ex.Sum, Rules: ex.Rules, Held: profile.Held,
		Learner: func(known document.Profile) plan.Learner { return profile.NewLearner(known) },
		Diff:    diffstore.Diff, Told: report.Told,
		Expired: func(url, date string) (name, why string) {
			for _, r := range rules {
				if date != "" && date < r.before && r.where.Match(url) {
					return r.name, r.text
				}
			}
			return "", ""
		},
	}
}

// Target returns the index that the configuration names, as the ledger (the record of the index) stores it.
func Target(cfg *config.Config, origins []string) document.Target {
	p := &cfg.Push
	return document.Target{Base: p.BaseURL, Customer: int64(p.CustomerID), Crawler: p.CrawlerID, Origins: origins}
}

// SameIndex reports whether two targets name the same index. It ignores origins.
func SameIndex(a, b document.Target) bool {
	return a.Base == b.Base && a.Customer == b.Customer && a.Crawler == b.Crawler
}

// PushMode returns the push mode as the ledger stores it. In queue mode, a crawler of the service fetches the
// URLs of its queue. Each such crawler has its own queue, so the text names the crawler.
func PushMode(cfg *config.Config) string {
	if cfg.Push.Mode == config.ModeQueue {
		return config.ModeQueue + " for crawler " + cfg.Push.QueueCrawlerID
	}
	return cfg.Push.Mode
}

// WorkDir returns the path of the work folder, which holds the lock and the temporary files of runs.
func WorkDir(cfg *config.Config) string { return filepath.Clean(cfg.Store.Work) }

// cutoff returns the day, as YYYY/MM/DD, before which the retention rule r deletes documents.
func cutoff(cfg *config.Config, r config.Retention, start time.Time) string {
	return r.Before.Cutoff(start, cfg.Extract.Timezone).Format(config.DateLayout)
}

// BulkCutoff returns the earliest cutoff of all retention rules, if the configuration allows bulk deletes.
// Otherwise it returns "".
func BulkCutoff(cfg *config.Config, start time.Time) (first string) {
	if !cfg.Delete.Bulk || !cfg.Push.SoleWriter || cfg.Push.Mode != config.ModeDocs {
		return ""
	}
	for _, r := range cfg.Delete.Retention {
		if day := cutoff(cfg, r, start); first == "" || day < first {
			first = day
		}
	}
	return first
}

func credentials(cfg *config.Config) (all []transport.Credential) {
	for _, auth := range cfg.Fetch.Auth {
		all = append(all, transport.Credential(auth))
	}
	return all
}

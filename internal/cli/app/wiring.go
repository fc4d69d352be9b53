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

// CrawlOptions returns the crawl's settings from the configuration.
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
		Concurrency: cfg.Fetch.Concurrency, Delay: time.Duration(cfg.Fetch.Delay), Timeout: time.Duration(cfg.Fetch.Timeout),
		MaxBody: int64(cfg.Fetch.MaxBody), MaxFile: int64(cfg.Fetch.MaxFile), Memory: int64(cfg.Fetch.Memory),
		IgnoreRobots: cfg.Fetch.Robots == config.Ignore, Networks: cfg.Fetch.Networks,
		Retries: cfg.Fetch.Retries, RetryWait: time.Duration(cfg.Fetch.RetryWait), MaxWait: time.Duration(cfg.Fetch.MaxWait),
		Proxy: cfg.Fetch.Proxy, CAFile: cfg.Fetch.CAFile, Cookies: cfg.Fetch.Cookies,
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

// SiteOf returns the site as the configuration describes it, without any request.
func SiteOf(cfg *config.Config) (*site.Site, error) {
	crawler, err := crawl.New(CrawlOptions(cfg, nil))
	if err != nil {
		return nil, Usage(err)
	}
	return crawler.Site(), crawler.Close()
}

// NewExtractor returns the extractor of a run. When ctx is done, it stops reading PDF files at once.
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

// ruleWhere returns the part of the site that a rule is for. Without patterns it is the whole site.
func ruleWhere(patterns []string) (extract.Where, error) {
	if len(patterns) == 0 {
		return extract.Where{}, nil
	}
	match, err := weburl.ReadPatterns("pattern", patterns)
	return extract.Where{Patterns: patterns, Match: match.Match}, err
}

// Stages joins the stages of a run, which do not import each other.
func Stages(cfg *config.Config, crawler *crawl.Crawler, ex *extract.Extractor, start time.Time) plan.Stages {
	type rule struct {
		where              weburl.Patterns
		before, name, text string
	}
	var rules []rule
	for _, r := range cfg.Delete.Retention {
		where, err := weburl.ReadPatterns("pattern", r.Where)
		if err != nil { // the configuration was checked when it was loaded
			continue
		}
		before := cutoff(cfg, r, start)
		text := fmt.Sprintf("[[delete.retention]] where %q: dated before %s", r.Where, before)
		name := strings.Join(r.Where, " ") + " before " + r.Before.String() // the same every night, as long as the rule is
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

// Target returns the index that the configuration names, as the ledger records it.
func Target(cfg *config.Config, origins []string) document.Target {
	p := &cfg.Push
	return document.Target{Base: p.BaseURL, Customer: int64(p.CustomerID), Crawler: p.CrawlerID, Origins: origins}
}

// SameIndex reports whether two targets are one and the same index.
func SameIndex(a, b document.Target) bool {
	return a.Base == b.Base && a.Customer == b.Customer && a.Crawler == b.Crawler
}

// PushMode returns the push mode as the ledger records it. In queue mode it names the crawler that
// fetches, because another crawler would not know of any change yet.
func PushMode(cfg *config.Config) string {
	if cfg.Push.Mode == config.ModeQueue {
		return config.ModeQueue + " for crawler " + cfg.Push.QueueCrawlerID
	}
	return cfg.Push.Mode
}

// WorkDir returns the folder that runs work in.
func WorkDir(cfg *config.Config) string { return filepath.Clean(cfg.Store.Work) }

// cutoff returns the day of a retention rule, YYYY/MM/DD: older documents expire.
func cutoff(cfg *config.Config, r config.Retention, start time.Time) string {
	return r.Before.Cutoff(start, cfg.Extract.Timezone).Format(config.DateLayout)
}

// BulkCutoff returns the earliest day of all retention rules, if the configuration lets expired
// documents be deleted by a bulk delete. Else it returns "".
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

// credentials returns the logins of [[fetch.auth]], which are for hosts and proxies.
func credentials(cfg *config.Config) (all []transport.Credential) {
	for _, auth := range cfg.Fetch.Auth {
		all = append(all, transport.Credential(auth))
	}
	return all
}

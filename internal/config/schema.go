package config

import (
	"math"
	"time"
)

// many bounds numbers that have no bound of their own; it fits every machine.
const many = math.MaxInt32

// key is one key of the configuration: how it is read, and the keys inside it
// when it is a section.
type key struct {
	name string
	read reading
	sub  []key
}

// schema returns every key that this version accepts, bound to c.
func (c *Config) schema() []key {
	return []key{
		section("site", c.Site.keys()...),
		section("fetch", c.Fetch.keys()...),
		section("extract", c.Extract.keys()...),
		section("store", c.Store.keys()...),
		section("push", c.Push.keys()...),
		section("delete", c.Delete.keys()...),
		section("serve", key{name: "path", read: text(&c.Serve.Path)}),
	}
}

func (s *Site) keys() []key {
	return []key{
		{name: "start", read: texts(&s.Start, checkAddress)},
		{name: "folder", read: text(&s.Folder)},
		{name: "sitemaps", read: sitemaps(&s.Sitemaps)},
		{name: "links", read: boolean(&s.Links)},
		{name: "include", read: texts(&s.Include, checkPattern)},
		{name: "exclude", read: texts(&s.Exclude, checkPattern)},
		{name: "ignore_params", read: texts(&s.IgnoreParams, checkParam)},
		{name: "max_pages", read: whole(&s.MaxPages, 0, many)},
		{name: "max_depth", read: whole(&s.MaxDepth, 0, many)},
	}
}

func (f *Fetch) keys() []key {
	return []key{
		{name: "user_agent", read: text(&f.UserAgent, checkHeaderValue)},
		{name: "concurrency", read: whole(&f.Concurrency, 1, 64)},
		{name: "delay", read: span(&f.Delay, 0)},
		{name: "timeout", read: span(&f.Timeout, Duration(time.Millisecond))},
		{name: "max_body", read: size(&f.MaxBody, kilobyte)},
		{name: "max_file", read: size(&f.MaxFile, kilobyte)},
		{name: "max_failed_share", read: share(&f.MaxFailedShare)},
		{name: "robots", read: text(&f.Robots, oneOf(Obey, Ignore))},
		{name: "recheck", read: span(&f.Recheck, 0)},
		{name: "recheck_files", read: span(&f.RecheckFiles, 0)},
		{name: "resume", read: span(&f.Resume, 0)},
		{name: "networks", read: list(&f.Networks, wantTexts, parseNetwork)},
		sections("auth", &f.Auth, (*Auth).keys, (*Auth).check),
	}
}

func (a *Auth) keys() []key {
	return []key{
		{name: "origin", read: value(&a.Origin, wantText, parseOrigin)},
		{name: "user", read: text(&a.User, checkUser)},
		{name: "password", read: secret(&a.Password)},
		{name: "headers", read: headers(&a.Headers)},
	}
}

func (e *Extract) keys() []key {
	return []key{
		{name: "content", read: text(&e.Content, orEmpty(checkSelector))},
		{name: "exclude", read: texts(&e.Exclude, checkSelector)},
		{name: "description", read: text(&e.Description, oneOf(FromMeta, FromContent))},
		{name: "timezone", read: value(&e.Timezone, wantText, parseZone)},
	}
}

func (s *Store) keys() []key {
	return []key{
		{name: "path", read: text(&s.Path, checkFilled)},
		{name: "work", read: text(&s.Work)},
		{name: "keep_text", read: boolean(&s.KeepText)},
	}
}

func (p *Push) keys() []key {
	return []key{
		{name: "base_url", read: text(&p.BaseURL, orEmpty(checkBase))},
		{name: "customer_id", read: whole(&p.CustomerID, 1, many)},
		{name: "engine_id", read: whole(&p.EngineID, 1, many)},
		{name: "crawler_id", read: text(&p.CrawlerID, orEmpty(checkID))},
		{name: "queue_crawler_id", read: text(&p.QueueCrawlerID, orEmpty(checkID))},
		{name: "api_key", read: secret(&p.APIKey)},
		{name: "api_key_file", read: text(&p.APIKeyFile)},
		{name: "batch_documents", read: whole(&p.BatchDocuments, 1, many)},
		{name: "batch_bytes", read: size(&p.BatchBytes, kilobyte)},
	}
}

func (d *Delete) keys() []key {
	return []key{
		{name: "confirm", read: whole(&d.Confirm, 1, many)},
		{name: "out_of_scope", read: text(&d.OutOfScope, oneOf(ActDelete, ActKeep))},
		{name: "orphans", read: text(&d.Orphans, oneOf(ActKeep, ActDelete))},
		{name: "moved_away", read: text(&d.MovedAway, oneOf(ActKeep, ActDelete))},
		{name: "max", read: whole(&d.Max, 0, many)},
		{name: "max_share", read: share(&d.MaxShare)},
		{name: "max_absolute", read: whole(&d.MaxAbsolute, 0, many)},
		sections("retention", &d.Retention, (*Retention).keys, (*Retention).check),
	}
}

func (r *Retention) keys() []key {
	return []key{
		{name: "where", read: texts(&r.Where, checkPattern)},
		{name: "before", read: value(&r.Before, `an age or a day in quotes, such as "2y" or "2024/01/01"`, ParseBefore)},
	}
}

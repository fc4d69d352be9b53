package config

import (
	_ "embed"
	"net/netip"
	"time"
)

// The words that keys with a choice take.
const (
	Obey         = "obey"      // fetch.robots: follow robots.txt
	Ignore       = "ignore"    // fetch.robots: do not ask for it
	RenderNever  = "never"     // fetch.render: pages as the server sends them
	RenderAlways = "always"    // fetch.render: every page is
	FromMeta     = "meta"      // extract.description: the page's own description
	MultiFirst   = "first"     // extract.multi: of several values the first
	ModeDocs     = "documents" // push.mode: documents are sent
	ModeQueue    = "queue"     // push.mode: the hosted crawler is told which URLs changed
	ActDelete    = "delete"    // delete.out_of_scope, orphans, moved_away: delete the document
	ActKeep      = "keep"      // the same keys: keep it
	OnProblems   = "problems"  // notify.on: exit codes other than 0
	OnChanges    = "changes"   // notify.on: those, and what changed the index
)

// JSONSchema describes the file to editors (JSON schema, draft 7).
//
//go:embed sitesync.schema.json
var JSONSchema string

// Config is one configuration file. Paths are resolved against the file's
// folder; what the file leaves out holds its default.
//
// The tags of its structs are the schema: toml names the key; is says what a
// text must be, in the words of check or as the choices themselves; key says that
// of a table's names; min (or 0) bounds a number, a time or a size, max a number.
type Config struct {
	Site    Site    `toml:"site"`
	Fetch   Fetch   `toml:"fetch"`
	Extract Extract `toml:"extract"`
	Store   Store   `toml:"store"`
	Push    Push    `toml:"push"`
	Delete  Delete  `toml:"delete"`
	Serve   Serve   `toml:"serve"`
	Tools   Tools   `toml:"tools"`
	Notify  Notify  `toml:"notify"`
	Metrics Metrics `toml:"metrics"`
	Fleet   Fleet   `toml:"fleet"`

	file    string         // as the user named it
	folder  string         // site.folder as written
	beside  []*string      // paths that are given from the file's folder
	literal []string       // keys of secrets that the file holds in clear
	lines   map[string]int // where each section and key stands
	pending []Fault        // keys whose environment variable is unset
}

// Site is what belongs to the site.
type Site struct {
	Start        []string          `toml:"start" is:"address"` // as written; their origins are the scope
	Folder       string            `toml:"folder"`             // of built pages, crawled in place of Start[0]; empty: none
	Sitemaps     Sitemaps          `toml:"sitemaps"`
	Links        bool              `toml:"links"`                        // follow links as well
	Include      []string          `toml:"include" is:"pattern"`         // globs on the path, or "re:" and a regular expression; empty: all
	Exclude      []string          `toml:"exclude" is:"pattern"`         // the same
	Volatile     []string          `toml:"volatile" is:"pattern"`        // the same: the text of the page changes wholly by nature
	FollowOnly   []string          `toml:"follow_only" is:"pattern"`     // the same: links are followed, the page is not indexed
	NoFollow     []string          `toml:"no_follow" is:"pattern"`       // the same: the page is indexed, its links are not followed
	FileLinks    bool              `toml:"file_links"`                   // follow the links in files
	FileHosts    []string          `toml:"file_hosts" is:"host"`         // other hosts whose linked files belong to the site
	Via          map[string]string `toml:"via" key:"origin" is:"origin"` // live origin → staging origin to fetch from; canonical after Load
	IgnoreParams []string          `toml:"ignore_params" is:"param"`     // query parameters that are dropped; * stands for any characters
	MaxPages     int               `toml:"max_pages"`                    // 0: no limit
	MaxDepth     int               `toml:"max_depth"`                    // 0: no limit
}

// Sitemaps is where sitemaps come from: looked up, the addresses in List, or
// nowhere when Auto is false and List is empty.
type Sitemaps struct {
	Auto bool
	List []string
}

// Fetch is how pages are fetched. The keys that json leaves out are no part of Fingerprint.
type Fetch struct {
	UserAgent      string    `toml:"user_agent" is:"agent"`                 // empty: the program's own
	Concurrency    int       `toml:"concurrency" min:"1" max:"64" json:"-"` // requests at a time per host
	Delay          Duration  `toml:"delay" json:"-"`
	Timeout        Duration  `toml:"timeout" min:"1ms" json:"-"` // of connect and headers
	MaxBody        Size      `toml:"max_body" min:"1KB"`         // of a page
	MaxFile        Size      `toml:"max_file" min:"1KB"`         // of a file
	Memory         Size      `toml:"memory" min:"64MB" json:"-"` // of all pages together
	MaxFailedShare float64   `toml:"max_failed_share" json:"-"`  // 0 to 1
	Robots         string    `toml:"robots" is:"obey|ignore"`
	Recheck        Duration  `toml:"recheck"`
	RecheckFiles   Duration  `toml:"recheck_files"`
	Resume         Duration  `toml:"resume" json:"-"`           // how old an interrupted crawl may be; 0: start anew
	Networks       []Network `toml:"networks"`                  // private networks that hosts of the configuration may resolve to
	Retries        int       `toml:"retries" max:"10" json:"-"` // of one page, for what can pass
	RetryWait      Duration  `toml:"retry_wait" json:"-"`       // before the first retry; doubled before each further one
	MaxWait        Duration  `toml:"max_wait" json:"-"`         // that one host may be waited for in one run
	Proxy          string    `toml:"proxy" is:"proxy" json:"-"` // address, or "env"; empty: none
	CAFile         string    `toml:"ca_file" json:"-"`          // PEM file of further certificate authorities
	Cookies        string    `toml:"cookies" json:"-"`          // Netscape cookie file
	Render         string    `toml:"render" is:"never|auto|always"`
	Browser        string    `toml:"browser" json:"-"`         // path of Chromium; empty: looked up
	BrowserSandbox bool      `toml:"browser_sandbox" json:"-"` // false: give the browser's sandbox up
	Auth           []Auth    `toml:"auth"`
}

// Network is a private network.
type Network = struct {
	Prefix netip.Prefix
	Port   int // that is open beside those that the configuration names for a host; 0: none
}

// Auth is the credentials for one origin, sent to no other.
type Auth struct {
	Origin   string            `toml:"origin" is:"origin"` // scheme://host[:port], canonical
	User     string            `toml:"user" is:"user"`
	Password Secret            `toml:"password" is:"header"`
	Headers  map[string]Secret `toml:"headers" key:"header name" is:"header"`
}

// Extract is what is read from a page.
type Extract struct {
	Content     string         `toml:"content" is:"selector or empty"` // CSS selector of the main content; empty: found
	Exclude     []string       `toml:"exclude" is:"selector"`          // CSS selectors
	Description string         `toml:"description" is:"meta|content"`
	Timezone    *time.Location `toml:"timezone" json:"-"`            // of calendar days, never nil after Load
	Multi       string         `toml:"multi" is:"multi"`             // several values of a field: "first", or "join:" and what stands between them
	Between     []string       `toml:"exclude_between" is:"between"` // words of two comments: what stands between them is left out
	Cache       string         `toml:"cache" json:"-"`               // folder for the compiled PDF reader; empty: looked up
	Sections    []Section      `toml:"section"`
	Fields      []Field        `toml:"field"`
}

// Section is one rule of [[extract.section]]: where the main content of a part of
// the site is.
type Section struct {
	Where   []string `toml:"where" is:"pattern"`
	Content string   `toml:"content" is:"selector or empty"`
	Exclude []string `toml:"exclude" is:"selector"`
}

// Field is one rule of [[extract.field]]: what a field's value is made of.
type Field struct {
	Name      string            `toml:"name" is:"field"`
	From      []string          `toml:"from" is:"source"`         // the first that gives a value wins
	Where     []string          `toml:"where" is:"pattern"`       // empty: everywhere
	Transform []string          `toml:"transform" is:"transform"` // in this order
	Map       map[string]string `toml:"map"`                      // vocabulary of the transform "map"
	Required  bool              `toml:"required"`                 // a page without a value is not read
}

// Store is where the ledger is kept.
type Store struct {
	Path     string `toml:"path" is:"filled"` // the ledger
	Work     string `toml:"work"`             // the work folder; default: Path and ".work"
	Backup   bool   `toml:"backup"`           // a run that wrote leaves a copy of the ledger
	KeepText bool   `toml:"keep_text"`
}

// Push is where documents go.
type Push struct {
	BaseURL        string `toml:"base_url" is:"base"`       // as written, for the ledger's pin; see Base and Local
	CustomerID     int    `toml:"customer_id" min:"1"`      // 0: not given
	EngineID       int    `toml:"engine_id" min:"1"`        // 0: not given
	CrawlerID      string `toml:"crawler_id" is:"id"`       // empty: not given
	QueueCrawlerID string `toml:"queue_crawler_id" is:"id"` // default: CrawlerID
	APIKey         Secret `toml:"api_key" is:"header"`      // empty when APIKeyFile is used; see Config.Key
	APIKeyFile     string `toml:"api_key_file"`
	Mode           string `toml:"mode" is:"documents|queue"`
	SoleWriter     bool   `toml:"sole_writer"` // nobody else writes to this crawler ID
	BatchDocuments int    `toml:"batch_documents" min:"1"`
	BatchBytes     Size   `toml:"batch_bytes" min:"1KB"`
	Proxy          string `toml:"proxy" is:"proxy"` // address, or "env"; empty: none
	CAFile         string `toml:"ca_file"`          // PEM file of further certificate authorities
}

// Delete is what is deleted, and how much at once.
type Delete struct {
	Confirm     int         `toml:"confirm" min:"1"` // finished runs that must miss a page
	OutOfScope  string      `toml:"out_of_scope" is:"delete|keep"`
	Orphans     string      `toml:"orphans" is:"keep|delete"`
	MovedAway   string      `toml:"moved_away" is:"keep|delete"`
	Bulk        bool        `toml:"bulk"` // allow bulk deletes by date; needs Push.SoleWriter
	Max         int         `toml:"max"`
	MaxShare    float64     `toml:"max_share"` // 0 to 1
	MaxAbsolute int         `toml:"max_absolute"`
	Retention   []Retention `toml:"retention"`
}

// Retention is one rule of [[delete.retention]]: documents whose path matches
// Where expire when their date lies before Before.
type Retention struct {
	Where  []string `toml:"where" is:"pattern"` // globs on the path, or "re:" and a regular expression
	Before Before   `toml:"before"`
}

// Serve is the local service.
type Serve struct {
	Path string `toml:"path"` // its database; default: the ledger's path and ".service"
}

// Tools is where search tools are declared.
type Tools struct {
	File    string `toml:"file" is:"filled"` // rankings, quicklinks, banners and synonyms
	Backups string `toml:"backups"`          // folder for what is overwritten; default: the ledger's path and ".tools"
}

// Notify says who gets a message when a run ends.
type Notify struct {
	On      string   `toml:"on" is:"problems|changes|always"`
	Mail    Mail     `toml:"mail"`
	Hook    Hook     `toml:"hook"`
	Command []string `toml:"command"`                    // program and arguments; empty: none
	Ping    Secret   `toml:"ping" is:"address or empty"` // of a service that raises the alarm when no run calls it
	Proxy   string   `toml:"proxy" is:"proxy"`           // of hook and ping: address, or "env"; empty: none
	CAFile  string   `toml:"ca_file"`                    // PEM file of further certificate authorities
}

// Mail is how mail is sent.
type Mail struct {
	To       []string `toml:"to" is:"mail"` // empty: none is sent
	From     string   `toml:"from" is:"mail or empty"`
	SMTP     string   `toml:"smtp" is:"host:port or empty"`
	TLS      string   `toml:"tls" is:"starttls|tls|none"`
	User     string   `toml:"user" is:"header"`
	Password Secret   `toml:"password" is:"header"`
}

// Hook is an address that gets each message as JSON. It may hold a token.
type Hook struct {
	URL    Secret `toml:"url" is:"address or empty"`
	Secret Secret `toml:"secret"` // signs what is sent; empty: unsigned
}

// Metrics is where the figures of the last run are written.
type Metrics struct {
	File string `toml:"file"` // for the textfile collector of Prometheus's node exporter; empty: none
}

// Default returns what an empty configuration means: every key that has a
// default holds it, paths are as they would be written. It names no site, so it
// is not enough for a crawl.
func Default() Config {
	return Config{
		Site: Site{Sitemaps: Sitemaps{Auto: true}, Links: true, IgnoreParams: []string{"utm_*", "gclid", "fbclid", "PHPSESSID", "jsessionid", "sid"}},
		Fetch: Fetch{
			Concurrency: 4, Timeout: Duration(30 * time.Second), MaxBody: 25e6, MaxFile: 100e6, Memory: 256e6, MaxFailedShare: 0.10,
			Robots: Obey, Recheck: 7 * day, RecheckFiles: 30 * day, Resume: day,
			Retries: 2, RetryWait: Duration(time.Second), MaxWait: Duration(10 * time.Minute), Render: RenderNever, BrowserSandbox: true,
		},
		Extract: Extract{Description: FromMeta, Timezone: time.UTC, Multi: MultiFirst},
		Store:   Store{Path: "sitesync.db", Backup: true, KeepText: true},
		Push:    Push{Mode: ModeDocs, BatchDocuments: 100, BatchBytes: 1e6},
		Delete: Delete{
			Confirm: 1, OutOfScope: ActDelete, Orphans: ActKeep, MovedAway: ActKeep,
			Max: 10, MaxShare: 0.10, MaxAbsolute: 500,
		},
		Tools:  Tools{File: "tools.toml"},
		Notify: Notify{On: OnProblems, Mail: Mail{TLS: "starttls"}},
		Fleet:  Fleet{Schedule: "15 2 * * *", Timezone: time.UTC, Jitter: Duration(time.Hour), Priority: "normal", Limits: Limits{Host: 1}},
	}
}

package config

import (
	_ "embed"
	"net/netip"
	"time"
)

// Values of keys that take one of several words.
const (
	Obey         = "obey"      // fetch.robots: follow robots.txt
	Ignore       = "ignore"    // fetch.robots: do not request it
	RenderNever  = "never"     // fetch.render: run no scripts
	RenderAlways = "always"    // fetch.render: render every page in a browser
	FromMeta     = "meta"      // extract.description: use the description that the page names
	MultiFirst   = "first"     // extract.multi: use the first of several values
	ModeDocs     = "documents" // push.mode: send documents
	ModeQueue    = "queue"     // push.mode: tell the hosted crawler which URLs changed
	ActDelete    = "delete"    // delete.out_of_scope, orphans, moved_away: delete the document
	ActKeep      = "keep"      // delete.out_of_scope, orphans, moved_away: keep the document
	OnProblems   = "problems"  // notify.on: send a message if the exit code is not 0
	OnChanges    = "changes"   // notify.on: send one, too, if the index changed
)

// JSONSchema describes the configuration file for editors (JSON Schema, draft 7).
//
//go:embed sitesync.schema.json
var JSONSchema string

// Config holds the values of one configuration file, and defaults for the keys that the file leaves out. Load
// resolves relative paths against the folder of the file.
//
// The tags of its structs are the schema. toml is the name of the key. is names the form of a string (see
// check), key the form of the names in a table. min (default 0) and max bound numbers, durations and sizes.
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

	file    string         // the path that the user gave
	folder  string         // site.folder as written
	beside  []*string      // the paths that were relative in the file
	literal []string       // keys of secrets that the file holds in clear text
	lines   map[string]int // line number of each section and key
	pending []Fault        // keys whose environment variable is unset
}

// Site describes the site to crawl. Patterns are globs on the path, or "re:" and a regular expression.
type Site struct {
	Start      []string `toml:"start" is:"address"` // as written; their origins are the scope
	Folder     string   `toml:"folder"`             // built pages, read instead of Start[0]; empty: none
	Sitemaps   Sitemaps `toml:"sitemaps"`
	Links      bool     `toml:"links"`                    // follow links, too
	Include    []string `toml:"include" is:"pattern"`     // empty: all pages
	Exclude    []string `toml:"exclude" is:"pattern"`     // pages to leave out
	Volatile   []string `toml:"volatile" is:"pattern"`    // pages whose whole text often changes
	FollowOnly []string `toml:"follow_only" is:"pattern"` // pages to follow, but not to index
	NoFollow   []string `toml:"no_follow" is:"pattern"`   // pages to index, but not to follow
	FileLinks  bool     `toml:"file_links"`               // follow the links in PDF and DOCX files
	FileHosts  []string `toml:"file_hosts" is:"host"`     // other hosts whose linked files are indexed
	// Via maps live origins to the staging origins to fetch from. Load makes both canonical.
	Via          map[string]string `toml:"via" key:"origin" is:"origin"`
	IgnoreParams []string          `toml:"ignore_params" is:"param"` // query parameters to drop; * is a wildcard
	MaxPages     int               `toml:"max_pages"`                // 0: no limit
	MaxDepth     int               `toml:"max_depth"`                // 0: no limit
}

// Sitemaps says which sitemaps to read. With Auto the crawler finds them; else it reads those in List.
type Sitemaps struct {
	Auto bool
	List []string
}

// Fetch says how to fetch pages. Fingerprint leaves out the keys that have the tag json:"-".
type Fetch struct {
	UserAgent      string    `toml:"user_agent" is:"agent"`                 // empty: "sitesync/VERSION"
	Concurrency    int       `toml:"concurrency" min:"1" max:"64" json:"-"` // concurrent requests per host
	Delay          Duration  `toml:"delay" json:"-"`
	Timeout        Duration  `toml:"timeout" min:"1ms" json:"-"` // to connect and read the headers
	MaxBody        Size      `toml:"max_body" min:"1KB"`         // of a page, in bytes
	MaxFile        Size      `toml:"max_file" min:"1KB"`         // of a file, in bytes
	Memory         Size      `toml:"memory" min:"64MB" json:"-"` // for all pages together
	MaxFailedShare float64   `toml:"max_failed_share" json:"-"`  // 0 to 1
	Robots         string    `toml:"robots" is:"obey|ignore"`
	Recheck        Duration  `toml:"recheck"`
	RecheckFiles   Duration  `toml:"recheck_files"`
	Resume         Duration  `toml:"resume" json:"-"`           // greatest age of a crawl to resume; 0: never resume
	Networks       []Network `toml:"networks"`                  // private networks that configured hosts may be in
	Retries        int       `toml:"retries" max:"10" json:"-"` // retries of a page after temporary failures
	RetryWait      Duration  `toml:"retry_wait" json:"-"`       // before the first retry; doubles each time
	MaxWait        Duration  `toml:"max_wait" json:"-"`         // total wait for one host in a run
	Proxy          string    `toml:"proxy" is:"proxy" json:"-"` // URL, or "env"; empty: none
	CAFile         string    `toml:"ca_file" json:"-"`          // PEM file with more certificate authorities
	Cookies        string    `toml:"cookies" json:"-"`          // Netscape cookie file
	Render         string    `toml:"render" is:"never|auto|always"`
	Browser        string    `toml:"browser" json:"-"`         // path of Chromium; empty: looked up
	BrowserSandbox bool      `toml:"browser_sandbox" json:"-"` // false: run the browser without its sandbox
	Auth           []Auth    `toml:"auth"`
}

// Network is a private network.
type Network = struct {
	Prefix netip.Prefix
	Port   int // one more port that is allowed there; 0: none
}

// Auth holds the credentials for one origin. No other origin gets them.
type Auth struct {
	Origin   string            `toml:"origin" is:"origin"` // scheme://host[:port], canonical
	User     string            `toml:"user" is:"user"`
	Password Secret            `toml:"password" is:"header"`
	Headers  map[string]Secret `toml:"headers" key:"header name" is:"header"`
}

// Extract says how to make documents of pages.
type Extract struct {
	Content     string         `toml:"content" is:"selector or empty"` // of the main content; empty: find it
	Exclude     []string       `toml:"exclude" is:"selector"`          // elements to remove
	Description string         `toml:"description" is:"meta|content"`
	Timezone    *time.Location `toml:"timezone" json:"-"`            // of calendar days; never nil after Load
	Multi       string         `toml:"multi" is:"multi"`             // several values: "first", or "join:SEPARATOR"
	Between     []string       `toml:"exclude_between" is:"between"` // "A B": remove from comment A to comment B
	Cache       string         `toml:"cache" json:"-"`               // folder for the compiled PDF reader
	Sections    []Section      `toml:"section"`
	Fields      []Field        `toml:"field"`
}

// Section is one [[extract.section]]: selectors for the pages that match Where.
type Section struct {
	Where   []string `toml:"where" is:"pattern"`
	Content string   `toml:"content" is:"selector or empty"`
	Exclude []string `toml:"exclude" is:"selector"`
}

// Field is one [[extract.field]]: the sources of a field's value.
type Field struct {
	Name      string            `toml:"name" is:"field"`
	From      []string          `toml:"from" is:"source"`         // the first source with a value wins
	Where     []string          `toml:"where" is:"pattern"`       // empty: all pages
	Transform []string          `toml:"transform" is:"transform"` // applied in this order
	Map       map[string]string `toml:"map"`                      // values for the transform "map"
	Required  bool              `toml:"required"`                 // a page without a value counts as unread
}

// Store says where the ledger is.
type Store struct {
	Path     string `toml:"path" is:"filled"` // the ledger
	Work     string `toml:"work"`             // the work folder; default: Path + ".work"
	Backup   bool   `toml:"backup"`           // copy the ledger after a run that wrote to it
	KeepText bool   `toml:"keep_text"`        // keep the text of documents in the ledger
}

// Push says where and how to send documents.
type Push struct {
	BaseURL        string `toml:"base_url" is:"base"`       // as written, for the ledger; see Base and Local
	CustomerID     int    `toml:"customer_id" min:"1"`      // 0: missing
	EngineID       int    `toml:"engine_id" min:"1"`        // 0: missing
	CrawlerID      string `toml:"crawler_id" is:"id"`       // empty: missing
	QueueCrawlerID string `toml:"queue_crawler_id" is:"id"` // default: CrawlerID
	APIKey         Secret `toml:"api_key" is:"header"`      // empty if APIKeyFile is used; see Config.Key
	APIKeyFile     string `toml:"api_key_file"`
	Mode           string `toml:"mode" is:"documents|queue"`
	SoleWriter     bool   `toml:"sole_writer"` // nobody else writes to this crawler ID
	BatchDocuments int    `toml:"batch_documents" min:"1"`
	BatchBytes     Size   `toml:"batch_bytes" min:"1KB"`
	Proxy          string `toml:"proxy" is:"proxy"` // URL, or "env"; empty: none
	CAFile         string `toml:"ca_file"`          // PEM file with more certificate authorities
}

// Delete says what to delete, and how much at once.
type Delete struct {
	Confirm     int         `toml:"confirm" min:"1"` // number of finished runs that must miss a page
	OutOfScope  string      `toml:"out_of_scope" is:"delete|keep"`
	Orphans     string      `toml:"orphans" is:"keep|delete"`
	MovedAway   string      `toml:"moved_away" is:"keep|delete"`
	Bulk        bool        `toml:"bulk"` // allow bulk deletes by date; requires Push.SoleWriter
	Max         int         `toml:"max"`
	MaxShare    float64     `toml:"max_share"` // 0 to 1
	MaxAbsolute int         `toml:"max_absolute"`
	Retention   []Retention `toml:"retention"`
}

// Retention is one [[delete.retention]]: documents on pages that match Where expire if their date is earlier
// than Before.
type Retention struct {
	Where  []string `toml:"where" is:"pattern"`
	Before Before   `toml:"before"`
}

// Serve configures the local service.
type Serve struct {
	Path string `toml:"path"` // its database; default: Store.Path + ".service"
}

// Tools says where search tools are declared.
type Tools struct {
	File    string `toml:"file" is:"filled"`
	Backups string `toml:"backups"` // folder for copies of overwritten tools; default: Store.Path + ".tools"
}

// Notify says who gets a message after a run.
type Notify struct {
	On      string   `toml:"on" is:"problems|changes|always"`
	Mail    Mail     `toml:"mail"`
	Hook    Hook     `toml:"hook"`
	Command []string `toml:"command"`                    // program and arguments
	Ping    Secret   `toml:"ping" is:"address or empty"` // URL to call after each run
	Proxy   string   `toml:"proxy" is:"proxy"`           // for hook and ping: URL, or "env"
	CAFile  string   `toml:"ca_file"`                    // PEM file with more certificate authorities
}

// Mail configures messages by mail.
type Mail struct {
	To       []string `toml:"to" is:"mail"` // empty: no mail
	From     string   `toml:"from" is:"mail or empty"`
	SMTP     string   `toml:"smtp" is:"host:port or empty"`
	TLS      string   `toml:"tls" is:"starttls|tls|none"`
	User     string   `toml:"user" is:"header"`
	Password Secret   `toml:"password" is:"header"`
}

// Hook is a URL that gets each message as JSON.
type Hook struct {
	URL    Secret `toml:"url" is:"address or empty"` // it may hold a token
	Secret Secret `toml:"secret"`                    // key of the signature; empty: messages are not signed
}

// Metrics says where to write the figures of the last run.
type Metrics struct {
	File string `toml:"file"` // for the textfile collector of Prometheus
}

// Default returns the values of an empty file: the defaults. Relative paths are not resolved. No site is
// named, so it is not enough for a crawl.
func Default() Config {
	return Config{
		Site: Site{
			Sitemaps: Sitemaps{Auto: true}, Links: true,
			IgnoreParams: []string{"utm_*", "gclid", "fbclid", "PHPSESSID", "jsessionid", "sid"},
		},
		Fetch: Fetch{
			Concurrency: 4, Timeout: Duration(30 * time.Second), MaxBody: 25e6, MaxFile: 100e6, Memory: 256e6,
			MaxFailedShare: 0.10, Robots: Obey, Recheck: 7 * day, RecheckFiles: 30 * day, Resume: day,
			Retries: 2, RetryWait: Duration(time.Second), MaxWait: Duration(10 * time.Minute),
			Render: RenderNever, BrowserSandbox: true,
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
		Fleet: Fleet{
			Schedule: "15 2 * * *", Timezone: time.UTC, Jitter: Duration(time.Hour), Priority: "normal",
			Limits: Limits{Host: 1},
		},
	}
}

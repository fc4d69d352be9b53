package config

import (
	_ "embed"
	"net/netip"
	"time"
)

// Values of keys that accept only certain words. Each comment names the key and the effect of the word.
const (
	Obey         = "obey"      // fetch.robots: obey robots.txt
	Ignore       = "ignore"    // fetch.robots: do not request robots.txt
	RenderNever  = "never"     // fetch.render: run no scripts of pages
	RenderAlways = "always"    // fetch.render: render every page in a browser
	FromMeta     = "meta"      // extract.description: use the description in the page's metadata
	MultiFirst   = "first"     // extract.multi: use the first of a field's values
	ModeDocs     = "documents" // push.mode: send documents
	ModeQueue    = "queue"     // push.mode: tell the search service's crawler which URLs changed
	ActDelete    = "delete"    // delete.out_of_scope, orphans, moved_away: delete the document
	ActKeep      = "keep"      // delete.out_of_scope, orphans, moved_away: keep the document
	OnProblems   = "problems"  // notify.on: send a message if the exit code is not 0
	OnChanges    = "changes"   // notify.on: send a message if the exit code is not 0 or the index changed
)

// JSONSchema describes the configuration file for editors (JSON Schema, draft 7).
//
//go:embed sitesync.schema.json
var JSONSchema string

// Config holds the values of one configuration file. Keys that the file leaves out have their defaults. Load
// resolves relative paths against the folder of the file.
//
// The struct tags are the schema of the file. "toml" is the name of a key. "is" is the form of a string (see
// the function check). "key" is the form of the names in a table. "min" (default 0) and "max" bound numbers,
// durations and sizes.
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

	file            string
	folderAsWritten string
	relativePaths   []*string
	clearSecrets    []string
	lines           map[string]int
	pending         []Fault // one fault for each key whose environment variable is unset or empty
}

// Site describes the site to crawl. A pattern is a glob on the URL path, or "re:" and a regular expression.
type Site struct {
	Start      []string `toml:"start" is:"address"` // first URLs, as written; only their origins are crawled
	Folder     string   `toml:"folder"`             // folder to crawl as if it were at Start[0]; empty: none
	Sitemaps   Sitemaps `toml:"sitemaps"`
	Links      bool     `toml:"links"`                // follow the links on pages, beside the sitemaps
	Include    []string `toml:"include" is:"pattern"` // the only pages to crawl; empty: all
	Exclude    []string `toml:"exclude" is:"pattern"`
	Volatile   []string `toml:"volatile" is:"pattern"`    // pages whose whole text changes by nature
	FollowOnly []string `toml:"follow_only" is:"pattern"` // pages that are crawled, but not indexed
	NoFollow   []string `toml:"no_follow" is:"pattern"`   // pages whose links are not followed
	FileLinks  bool     `toml:"file_links"`               // follow the links in PDF and DOCX files
	FileHosts  []string `toml:"file_hosts" is:"host"`     // other hosts whose linked files are indexed
	// Via maps origins of the live site to the staging origins to fetch instead. Load normalises both.
	Via          map[string]string `toml:"via" key:"origin" is:"origin"`
	IgnoreParams []string          `toml:"ignore_params" is:"param"` // query parameters to drop; * is a wildcard
	MaxPages     int               `toml:"max_pages"`                // largest number of pages; 0: no limit
	MaxDepth     int               `toml:"max_depth"`                // links from a start page; 0: no limit
}

// Sitemaps says which sitemaps to read: all that the crawler finds if Auto is true, otherwise those in List.
type Sitemaps struct {
	Auto bool
	List []string
}

// Fetch says how to fetch pages. The method Fingerprint ignores the keys that have the tag json:"-".
type Fetch struct {
	UserAgent      string    `toml:"user_agent" is:"agent"`                 // empty: "sitesync/VERSION"
	Concurrency    int       `toml:"concurrency" min:"1" max:"64" json:"-"` // requests to one host at a time
	Delay          Duration  `toml:"delay" json:"-"`
	Timeout        Duration  `toml:"timeout" min:"1ms" json:"-"` // limit to connect and get the headers
	MaxBody        Size      `toml:"max_body" min:"1KB"`         // largest page to read, in bytes
	MaxFile        Size      `toml:"max_file" min:"1KB"`         // largest file to read, in bytes
	Memory         Size      `toml:"memory" min:"64MB" json:"-"` // bytes for all pages in progress
	MaxFailedShare float64   `toml:"max_failed_share" json:"-"`  // share of failed pages, 0 to 1
	Robots         string    `toml:"robots" is:"obey|ignore"`
	Recheck        Duration  `toml:"recheck"`                   // longest time between full fetches of a page
	RecheckFiles   Duration  `toml:"recheck_files"`             // as Recheck, for files
	Resume         Duration  `toml:"resume" json:"-"`           // resume crawls up to this age; 0: never
	Networks       []Network `toml:"networks"`                  // private networks the crawler may enter
	Retries        int       `toml:"retries" max:"10" json:"-"` // retries after temporary failures
	RetryWait      Duration  `toml:"retry_wait" json:"-"`       // before the first retry; doubles each time
	MaxWait        Duration  `toml:"max_wait" json:"-"`         // limit of all waiting for one host in a run
	Proxy          string    `toml:"proxy" is:"proxy" json:"-"` // URL, or "env" (HTTPS_PROXY); empty: none
	CAFile         string    `toml:"ca_file" json:"-"`          // PEM file of certificate authorities to add
	Cookies        string    `toml:"cookies" json:"-"`          // path of a Netscape cookie file
	Render         string    `toml:"render" is:"never|auto|always"`
	Browser        string    `toml:"browser" json:"-"`         // path of Chromium; empty: search the PATH
	BrowserSandbox bool      `toml:"browser_sandbox" json:"-"` // false: run the browser without its sandbox
	Auth           []Auth    `toml:"auth"`
}

// Network is a private network to which the crawler may connect.
type Network = struct {
	Prefix netip.Prefix
	Port   int // one more port that is allowed, besides the ports of configured URLs; 0: none
}

// Auth holds the credentials for one origin. They are sent to no other origin.
type Auth struct {
	Origin   string            `toml:"origin" is:"origin"` // scheme://host[:port], canonical
	User     string            `toml:"user" is:"user"`
	Password Secret            `toml:"password" is:"header"`
	Headers  map[string]Secret `toml:"headers" key:"header name" is:"header"`
}

// Extract says how pages become documents.
type Extract struct {
	Content     string         `toml:"content" is:"selector or empty"` // selector of main text; empty: find it
	Exclude     []string       `toml:"exclude" is:"selector"`          // selectors of elements to remove
	Description string         `toml:"description" is:"meta|content"`
	Timezone    *time.Location `toml:"timezone" json:"-"`            // time zone of dates; not nil after Load
	Multi       string         `toml:"multi" is:"multi"`             // "first" of several values, or "join:SEP"
	Between     []string       `toml:"exclude_between" is:"between"` // "A B": drop from <!--A--> to <!--B-->
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
	Where     []string          `toml:"where" is:"pattern"`       // pages of this rule; empty: all
	Transform []string          `toml:"transform" is:"transform"` // conversions of the value, in this order
	Map       map[string]string `toml:"map"`                      // old to new values, for transform "map"
	Required  bool              `toml:"required"`                 // a page without a value counts as not read
}

// Store says where the ledger is, the file that records what the index holds.
type Store struct {
	Path     string `toml:"path" is:"filled"`
	Work     string `toml:"work"`      // folder for work in progress; default: Path + ".work"
	Backup   bool   `toml:"backup"`    // copy the ledger after each run that wrote to it
	KeepText bool   `toml:"keep_text"` // keep the text of documents in the ledger
}

// Push says how to send documents to the search service.
type Push struct {
	BaseURL        string `toml:"base_url" is:"base"`       // as written; see the methods Base and Local
	CustomerID     int    `toml:"customer_id" min:"1"`      // account number; 0: missing
	EngineID       int    `toml:"engine_id" min:"1"`        // search engine of the visitors; 0: missing
	CrawlerID      string `toml:"crawler_id" is:"id"`       // part of the index to write to; empty: missing
	QueueCrawlerID string `toml:"queue_crawler_id" is:"id"` // crawler for queued URLs; default: CrawlerID
	APIKey         Secret `toml:"api_key" is:"header"`      // empty if APIKeyFile is used; see Config.Key
	APIKeyFile     string `toml:"api_key_file"`
	Mode           string `toml:"mode" is:"documents|queue"`
	SoleWriter     bool   `toml:"sole_writer"` // no other program writes to this crawler ID
	BatchDocuments int    `toml:"batch_documents" min:"1"`
	BatchBytes     Size   `toml:"batch_bytes" min:"1KB"`
	Proxy          string `toml:"proxy" is:"proxy"` // URL, or "env" (HTTPS_PROXY); empty: none
	CAFile         string `toml:"ca_file"`          // PEM file of additional certificate authorities
}

// Delete says which documents to delete, and how many at once.
type Delete struct {
	Confirm     int         `toml:"confirm" min:"1"` // number of finished runs in a row that must miss a page
	OutOfScope  string      `toml:"out_of_scope" is:"delete|keep"`
	Orphans     string      `toml:"orphans" is:"keep|delete"`
	MovedAway   string      `toml:"moved_away" is:"keep|delete"`
	Bulk        bool        `toml:"bulk"` // allow bulk deletes by date; requires Push.SoleWriter
	Max         int         `toml:"max"`
	MaxShare    float64     `toml:"max_share"` // from 0 to 1
	MaxAbsolute int         `toml:"max_absolute"`
	Retention   []Retention `toml:"retention"`
}

// Retention is a [[delete.retention]]: documents that match Where are deleted if they are older than Before.
type Retention struct {
	Where  []string `toml:"where" is:"pattern"`
	Before Before   `toml:"before"`
}

// Serve configures the local search service.
type Serve struct {
	Path string `toml:"path"` // database of the service; default: Store.Path + ".service"
}

// Tools says where search tools, such as rankings and synonyms, are declared.
type Tools struct {
	File    string `toml:"file" is:"filled"`
	Backups string `toml:"backups"` // folder for copies of overwritten tools; default: Store.Path + ".tools"
}

// Notify says who gets a message after a run.
type Notify struct {
	On      string   `toml:"on" is:"problems|changes|always"`
	Mail    Mail     `toml:"mail"`
	Hook    Hook     `toml:"hook"`
	Command []string `toml:"command"`                    // program to run, with its arguments
	Ping    Secret   `toml:"ping" is:"address or empty"` // URL to request after each run
	Proxy   string   `toml:"proxy" is:"proxy"`           // for Hook and Ping: URL, or "env" (HTTPS_PROXY)
	CAFile  string   `toml:"ca_file"`                    // PEM file of additional certificate authorities
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
	URL    Secret `toml:"url" is:"address or empty"` // secret, because a URL may hold a token
	Secret Secret `toml:"secret"`                    // key that signs messages; empty: no signature
}

// Metrics says where to write the figures of the last run.
type Metrics struct {
	File string `toml:"file"` // for the textfile collector of Prometheus
}

// Default returns the values of an empty file, with relative paths not resolved. It names no site to crawl.
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

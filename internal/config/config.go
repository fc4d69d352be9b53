package config

import (
	"net/netip"
	"time"
)

// The words that keys with a choice take.
const (
	Obey        = "obey"    // fetch.robots: follow robots.txt
	Ignore      = "ignore"  // fetch.robots: do not ask for it
	FromMeta    = "meta"    // extract.description: the page's own description
	FromContent = "content" // extract.description: its main text
	ActDelete   = "delete"  // delete.out_of_scope, orphans, moved_away: delete the document
	ActKeep     = "keep"    // the same keys: keep it
)

// Config is one configuration file. Paths are resolved against the file's
// folder; what the file leaves out holds its default.
type Config struct {
	Site    Site
	Fetch   Fetch
	Extract Extract
	Store   Store
	Push    Push
	Delete  Delete
	Serve   Serve

	file     string         // as the user named it
	folder   string         // site.folder as written
	lines    map[string]int // where each section and key stands
	pending  []Fault        // keys whose environment variable is unset
	warnings []string
}

// Site is what belongs to the site.
type Site struct {
	Start        []string // addresses as written; their origins are the scope
	Folder       string   // folder of built pages that is crawled in place of Start[0]; empty: none
	Sitemaps     Sitemaps
	Links        bool     // follow links as well
	Include      []string // globs on the path, or "re:" and a regular expression; empty: all
	Exclude      []string // the same
	IgnoreParams []string // query parameters that are dropped; * stands for any characters
	MaxPages     int      // 0: no limit
	MaxDepth     int      // 0: no limit
}

// Sitemaps is where sitemaps come from: looked up, the addresses in List, or
// nowhere when Auto is false and List is empty.
type Sitemaps struct {
	Auto bool
	List []string
}

// Fetch is how pages are fetched.
type Fetch struct {
	UserAgent      string // empty: the program's own
	Concurrency    int    // requests at a time per host, 1 to 64
	Delay          Duration
	Timeout        Duration // of connect and headers
	MaxBody        Size     // of a page
	MaxFile        Size     // of a PDF or DOCX
	MaxFailedShare float64  // 0 to 1
	Robots         string   // Obey or Ignore
	Recheck        Duration
	RecheckFiles   Duration
	Resume         Duration       // how old an interrupted crawl may be; 0: start anew
	Networks       []netip.Prefix // private networks that start hosts may resolve to
	Auth           []Auth
}

// Auth is the credentials for one origin, sent to no other.
type Auth struct {
	Origin   string // scheme://host[:port], canonical
	User     string
	Password Secret
	Headers  map[string]Secret
}

// Extract is what is read from a page.
type Extract struct {
	Content     string         // CSS selector of the main content; empty: found
	Exclude     []string       // CSS selectors
	Description string         // FromMeta or FromContent
	Timezone    *time.Location // of calendar days, never nil after Load
}

// Store is where the ledger is kept.
type Store struct {
	Path     string // the ledger
	Work     string // the work folder; default: Path and ".work"
	KeepText bool
}

// Push is where documents go.
type Push struct {
	BaseURL        string // as written, for the ledger's pin; see Base and Local
	CustomerID     int
	EngineID       int // 0: not given
	CrawlerID      string
	QueueCrawlerID string // default: CrawlerID
	APIKey         Secret // empty when APIKeyFile is used; see Config.Key
	APIKeyFile     string
	BatchDocuments int
	BatchBytes     Size
}

// Delete is what is deleted, and how much at once.
type Delete struct {
	Confirm     int    // finished runs that must miss a page
	OutOfScope  string // ActDelete or ActKeep
	Orphans     string // ActDelete or ActKeep
	MovedAway   string // ActDelete or ActKeep
	Max         int
	MaxShare    float64 // 0 to 1
	MaxAbsolute int
	Retention   []Retention
}

// Serve is the local service.
type Serve struct {
	Path string // its database; default: the ledger's path and ".service"
}

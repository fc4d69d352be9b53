package crawl

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"sitesync/crawl/robots"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// Options are the settings of a crawl: the `[site]` and `[fetch]` sections of
// the configuration, and where to work.
type Options struct {
	Start        []string
	Folder       string   // crawl this folder as if it were served at the start URL; empty: the network
	Own          []string // files and folders that are no pages, should they lie in Folder
	Sitemaps     []string // addresses; used when AutoSitemaps is false
	AutoSitemaps bool     // robots.txt, else /sitemap.xml
	Links        bool
	Include      []string
	Exclude      []string
	IgnoreParams []string
	FollowOnly   []string                                     // patterns: followed, not indexed
	NoFollow     []string                                     // patterns: indexed, not followed
	ReadFile     func(*document.Page) (*document.File, error) // for the links in files; nil: they are not followed
	FileHosts    []string                                     // hosts whose linked files belong to the site
	Via          map[string]string                            // live origin → origin that is asked in its place
	MaxPages     int                                          // 0: no limit
	MaxDepth     int                                          // links from a start URL or a sitemap; 0: no limit
	UserAgent    string
	Concurrency  int // per host
	Delay        time.Duration
	Timeout      time.Duration
	MaxBody      int64 // bytes of a page
	MaxFile      int64 // bytes of a file
	Memory       int64 // bytes of bodies, trees and drafts of all pages together; 0: 256 MB
	IgnoreRobots bool
	Networks     []transport.Network
	Credentials  []transport.Credential
	Retries      int           // further requests for one page, for faults that can pass
	RetryWait    time.Duration // before the first retry; doubled before each further one
	MaxWait      time.Duration // that one host may be waited for in one run: see pace.New
	Proxy        string        // address, or "env"; empty: none
	CAFile       string        // PEM file; empty: the machine's authorities alone
	Cookies      string        // Netscape cookie file; empty: none
	Render       string        // "never", "auto" or "always"; empty: never
	Browser      string        // path of Chromium; empty: looked up
	NoSandbox    bool          // give the browser's sandbox up

	Began       time.Time             // the run's start; zero: now
	Only        func(url string) bool // nil: everything in scope
	OnlyURLs    []string              // asked even when nothing leads to them
	MaxDuration time.Duration         // 0: no limit; URLs that are not asked by then make the run incomplete

	Work     string // folder of the frontier's files
	Table    *spool.Table
	Group    *spool.Group
	Progress *Progress // may be nil
}

// Progress counts what a crawl has done so far, for a display.
type Progress struct {
	Found, Looked atomic.Int64
}

// Past is what crawl asks of earlier runs.
type Past interface {
	// Known calls visit for every URL of the ledger, in order.
	Known(visit func(url string, known document.Known) error) error
	// Lookup returns the facts about one URL.
	Lookup(url string) (document.Known, error)
	// Host returns what is remembered of a host.
	Host(origin string) (document.HostMemory, error)
}

// Sink takes the pages. It is called from many goroutines at once; a page's tree
// and body are its own only until it returns.
type Sink interface {
	Page(ctx context.Context, p *document.Page) error
}

// linkRules is everything in the options that decides which links are followed.
func (o *Options) linkRules() string {
	rules := fmt.Sprintf("%q %q %q %q %t %d %q %q %q %q", o.Start, o.Include, o.Exclude, o.IgnoreParams, o.Links, o.MaxDepth,
		robots.ProductToken(o.UserAgent), o.FollowOnly, o.NoFollow, o.FileHosts)
	if o.Render == renderAuto || o.Render == renderAlways {
		rules += " rendered"
	}
	if o.ReadFile != nil {
		rules += " files"
	}
	return rules
}

package crawl

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"sitesync/crawl/robots"
	"sitesync/crawl/site"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// Options are the settings of a crawl, from the sections `[site]` and `[fetch]` of the configuration.
type Options struct {
	site.Options          // which URLs belong to the site
	Own          []string // sitesync's own files and folders, which are no pages even in a crawled folder
	Sitemaps     []string // addresses of sitemaps; used when AutoSitemaps is false
	AutoSitemaps bool     // use the sitemaps in robots.txt; if it names none, /sitemap.xml
	Links        bool     // follow links
	MaxPages     int      // 0: no limit
	MaxDepth     int      // most links from a start URL or a sitemap to a page; 0: no limit
	// ReadFile reads a file, such as a PDF, for its links. If it is nil, links in files are not followed.
	ReadFile     func(*document.Page) (*document.File, error)
	UserAgent    string
	Concurrency  int // most requests to one host at the same time
	Delay        time.Duration
	Timeout      time.Duration
	MaxBody      int64 // most bytes of a page
	MaxFile      int64 // most bytes of a file
	Memory       int64 // most bytes for bodies, trees and extracted texts of all pages; 0: 256 MB
	IgnoreRobots bool
	Networks     []transport.Network
	Credentials  []transport.Credential
	Retries      int           // retries of one page after temporary faults
	RetryWait    time.Duration // wait before the first retry; doubled before each further retry
	MaxWait      time.Duration // most time that a run waits for a host: retries, Retry-After and slow answers
	Proxy        string        // address, or "env" for HTTP_PROXY and HTTPS_PROXY; empty: none
	CAFile       string        // PEM file; empty: only the machine's certificate authorities
	Cookies      string        // Netscape cookie file; empty: none
	Render       string        // "never", "auto" or "always"; empty: never
	Browser      string        // path of Chromium; empty: search the usual places
	NoSandbox    bool          // run the browser without its sandbox

	Began       time.Time             // the run's start; zero: now
	Only        func(url string) bool // whether a URL in scope may be requested; nil: always
	OnlyURLs    []string              // URLs that are requested even when nothing links to them
	MaxDuration time.Duration         // 0: no limit. The run is incomplete if URLs remain after this time.

	Work     string // folder for the queue of URLs and other files of a run
	Table    *spool.Table
	Group    *spool.Group
	Progress *Progress // may be nil
}

// Progress counts the URLs that a crawl has found, and those that it has handled.
type Progress struct {
	Found, Looked atomic.Int64
}

// Past gives access to earlier runs.
type Past interface {
	// Known calls visit for every URL of the ledger (the record of earlier runs), in the order of the URLs.
	Known(visit func(url string, known document.Known) error) error
	// Lookup returns what the ledger records about one URL.
	Lookup(url string) (document.Known, error)
	// Host returns the facts that the ledger keeps about a host.
	Host(origin string) (document.HostMemory, error)
}

// Sink takes the pages. Many goroutines call it at once. A page's tree and body are valid during the call
// only.
type Sink interface {
	Page(ctx context.Context, p *document.Page) error
}

func (o *Options) linkRules() string {
	rules := fmt.Sprintf("%q %q %q %q %t %d %q %q %q %q", o.Start, o.Include, o.Exclude, o.IgnoreParams,
		o.Links, o.MaxDepth, robots.ProductToken(o.UserAgent), o.FollowOnly, o.NoFollow, o.FileHosts)
	if o.Render == renderAuto || o.Render == renderAlways {
		rules += " rendered"
	}
	if o.ReadFile != nil {
		rules += " files"
	}
	return rules
}

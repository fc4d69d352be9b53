package document

import (
	"fmt"
	"time"

	"github.com/cespare/xxhash/v2"
)

// Target identifies the search index that a ledger belongs to. The ledger records what this index holds.
type Target struct {
	Base     string   `cbor:"1,keyasint" json:"base"` // base address as configured
	Customer int64    `cbor:"2,keyasint" json:"customer"`
	Crawler  string   `cbor:"3,keyasint" json:"crawler"`
	Origins  []string `cbor:"4,keyasint" json:"origins"` // origins of the start URLs, sorted
}

type HostState string

// The states of a host. Unless the state is HostOK, only documents whose page answers 410 or has moved are
// deleted. In the states HostIll and HostSitemapCollapse, the owner may release the other deletes.
const (
	HostOK              HostState = "ok"
	HostIll             HostState = "ill"     // most documents of a host are missing, redirected or replaced
	HostGuarded         HostState = "guarded" // a login, a bot challenge or a maintenance notice replaces the pages
	HostRobotsOutage    HostState = "robots-outage"
	HostSitemapCollapse HostState = "sitemap-collapse"
	HostUnreachable     HostState = "unreachable"
)

// RobotsUnread is the prefix of Host.Reason if the request for robots.txt failed.
const RobotsUnread = "robots.txt can't be read: "

// Host is the state and the counts of one host in one run.
type Host struct {
	Host     string        `json:"host"` // scheme://host[:port]
	State    HostState     `json:"state"`
	Reason   string        `json:"reason"`
	ReadOnly bool          `json:"read_only"`         // State is not HostOK
	Covered  bool          `json:"covered"`           // the crawl looked at every URL
	Sitemap  int           `json:"sitemap,omitempty"` // number of URLs in the sitemaps
	Unlisted bool          `json:"-"`                 // a sitemap could not be read, so Sitemap is too low
	Foreign  int           `json:"-"`                 // number of sitemap entries on hosts outside the site
	Asked    int           `json:"asked"`             // number of URLs looked at
	Unread   int           `json:"unread"`            // number of these URLs that could not be read
	Unseen   int           `json:"unseen,omitempty"`  // see Counts.Unseen
	Refused  int           `json:"refused,omitempty"` // refused pages, if over fetch.max_failed_share; else 0
	Alarms   []string      `json:"alarms,omitempty"`  // for people: problems that set the run's exit code
	Folded   []string      `json:"folded,omitempty"`  // origins that redirect here; their URLs count here
	Repeats  []string      `json:"-"`                 // forms of URLs whose pages all have one text
	Robots   *RobotsCopy   `json:"-"`                 // nil: robots.txt was not read
	Followed string        `json:"-"`                 // hash of the settings that decide which links are followed
	Delay    time.Duration `json:"-"`                 // Crawl-delay of robots.txt
	Expires  time.Time     `json:"-"`                 // end of the TLS certificate; zero without one
}

// RobotsCopy is the newest robots.txt that a run could read from a host. It is zero if no run has read a copy.
type RobotsCopy struct {
	File []byte `cbor:"1,keyasint,omitempty" json:"file,omitempty"`
	Read int64  `cbor:"2,keyasint,omitempty" json:"read,omitempty"` // Unix seconds
	Lost int    `cbor:"3,keyasint,omitempty" json:"lost,omitempty"` // later runs that could not read robots.txt
}

// HostMemory is the ledger's entry of one host, for the next run.
type HostMemory struct {
	Sitemap    int   `cbor:"1,keyasint,omitempty" json:"sitemap,omitempty"` // expected number of sitemap URLs
	Validators Trust `cbor:"2,keyasint" json:"validators"`
	Lastmod    Trust `cbor:"3,keyasint" json:"lastmod"`
	// Followed is Host.Followed of the last run; empty if that run was incomplete. The next run does not see
	// the links of pages that it skips. So it skips pages only if its own Host.Followed is the same.
	Followed string   `cbor:"4,keyasint,omitempty" json:"followed,omitempty"`
	Folded   []string `cbor:"5,keyasint,omitempty" json:"folded,omitempty"` // Host.Folded of the last run

	Robots  RobotsCopy `cbor:"6,keyasint,omitzero" json:"robots,omitzero"`
	Repeats []string   `cbor:"7,keyasint,omitempty" json:"repeats,omitempty"` // Host.Repeats of the last run
	// Folds counts checks of rel=canonical. A check is a lie if the named URL has no page with similar text.
	Folds Trust `cbor:"8,keyasint,omitzero" json:"folds,omitzero"`
}

// Trust counts how often a hint of a host (such as lastmod) was checked against the page. Checks are numbered
// from 1. Lies has the numbers of those checks, among the last 1,000, that found the hint wrong.
type Trust struct {
	Checks int   `cbor:"1,keyasint,omitempty" json:"checks"`
	Lies   []int `cbor:"2,keyasint,omitempty" json:"lies,omitempty"`
}

// Counts are the totals of a run.
type Counts struct {
	Discovered    int `json:"discovered"`
	Fetched       int `json:"fetched"`
	NotModified   int `json:"not_modified"`
	SkippedByHint int `json:"skipped_by_hint"`
	Unchanged     int `json:"unchanged"`
	Put           int `json:"put"`
	Patch         int `json:"patch"`
	Delete        int `json:"delete"`
	BulkDelete    int `json:"bulk_delete"`
	Queue         int `json:"queue"`
	Held          int `json:"held"`
	Failed        int `json:"failed"`
	Unseen        int `json:"unseen,omitempty"` // documents that redirect, look broken or name a wrong canonical
	Refused       int `json:"refused"`
	LeftOut       int `json:"left_out,omitempty"` // URLs of the site that make no document
}

// Count counts one change that is sent or planned.
func (c *Counts) Count(op Op) {
	switch op {
	case Put:
		c.Put++
	case Patch:
		c.Patch++
	case Delete:
		c.Delete++
	case BulkDelete:
		c.BulkDelete++
	case Queue:
		c.Queue++
	}
}

// Calls returns the number of changes that were sent or are planned.
func (c *Counts) Calls() int { return c.Put + c.Patch + c.Delete + c.BulkDelete + c.Queue }

// SitemapDiff counts how the sitemaps of this run differ from the sitemaps of the previous run.
type SitemapDiff struct {
	Added    int `json:"added"`
	Removed  int `json:"removed"`
	Modified int `json:"modified"`
}

// Cap is a pattern of URLs that the crawl stopped following, because they seem to be endless.
type Cap struct {
	Host    string // scheme://host[:port]
	Pattern string // regular expression on path and query; valid in site.exclude after "re:"
	Why     string
	Example string
}

// Survey is the crawl's report of a whole run.
type Survey struct {
	Counts   // only Discovered, Fetched (answers with a body), NotModified (304) and SkippedByHint are set
	Hosts    []Host
	Caps     []Cap
	Complete bool // every URL of every host was looked at
	Warnings []Warning
}

// Failure is one URL that could not be read.
type Failure struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
	Error  string `json:"error"`
	Since  string `json:"since"`          // ID of the run in which the failures began
	From   string `json:"from,omitempty"` // URL of a page that links to this one
}

// Move is a document that gets another ID (URL).
type Move struct {
	From string `json:"from"`
	To   string `json:"to"`
	By   string `json:"by,omitempty"` // MovedByRedirect, MovedByContent or MovedByRules
}

const (
	MovedByRedirect = "redirect"
	MovedByContent  = "content" // the old page is gone, and a new one has exactly its content
	MovedByRules    = "rules"   // the current rules give the page another ID
)

// Summary is the result of a run without the lists of changes and failures.
type Summary struct {
	Run      string      `json:"run"`
	Start    int64       `json:"start"`               // Unix seconds
	Number   uint64      `json:"number,omitempty"`    // position among all runs by their end, from 1
	ClockOff bool        `json:"clock_off,omitempty"` // the clock seems wrong, so no document expires
	Complete bool        `json:"complete"`
	Part     bool        `json:"part,omitempty"`        // the run was limited by --only
	Empty    bool        `json:"empty,omitempty"`       // the index holds no document, and the whole site has none
	Looked   int         `json:"looked"`                // number of URLs looked at, in all parts of the run
	Took     int64       `json:"duration_ms,omitempty"` // in milliseconds, at least 1
	Exit     int         `json:"exit,omitempty"`
	Hosts    []Host      `json:"hosts"`
	Counts   Counts      `json:"counts"`
	Kinds    Kinds       `json:"kinds,omitzero"`
	Sitemap  SitemapDiff `json:"sitemap"`
	New      int         `json:"new_failures"` // failures that are not in the last run
	Stopped  string      `json:"stopped,omitempty"`
	Unsent   bool        `json:"unsent,omitempty"` // nothing was sent, as Stopped explains; Counts is not set
	Bulk     *Bulk       `json:"bulk,omitempty"`   // nil without a bulk delete

	Brakes []Tripped `json:"brakes,omitempty"` // limits (brakes) that held changes
}

// Rules identifies the rules by which documents are made. It maps each part of the configuration to a hash.
// The key RulesExtractor has the version of the code that extracts documents from pages.
type Rules map[string]uint64

// RulesExtractor is the key in Rules for the version of the extracting code.
const RulesExtractor = "extractor"

// Profile is the text that the site's pages share, by section: an origin (https://www.example.com) or a top
// folder (https://www.example.com/news). A Profile is never changed after it is made.
type Profile map[string]Section

// Section is the text that most pages of one section have in common. All lists are sorted.
type Section struct {
	Version uint64 `cbor:"1,keyasint" json:"version"` // hash of all other fields; never 0
	// Blocks has the XXH64 of text blocks that many pages share. A folder leaves out blocks of its origin.
	Blocks []uint64 `cbor:"2,keyasint,omitempty" json:"blocks,omitempty"`
	Titles []string `cbor:"3,keyasint,omitempty" json:"titles,omitempty"` // full titles that many pages share
	Heads  []string `cbor:"4,keyasint,omitempty" json:"heads,omitempty"`  // beginnings of many titles, with separator
	Tails  []string `cbor:"5,keyasint,omitempty" json:"tails,omitempty"`  // ends of many titles, with separator
	// Descriptions has the hashes of descriptions that many pages share.
	Descriptions []uint64 `cbor:"6,keyasint,omitempty" json:"default_descriptions,omitempty"`
}

// Sealed returns s with Version set.
func (s Section) Sealed() Section {
	key := fmt.Appendf(nil, "%x %q %q %q %x", s.Blocks, s.Titles, s.Heads, s.Tails, s.Descriptions)
	s.Version = max(1, xxhash.Sum64(key))
	return s
}

// Len returns the number of entries in all lists. With 0, the section has no effect on documents.
func (s Section) Len() int {
	return len(s.Blocks) + len(s.Titles) + len(s.Heads) + len(s.Tails) + len(s.Descriptions)
}

// The kinds of warning that several packages use. A run keeps 200 of each kind and counts the others.
const (
	WarnBroken   = "broken-link"
	WarnQueue    = "queue"    // limits of queue mode, in which the service's own crawler fetches pages
	WarnLanguage = "language" // the text is not in the declared language; see Draft.Misread
	WarnScope    = "scope"    // the configuration excludes indexed documents
	WarnRules    = "rules"    // documents changed because the configuration or this program changed
	WarnCut      = "cut"      // a text exceeds MaxText or MaxBlocks
	WarnTemplate = "template" // a changed Profile changes documents
)

// Warning is a message for the site's owner.
type Warning struct {
	Kind string `json:"kind"`
	URL  string `json:"url"`
	Text string `json:"text"`
	More int    `json:"more,omitempty"` // number of further warnings of this kind that were not kept
}

// MoreWarnings returns a warning that stands for n others of its kind.
func MoreWarnings(kind string, n int) Warning {
	return Warning{Kind: kind, Text: fmt.Sprintf("and %s more of this kind", Number(n)), More: n}
}

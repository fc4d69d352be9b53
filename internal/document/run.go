package document

import (
	"fmt"
	"time"

	"github.com/cespare/xxhash/v2"
)

// Target is what a ledger is pinned to: whose index it describes.
type Target struct {
	Base     string   `cbor:"1,keyasint" json:"base"` // base address as the configuration writes it
	Customer int64    `cbor:"2,keyasint" json:"customer"`
	Crawler  string   `cbor:"3,keyasint" json:"crawler"`
	Origins  []string `cbor:"4,keyasint" json:"origins"` // of the start URLs, sorted
}

// HostState is the state of a host in one run.
type HostState string

// The states of a host. On one that is not ok only what pages say of themselves is deleted: moves
// and 410, and on an ill one what the owner releases.
const (
	HostOK              HostState = "ok"
	HostIll             HostState = "ill"     // more than half of its documents are gone, lead away or show something else
	HostGuarded         HostState = "guarded" // a login, a challenge for robots or a notice of maintenance stands before the pages
	HostRobotsOutage    HostState = "robots-outage"
	HostSitemapCollapse HostState = "sitemap-collapse"
	HostUnreachable     HostState = "unreachable"
)

// RobotsUnread begins the Reason of a host that could not be asked for its robots.txt at
// all: nothing of it can be reached.
const RobotsUnread = "robots.txt can't be read: "

// Host is what one run found of one host.
type Host struct {
	Host     string        `json:"host"` // scheme://host[:port]
	State    HostState     `json:"state"`
	Reason   string        `json:"reason"`
	ReadOnly bool          `json:"read_only"`         // it is not ok
	Covered  bool          `json:"covered"`           // every URL of it was looked at
	Sitemap  int           `json:"sitemap,omitempty"` // URLs in its sitemaps
	Unlisted bool          `json:"-"`                 // a sitemap could not be read: Sitemap is not all
	Foreign  int           `json:"-"`                 // addresses in its sitemaps that are of no host of the site
	Asked    int           `json:"asked"`             // URLs looked at
	Unread   int           `json:"unread"`            // of those, unread
	Unseen   int           `json:"unseen,omitempty"`  // documents that were looked at and not seen: redirected elsewhere, ill, or by the owner's mistake
	Refused  int           `json:"refused,omitempty"` // documents whose pages are refused, where those are more than fetch.max_failed_share
	Alarms   []string      `json:"alarms,omitempty"`  // why the run does not count as done although the host may be ok, in words
	Folded   []string      `json:"folded,omitempty"`  // origins that redirect to it, whose URLs are its own
	Repeats  []string      `json:"-"`                 // forms of addresses whose pages say the same, so that no further one is asked
	Robots   *RobotsCopy   `json:"-"`                 // what is to be kept of its robots.txt; nil: it was not read
	Followed string        `json:"-"`                 // fingerprint of what decided which links were followed
	Delay    time.Duration `json:"-"`                 // that its robots.txt asks for between two requests
	Expires  time.Time     `json:"-"`                 // end of its certificate; zero: it showed none
}

// RobotsCopy is the last good robots.txt of a host. The zero value is none.
type RobotsCopy struct {
	File []byte `cbor:"1,keyasint,omitempty" json:"file,omitempty"`
	Read int64  `cbor:"2,keyasint,omitempty" json:"read,omitempty"` // when, in Unix seconds
	Lost int    `cbor:"3,keyasint,omitempty" json:"lost,omitempty"` // runs in a row since, in which there was none
}

// HostMemory is what the ledger keeps of a host from run to run.
type HostMemory struct {
	Sitemap    int   `cbor:"1,keyasint,omitempty" json:"sitemap,omitempty"` // URLs in its sitemaps, last time
	Validators Trust `cbor:"2,keyasint" json:"validators"`
	Lastmod    Trust `cbor:"3,keyasint" json:"lastmod"`
	// Followed is Host.Followed of a run that looked at every link of the host and
	// sent all it found; empty after any other. Only when it is today's may a page
	// be skipped: else links that it holds might never be found.
	Followed string   `cbor:"4,keyasint,omitempty" json:"followed,omitempty"`
	Folded   []string `cbor:"5,keyasint,omitempty" json:"folded,omitempty"` // Host.Folded of the last run

	Robots  RobotsCopy `cbor:"6,keyasint,omitzero" json:"robots,omitzero"`
	Repeats []string   `cbor:"7,keyasint,omitempty" json:"repeats,omitempty"` // Host.Repeats of the last run
	Folds   Trust      `cbor:"8,keyasint,omitzero" json:"folds,omitzero"`     // pages that were folded into the document that they name: whether they still are
}

// Trust is how often a host's hint was checked against a page read for real, and
// which of the last checks it failed.
type Trust struct {
	Checks int   `cbor:"1,keyasint,omitempty" json:"checks"`
	Lies   []int `cbor:"2,keyasint,omitempty" json:"lies,omitempty"` // their numbers among Checks, of the last 1,000
}

// Counts are the totals of a run, named as in results.
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
	Unseen        int `json:"unseen,omitempty"` // documents that were looked at, and showed something else or nothing of their own
	Refused       int `json:"refused"`
	LeftOut       int `json:"left_out,omitempty"` // of the site: linked or listed, and no document is made of it
}

// Count counts one change that is sent, or to be sent.
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

// Calls returns how many changes were sent, or are to be sent.
func (c *Counts) Calls() int { return c.Put + c.Patch + c.Delete + c.BulkDelete + c.Queue }

// ByKind returns Kinds, or of a run that did not count them what its calls tell.
func (s *Summary) ByKind() Kinds {
	if c := &s.Counts; s.Kinds == (Kinds{}) {
		return Kinds{New: c.Put, Changed: c.Patch, Deleted: c.Delete + c.BulkDelete}
	}
	return s.Kinds
}

// SitemapDiff compares the sitemaps with those of the last run.
type SitemapDiff struct {
	Added    int `json:"added"`
	Removed  int `json:"removed"`
	Modified int `json:"modified"`
}

// Cap is a pattern of URLs that a crawl stopped following, because it leads on
// without end.
type Cap struct {
	Host    string // scheme://host[:port]
	Pattern string // regular expression on path and query, as site.exclude takes it after "re:"
	Why     string // in words, with the count
	Example string // URL
}

// Survey is what crawl reports of a whole run.
type Survey struct {
	Counts   // Discovered, Fetched (answers with a body), NotModified (304) and SkippedByHint
	Hosts    []Host
	Caps     []Cap // not covered beside hosts that are not
	Complete bool  // every URL of every host was looked at
	Warnings []Warning
}

// Failure is one URL that was not read.
type Failure struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
	Error  string `json:"error"`
	Since  string `json:"since"`          // the run in which it began
	From   string `json:"from,omitempty"` // First.From of its record
}

// Move is a document that has another ID from now on.
type Move struct {
	From string `json:"from"`
	To   string `json:"to"`
	By   string `json:"by,omitempty"` // MovedByRedirect, MovedByContent or MovedByRules
}

// How it is known that a document moved.
const (
	MovedByRedirect = "redirect" // a permanent one
	MovedByContent  = "content"  // the old address is gone, and a new one has its very content
	MovedByRules    = "rules"    // today's rules write the address differently
)

// Summary is a run without its lists: the head of a result and a row of the
// history.
type Summary struct {
	Run      string      `json:"run"`
	Start    int64       `json:"start"`               // Unix seconds
	Number   uint64      `json:"number,omitempty"`    // orders the runs of a ledger as they ended, whatever the clock said
	ClockOff bool        `json:"clock_off,omitempty"` // Start is not to be believed beside the last run's: nothing counts as old by it
	Complete bool        `json:"complete"`
	Part     bool        `json:"part,omitempty"`        // it looked at nothing but what --only named
	Empty    bool        `json:"empty,omitempty"`       // the index has no document, and a look at the whole site found none
	Looked   int         `json:"looked"`                // URLs looked at, before an interruption too
	Took     int64       `json:"duration_ms,omitempty"` // at least 1
	Exit     int         `json:"exit,omitempty"`        // code of the program
	Hosts    []Host      `json:"hosts"`
	Counts   Counts      `json:"counts"`
	Kinds    Kinds       `json:"kinds,omitzero"`
	Sitemap  SitemapDiff `json:"sitemap"`
	New      int         `json:"new_failures"` // failures that the last run did not have
	Stopped  string      `json:"stopped,omitempty"`
	Unsent   bool        `json:"unsent,omitempty"` // it ended before anything was sent: Stopped says why, and there are no counts
	Bulk     *Bulk       `json:"bulk,omitempty"`   // nil: every delete by its ID

	Brakes []Tripped `json:"brakes,omitempty"` // that held changes
}

// Rules are what the rules that make documents are: a hash of each part of them by its
// name in the configuration. That of RulesExtractor is the extractor's revision.
type Rules map[string]uint64

// RulesExtractor names the extractor among the Rules.
const RulesExtractor = "extractor"

// Profile is what a site as a whole teaches about its pages, by section: an origin
// (https://www.example.com) or a first folder of it (https://www.example.com/news). A Profile is not
// changed once it is handed over.
type Profile map[string]Section

// Section is what most pages of one section have in common. All lists are sorted.
type Section struct {
	Version      uint64   `cbor:"1,keyasint" json:"version"`                                  // hash of all the rest; never 0
	Blocks       []uint64 `cbor:"2,keyasint,omitempty" json:"blocks,omitempty"`               // text blocks, beside those of the origin
	Titles       []string `cbor:"3,keyasint,omitempty" json:"titles,omitempty"`               // whole titles that name no page
	Heads        []string `cbor:"4,keyasint,omitempty" json:"heads,omitempty"`                // what titles begin with, the separator included
	Tails        []string `cbor:"5,keyasint,omitempty" json:"tails,omitempty"`                // what titles end with, the separator included
	Descriptions []uint64 `cbor:"6,keyasint,omitempty" json:"default_descriptions,omitempty"` // hashes of descriptions that tell of no page
}

// Sealed returns s with its version.
func (s Section) Sealed() Section {
	key := fmt.Appendf(nil, "%x %q %q %q %x", s.Blocks, s.Titles, s.Heads, s.Tails, s.Descriptions)
	s.Version = max(1, xxhash.Sum64(key))
	return s
}

// Len returns how many things the pages have in common.
func (s Section) Len() int {
	return len(s.Blocks) + len(s.Titles) + len(s.Heads) + len(s.Tails) + len(s.Descriptions)
}

// Empty reports whether the pages have nothing in common: s changes no document.
func (s Section) Empty() bool { return s.Len() == 0 }

// Kinds of warning. A run keeps the first 200 of each, and counts the others.
const (
	WarnBroken   = "broken-link" // leads to a page that is not there
	WarnQueue    = "queue"       // what queue mode can't know, and what it can't do
	WarnLanguage = "language"    // pages name one language and read like another: Draft.Misread
	WarnScope    = "scope"       // the configuration excludes what the index holds
	WarnRules    = "rules"       // why the documents differ whose rules changed
	WarnCut      = "cut"         // a document's text is cut at MaxText or MaxBlocks
	WarnTemplate = "template"    // a profile was learned, or learned anew, which changes documents
)

// Warning is something the site's owner should know.
type Warning struct {
	Kind string `json:"kind"`
	URL  string `json:"url"`
	Text string `json:"text"`
	More int    `json:"more,omitempty"` // it stands for so many of its kind that are not kept
}

// MoreWarnings returns the warning that stands for n others of a kind.
func MoreWarnings(kind string, n int) Warning {
	return Warning{Kind: kind, Text: fmt.Sprintf("and %s more of this kind", Number(n)), More: n}
}

package judge

import (
	"slices"

	"sitesync/internal/document"
)

// Content holds what Judge must know of the document that this run made from a page.
type Content struct {
	Type    document.Type
	Fields  map[string]document.Hash
	Sum     document.Hash // hash of the page's main text or the file's bytes, to find equal pages
	Length  int           // of the content, in bytes
	Date    string        // YYYY/MM/DD or empty
	Rules   uint64
	Warn    []string
	Print   document.Print // similarity hash of the text; may be 0 if the document is unchanged
	Misread string         // warning for people if the text is not in the declared language
	Why     string         // reason, for people, why the text is missing or incomplete; or empty
}

// Facts is all that is known of one URL at the end of a crawl.
type Facts struct {
	URL      string
	Record   *document.Record   // the URL's entry in the ledger (what the index holds); nil: never seen
	Sighting *document.Sighting // nil: not looked at in this run
	Content  *Content           // nil unless the page was read and may differ from its record
	Delta    document.Delta     // the difference between Content and Record
	Target   Target             // end of the page's redirect or canonical, or the new URL of a vanished page
	HostFull bool               // every page of the host was read; only then are pages without a link known
	Linked   bool
	Led      bool           // a link or a sitemap leads to the URL in this run, or it is a start URL
	Unled    bool           // the page that first led to the URL was looked at, and no longer links to it
	Alone    bool           // certainly no page and no sitemap of the site leads to the URL
	Room     bool           // the ledger may keep a record for one more missing page
	Lied     document.Claim // hints (such as lastmod) that called the page unchanged although it has changed
	Expired  string         // describes the retention (age) rule by which the date is too old; empty if none
	Rule     string         // the same retention rule, as written in the configuration
	Asked    bool           // requested in this run although no trusted hint called the page changed
	Shared   bool           // the index holds the text of this URL's document for another URL too
	Doubled  bool           // another page that was read in this run has the same main text
	Volatile bool           // the configuration says that the page's whole text changes by nature
	Ruled    bool           // the owner's extraction rules have changed since the indexed text was made
}

// Policy is what the configuration says about deleting, together with the ID and start of the run.
type Policy struct {
	Run         string
	Start       int64 // start of the run, Unix seconds
	Confirm     int   // number of runs that must find a page missing before its delete
	OutOfScope  bool  // delete documents that the configuration or robots.txt excludes
	Orphans     bool  // delete documents that are neither linked nor listed in a sitemap
	MovedAway   bool  // delete documents whose page permanently redirects out of scope
	RetryParked bool
	ClockOff    bool   // the clock seems wrong, so this run adds no night to a record's Standing
	Generation  uint64 // the number of runs that were applied to the ledger
	// RecheckDue reports whether the page must be read again because it was last read too long ago.
	RecheckDue func(url string, rec *document.Record) bool
}

// Verdict says what to do about one URL. The zero value means nothing to do.
type Verdict struct {
	Change   *document.Change // the due change, without its request body
	Next     *document.Record // new record to write; it needs no call to the service
	Seen     *document.Record // if a brake (limit) holds the change, the record to write; nil: write none
	Drop     bool             // remove the record; it needs no call to the service
	Failure  *document.Failure
	Move     *document.Move
	Unseen   bool // the document's page now redirects, looks broken, or names a canonical by mistake
	Newly    bool // Unseen is set, and was not set in the previous run
	Waiting  bool // the page was missing in this run, and the document stays for now
	Refused  bool // the server has refused the page for several nights; the page's document stays for now
	Warnings []document.Warning
}

func (v *Verdict) warn(kind, url, text string) {
	v.Warnings = append(v.Warnings, document.Warning{Kind: kind, URL: url, Text: text})
}

const (
	trustWindow  = 1000
	lastmodProof = 50
)

// Observe returns trust after one more check of a hint. lie is true if the hint was wrong.
func Observe(trust document.Trust, lie bool) document.Trust {
	trust.Checks++
	trust.Lies = slices.DeleteFunc(slices.Clone(trust.Lies), func(n int) bool { return n <= trust.Checks-trustWindow })
	if lie {
		trust.Lies = append(trust.Lies, trust.Checks)
	}
	return trust
}

// TrustValidators reports whether a host's ETag and Last-Modified are believed. They are believed from the
// start, until they lie in more than 1 % of the last 1,000 checks.
func TrustValidators(trust document.Trust) bool {
	return len(trust.Lies)*100 <= min(trust.Checks, trustWindow)
}

// TrustLastmod reports whether a host's sitemap lastmod is believed: after 50 correct claims, while at most
// 1 % of the last 1,000 checks were lies.
func TrustLastmod(trust document.Trust) bool {
	return trust.Checks-len(trust.Lies) >= lastmodProof && TrustValidators(trust)
}

// NamesTarget reports whether the page of rec has no document because the page itself names another URL as
// canonical. It is false if two URLs merely show the same content: any run may find the contents different.
func NamesTarget(rec *document.Record) bool {
	n := len(rec.Looks)
	return rec.Canonical != "" && rec.Push == document.PushNone && n > 0 && rec.Looks[n-1].Why == document.WhyCanonical
}

// DayOpen reports whether a page may have changed after it was read, although its lastmod is unchanged. That
// needs a lastmod without a time (midnight UTC). When the page was read, that day had not ended in every
// time zone (UTC-12). Both arguments are in Unix seconds; lastmod is 0 if it is unknown.
func DayOpen(lastmod, read int64) bool {
	const hour, day = 60 * 60, 24 * 60 * 60
	return lastmod != 0 && lastmod%day == 0 && read < lastmod+day+12*hour
}

// Date returns the document's date, YYYY/MM/DD or empty, as read in this run or else as recorded.
func (f *Facts) Date() string {
	switch {
	case f.Content != nil:
		return f.Content.Date
	case f.Record != nil:
		return f.Record.Date
	}
	return ""
}

// Returns reports whether a page shows again one of its last few indexed contents. Such a page lost nothing,
// even if it differs much from its last content.
func (f *Facts) Returns() bool {
	if f.Content == nil || f.Record == nil {
		return false
	}
	return slices.Contains(f.Record.Recent, document.SumFields(f.Content.Type, f.Content.Fields).Short())
}

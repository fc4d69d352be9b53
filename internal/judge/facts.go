package judge

import (
	"slices"

	"sitesync/internal/document"
)

// Content is the part of a finished document that judging needs.
type Content struct {
	Type    document.Type
	Fields  map[string]document.Hash
	Sum     document.Hash // hash of the content, to find equal pages
	Length  int           // of the content, in bytes
	Date    string        // YYYY/MM/DD or empty
	Rules   uint64
	Warn    []string
	Print   document.Print // set if the document differs from its record, or its record has no Print
	Misread string         // as Draft.Misread
	Why     string         // why a file has no text, or a document only part of it, as a sentence for people
}

// Facts is all that is known of one URL at the end of a crawl.
type Facts struct {
	URL      string
	Record   *document.Record   // nil: never seen before
	Sighting *document.Sighting // nil: not looked at in this run
	Content  *Content           // nil unless the page was read and may differ from its record
	Delta    document.Delta     // the difference between Content and Record
	Target   Target             // end of Sighting's redirect or canonical, or the new URL of a vanished page
	HostFull bool               // every page of the host was read in full; orphans are known only then
	Linked   bool
	Led      bool           // a link or a sitemap leads to the URL in this run, or it is a start URL
	Unled    bool           // the page by which the URL was found was looked at and no longer links to it
	Alone    bool           // nothing leads to the URL in this run, nor did a page of the host when last read
	Room     bool           // one more missing address may be remembered
	Lied     document.Claim // claims of hints about the page that proved untrue
	Expired  string         // describes the retention rule that covers the document's date; empty: no rule does
	Rule     string         // the same retention rule, as written in the configuration
	Asked    bool           // requested in this run although no trusted hint called the page changed
	Shared   bool           // another document has the text that the index holds of this one
	Doubled  bool           // another page that was read in this run has the same main text
	Volatile bool           // the configuration says that the page's whole text changes by nature
	Ruled    bool           // the owner has changed the rules about texts since the indexed text was made
}

// Policy is what the configuration says about deleting, with the identity of the run.
type Policy struct {
	Run         string
	Start       int64 // Unix seconds
	Confirm     int   // number of looks that must find a page missing before its delete
	OutOfScope  bool  // delete documents that the configuration or robots.txt excludes
	Orphans     bool  // delete documents that are neither linked nor listed in a sitemap
	MovedAway   bool  // delete documents whose page permanently redirects out of scope
	RetryParked bool
	ClockOff    bool   // the clock is not believed, so the run counts as no night (see document.Standing)
	Generation  uint64 // the number of runs that were applied to the ledger
	// reports whether the record's Fetched is due for renewal
	RecheckDue func(url string, rec *document.Record) bool
}

// Verdict is what to do about one URL. The zero value means nothing to do.
type Verdict struct {
	Change   *document.Change // the due change, without its wire bytes
	Next     *document.Record // new record to write without a call to the service
	Seen     *document.Record // record to write if a brake holds the change; nil: leave as it is
	Drop     bool             // remove the record without a call to the service
	Failure  *document.Failure
	Move     *document.Move
	Unseen   bool // the document's page now redirects, looks broken, or names a canonical by mistake
	Newly    bool // Unseen, and the last run still saw the document
	Waiting  bool // a miss was counted, and the document stays for now
	Refused  bool // the document stays for now, but its page has been refused for many nights
	Warnings []document.Warning
}

func (v *Verdict) warn(kind, url, text string) {
	v.Warnings = append(v.Warnings, document.Warning{Kind: kind, URL: url, Text: text})
}

const (
	trustWindow  = 1000 // only so many recent checks count
	lastmodProof = 50   // correct claims needed before a host's lastmod is believed
)

// Observe returns trust after one more check of a hint. lie says that the hint was wrong.
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

// TrustLastmod reports whether a host's sitemap lastmod is believed: after 50 correct claims, while at most 1
// % of the last 1,000 checks were lies. HostMemory.Folds follows the same rule.
func TrustLastmod(trust document.Trust) bool {
	return trust.Checks-len(trust.Lies) >= lastmodProof && TrustValidators(trust)
}

// NamesTarget reports whether rec is of a page that names the document it is folded into. A page that was
// folded for its equal content may become a page of its own in any run.
func NamesTarget(rec *document.Record) bool {
	n := len(rec.Looks)
	return rec.Canonical != "" && rec.Push == document.PushNone && n > 0 && rec.Looks[n-1].Why == document.WhyCanonical
}

// DayOpen reports whether a page may have changed after it was read, with lastmod unchanged. That is so if
// lastmod names a day without a time (midnight UTC) that was not yet over in every time zone (UTC-12). Both
// are in Unix seconds; lastmod is 0 if there is none.
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

// Returns reports whether a page shows again one of the contents that were acknowledged last. Such a page
// lost nothing, whatever differs from its last content.
func (f *Facts) Returns() bool {
	if f.Content == nil || f.Record == nil {
		return false
	}
	return slices.Contains(f.Record.Recent, document.SumFields(f.Content.Type, f.Content.Fields).Short())
}

package judge

import (
	"slices"

	"sitesync/internal/document"
)

// Content is what a finished document is, as far as judging needs it.
type Content struct {
	Type    document.Type
	Fields  map[string]document.Hash
	Sum     document.Hash // of the content, to tell equal pages
	Length  int           // bytes of the content
	Date    string        // YYYY/MM/DD or empty
	Rules   uint64
	Warn    []string
	Print   document.Print // of a document that differs from its record, or whose record has none
	Misread string         // Draft.Misread
	Why     string         // why a file has no text, or a document not all of it, in words
}

// Facts is all that is known of one URL at the end of a crawl.
type Facts struct {
	URL      string
	Record   *document.Record   // nil: never seen before
	Sighting *document.Sighting // nil: not looked at in this run
	Content  *Content           // of a page that was read and may differ from its record
	Delta    document.Delta     // Content against Record
	Target   Target             // where Sighting's redirect or canonical leads, or where the very content of a page that is gone stands now
	HostFull bool               // every page of the host was read in full: only then are orphans known
	Linked   bool
	Led      bool           // something leads to the URL tonight
	Unled    bool           // but not the page by which it was found, which was looked at
	Alone    bool           // nothing does, nor did any page of the host when it was last read
	Room     bool           // one more address that was not there may be remembered
	Lied     document.Claim // what hints said of the page that was not true
	Expired  string         // the retention rule that covers the document's date, in words; empty: none
	Rule     string         // that rule, as it is written
	Asked    bool           // tonight, although no trusted hint called it changed
	Shared   bool           // another document has the text that the index holds of it
	Doubled  bool           // another page that was read tonight has the same main text
	Volatile bool           // its text changes wholly by nature, says the configuration
	Ruled    bool           // the owner's rules about texts are others than those that made what the index holds
}

// Policy is what the configuration says about deleting, and the run's identity.
type Policy struct {
	Run         string
	Start       int64 // Unix seconds
	Confirm     int   // looks that must find a page missing
	OutOfScope  bool  // delete what the configuration or robots.txt excludes
	Orphans     bool  // delete what is neither linked nor listed
	MovedAway   bool  // delete what redirects out of scope for good
	RetryParked bool
	ClockOff    bool                                        // Start is not to be believed: it begins no night
	Generation  uint64                                      // of the ledger: the number of runs that were applied
	RecheckDue  func(url string, rec *document.Record) bool // Fetched is due to be renewed
}

// Verdict is what is to be done about one URL. The zero value: nothing.
type Verdict struct {
	Change   *document.Change // due, without its wire bytes
	Next     *document.Record // to be kept without a call
	Seen     *document.Record // to be kept should the change be held; nil: as it is
	Drop     bool             // the record is to be removed without a call
	Failure  *document.Failure
	Move     *document.Move
	Unseen   bool // the document was looked at and not seen: it shows itself elsewhere, is ill, or names a canonical by mistake
	Newly    bool // and the last look saw it
	Waiting  bool // a miss was counted, and the document stays for now
	Refused  bool // the page of a document that stays for now has been refused for long
	Warnings []document.Warning
}

func (v *Verdict) warn(kind, url, text string) {
	v.Warnings = append(v.Warnings, document.Warning{Kind: kind, URL: url, Text: text})
}

const (
	trustWindow  = 1000 // checks that count
	lastmodProof = 50   // truths before a host's lastmod is believed
)

// Observe returns trust after one more check of a hint that claimed a page
// unchanged: a lie when the page's document had changed all the same.
func Observe(trust document.Trust, lie bool) document.Trust {
	trust.Checks++
	trust.Lies = slices.DeleteFunc(slices.Clone(trust.Lies), func(n int) bool { return n <= trust.Checks-trustWindow })
	if lie {
		trust.Lies = append(trust.Lies, trust.Checks)
	}
	return trust
}

// TrustValidators reports whether a host's ETag and Last-Modified are believed:
// from the start, until they lie in more than 1 % of the last 1,000 checks.
func TrustValidators(trust document.Trust) bool {
	return len(trust.Lies)*100 <= min(trust.Checks, trustWindow)
}

// TrustLastmod reports whether a host's sitemap lastmod is believed, or that its folded pages stay
// so: after 50 truths, and as long as it lies in at most 1 % of the last 1,000 checks.
func TrustLastmod(trust document.Trust) bool {
	return trust.Checks-len(trust.Lies) >= lastmodProof && TrustValidators(trust)
}

// NamesTarget reports whether a record is that of a page which names the document that it is folded
// into. One that was folded for its equal content may become a page of its own any night.
func NamesTarget(rec *document.Record) bool {
	n := len(rec.Looks)
	return rec.Canonical != "" && rec.Push == document.PushNone && n > 0 && rec.Looks[n-1].Why == document.WhyCanonical
}

// DayOpen reports whether a page may have changed after it was read, under the same lastmod: that
// names a day alone (midnight UTC), and the day was not over everywhere (UTC-12). Both are Unix
// seconds; lastmod is 0 if there is none.
func DayOpen(lastmod, read int64) bool {
	const hour, day = 60 * 60, 24 * 60 * 60
	return lastmod != 0 && lastmod%day == 0 && read < lastmod+day+12*hour
}

// Date returns the date of a page's document, tonight's if it was read: YYYY/MM/DD or empty.
func (f *Facts) Date() string {
	switch {
	case f.Content != nil:
		return f.Content.Date
	case f.Record != nil:
		return f.Record.Date
	}
	return ""
}

// Returns reports whether a page shows again what the index held before: one of the
// contents that were acknowledged last. That is no loss, whatever it lost.
func (f *Facts) Returns() bool {
	if f.Content == nil || f.Record == nil {
		return false
	}
	return slices.Contains(f.Record.Recent, document.SumFields(f.Content.Type, f.Content.Fields).Short())
}

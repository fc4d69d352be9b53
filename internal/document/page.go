package document

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// Seen is what one look at one URL found, before any judgement.
type Seen string

// The values of Seen.
const (
	Read       Seen = "read"         // 200, the whole body arrived and was parsed
	Kept       Seen = "kept"         // 304, or a trusted hint said unchanged
	Gone       Seen = "gone"         // 410
	Missing    Seen = "missing"      // 404, or a page with the fingerprint of the host's not-found page
	Moved      Seen = "moved"        // permanent redirect: 301, 308, or a changed rule for IDs
	Elsewhere  Seen = "elsewhere"    // temporary redirect: 302, 303, 307
	NoIndex    Seen = "noindex"      // meta robots or X-Robots-Tag
	OutOfScope Seen = "out-of-scope" // excluded by the configuration
	Disallowed Seen = "disallowed"   // robots.txt
	Unread     Seen = "unread"       // no whole, parsable body: neither kept nor gone
	LeftOut    Seen = "left-out"     // no document is made of it, and none was known
	OtherHost  Seen = "other-host"   // that is linked to; not asked
)

// LeavesOut reports whether no document is made of an address of the site that is seen so.
func (s Seen) LeavesOut() bool {
	return s == LeftOut || s == NoIndex || s == OutOfScope || s == Disallowed || s == Unread
}

// WhySoft404 is why a page that was answered with 200 is missing.
const WhySoft404 = "looks like the host's answer for pages that do not exist"

// WhyCanonical is why a page that names a canonical itself may be folded.
const WhyCanonical = "rel=canonical"

// Claim is the set of hints that said a page is unchanged; 0 when none did.
type Claim uint8

// The hints that can claim that a page is unchanged.
const (
	ClaimValidator Claim = 1 << iota // 304, or the validators of the answer equal the record's
	ClaimLastmod                     // the sitemap's lastmod equals the record's
)

// Hints are what lets the next run skip a page: HTTP validators (RFC 9110,
// section 8.8) and the sitemap's lastmod in Unix seconds, 0 when there is none.
type Hints struct {
	ETag         string `cbor:"1,keyasint,omitempty" json:"etag,omitempty"`
	LastModified string `cbor:"2,keyasint,omitempty" json:"last_modified,omitempty"`
	Lastmod      int64  `cbor:"3,keyasint,omitempty" json:"lastmod,omitempty"`
}

// Link is how a page was found: the text of the link to it and the page that
// holds the link.
type Link struct {
	Text string `cbor:"1,keyasint,omitempty" json:"text,omitempty"`
	From string `cbor:"2,keyasint,omitempty" json:"from,omitempty"`
}

// Interstitial is what stands in place of a page, as far as one answer tells; empty: nothing.
type Interstitial string

// What may stand in place of a page.
const (
	Soft404     Interstitial = "soft-404"    // what the host shows for pages that are not there
	LoginWall   Interstitial = "login-wall"  // a login
	BotGuard    Interstitial = "bot-guard"   // a challenge for robots
	Maintenance Interstitial = "maintenance" // a notice of maintenance
)

// Page is one answer to one URL as crawl hands it on. For HTML it carries the
// parsed tree in Root, for files the bytes in Body; both are valid only until
// the receiver returns.
type Page struct {
	URL       string // canonical URL: the identity
	Seen      Seen
	Status    int    // HTTP status; 0 when there was no answer
	Why       string // in words: why it is unread, or the directive or rule that decided
	Target    string // canonical URL of the redirect's target; empty when unusable
	Canonical string // canonical URL that the page names, when it is not URL
	Claim     Claim  // what hints claimed, also when the page was read all the same
	Hints     Hints
	InSitemap bool
	Header    http.Header
	Media     string // by MediaOf
	Charset   Charset
	Root      *html.Node
	Body      []byte
	File      *File // what is in Body, where it was read already
	FileFault error // why that was in vain

	Ended bool // the HTML that was looked at last holds </html>

	Alternates []string // canonical URLs where it says it stands in another language (hreflang)

	Links []uint64 // fingerprints of what it links to on the site, as far as links are followed

	Link  Link
	Known Known
	First First // what is frozen since the first push; before it, what would be

	Interstitial Interstitial
	Refusal      Refusal // what its server answers in place of it
	Stood        bool    // it has answered so for long, and says nothing of its host
}

// Charset is the encoding that a page's text was read in.
type Charset struct {
	Name  string // as WHATWG Encoding has it
	Doubt string // in words: why it may be another one, and what to do; empty: there is none
}

// First is what a document took from elsewhere when it was first pushed, frozen
// so that a document is a function of its own page from then on, and how its URL
// was found when its record was made.
type First struct {
	Link    string `cbor:"1,keyasint,omitempty" json:"link,omitempty"`
	Lastmod int64  `cbor:"2,keyasint,omitempty" json:"lastmod,omitempty"`
	From    string `cbor:"3,keyasint,omitempty" json:"from,omitempty"` // the page that led to it; empty for start URLs and those of sitemaps
}

// Known is what the ledger tells crawl of one URL.
type Known struct {
	Hints    Hints
	Ask      bool    // ask conditionally, with the validators of Hints
	Skip     bool    // a lastmod equal to that of Hints is proof enough: no request
	Document bool    // the index holds, or may hold, a document for it
	Ended    bool    // as Record.Ended
	Failing  bool    // the last look did not read it
	Rests    bool    // a trusted hint says that it still is folded into a document: no request
	Refused  Refusal // Standing.Refused
	First    First
}

// Sighting is a Page on disk: what one look found, with a reference to the
// spooled Draft where the content has to be finished later.
type Sighting struct {
	URL       string `cbor:"1,keyasint"`
	Seen      Seen   `cbor:"2,keyasint"`
	Status    int    `cbor:"3,keyasint,omitempty"`
	Why       string `cbor:"4,keyasint,omitempty"`
	Target    string `cbor:"5,keyasint,omitempty"`
	Canonical string `cbor:"6,keyasint,omitempty"`
	Claim     Claim  `cbor:"7,keyasint,omitempty"`
	Hints     Hints  `cbor:"8,keyasint,omitempty"`
	InSitemap bool   `cbor:"9,keyasint,omitempty"`
	Same      bool   `cbor:"10,keyasint,omitempty"` // read, and the document hash equals the record's
	Content   Hash   `cbor:"11,keyasint,omitempty"` // hash of the content: HTML main text, file bytes
	Draft     int64  `cbor:"12,keyasint,omitempty"` // where the Draft is spooled, plus 1; 0: none
	Fetched   bool   `cbor:"13,keyasint,omitempty"` // a body was fetched and read for real
	First     First  `cbor:"14,keyasint,omitempty"`
	Rules     uint64 `cbor:"15,keyasint,omitempty"` // fingerprint of the rules that read it

	Interstitial Interstitial `cbor:"16,keyasint,omitempty"` // what stood in place of the page
	Held         []byte       `cbor:"20,keyasint,omitempty"` // which of what the profile knows is on the page

	File       bool     `cbor:"18,keyasint,omitempty"` // a document with a file was read
	Alternates []string `cbor:"19,keyasint,omitempty"` // of Page.Alternates, those that differ from it in no part of the path

	Ended     bool `cbor:"21,keyasint,omitempty"` // Page.Ended
	Collapsed bool `cbor:"23,keyasint,omitempty"` // the page asks not to be indexed, and shows under a fifth of its document's content

	Links []byte `cbor:"25,keyasint,omitempty"` // Page.Links, as PackLinks writes them
	Says  Says   `cbor:"26,keyasint,omitempty"` // what it says, where its document is not made anew

	Refusal Refusal `cbor:"28,keyasint,omitempty"` // this and Stood as Page has them
	Stood   bool    `cbor:"29,keyasint,omitempty"`
	Print   Print   `cbor:"30,keyasint,omitempty"` // of what a page shows that breaks off

	Own bool `cbor:"27,keyasint,omitempty"` // the page itself says something else than its record, whatever the rules and the profile did
}

// File is what the reader of a file format found in a file.
type File struct {
	Blocks   []string // the text in reading order, a paragraph, table row or line each
	Title    string   // as the file's own metadata name it, however useless
	Sheet    string   // the name of a workbook's first sheet
	Author   string
	Language string // tag as the file gives it
	Created  time.Time
	Modified time.Time
	Links    []string // addresses that the file links to, as they stand, without repetition
	Cut      string   // the bound beyond which it was not read, in words; empty: it was read whole
	NoText   string   // why Blocks is empty, in words: "it asks for a password", "it holds pictures alone"
}

// MaxRetryAfter is the longest wait that RetryAfter returns.
const MaxRetryAfter = 24 * time.Hour

// RetryAfter returns the wait that a Retry-After field asks for, in seconds or as a date
// (RFC 9110, section 10.2.3): 0 when it is absent, past or unreadable, MaxRetryAfter at most.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(MaxRetryAfter/time.Second))) * time.Second
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(date.Sub(now), 0), MaxRetryAfter)
}

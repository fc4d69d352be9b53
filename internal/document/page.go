package document

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// Seen is the result of one look at one URL, before any judgement.
type Seen string

const (
	Read       Seen = "read"         // 200, and the whole body was parsed
	Kept       Seen = "kept"         // 304, or a trusted hint said unchanged
	Gone       Seen = "gone"         // 410
	Missing    Seen = "missing"      // 404, or the host's page for missing addresses
	Moved      Seen = "moved"        // permanent redirect: 301, 308, or the rules give the page another ID
	Elsewhere  Seen = "elsewhere"    // temporary redirect: 302, 303, 307
	NoIndex    Seen = "noindex"      // meta robots or X-Robots-Tag
	OutOfScope Seen = "out-of-scope" // by meta robots or X-Robots-Tag
	Disallowed Seen = "disallowed"   // robots.txt
	Unread     Seen = "unread"       // no complete body that can be parsed
	LeftOut    Seen = "left-out"     // makes no document, and the index has none for it
	OtherHost  Seen = "other-host"   // linked, but on another host; not requested
)

// LeavesOut reports whether an address of the site that is seen so makes no document.
func (s Seen) LeavesOut() bool {
	return s == LeftOut || s == NoIndex || s == OutOfScope || s == Disallowed || s == Unread
}

// WhySoft404 is the Why of a page that shows the host's page for missing addresses.
const WhySoft404 = "looks like the host's answer for pages that do not exist"

// WhyCanonical is the Why of a page that names its canonical URL itself.
const WhyCanonical = "rel=canonical"

// Claim is the set of hints that called a page unchanged; 0 for none.
type Claim uint8

const (
	ClaimValidator Claim = 1 << iota // 304, or the response has the record's validators
	ClaimLastmod                     // the sitemap's lastmod equals the record's
)

// Hints let the next run skip a page: HTTP validators (RFC 9110, section 8.8) and lastmod, Unix seconds.
type Hints struct {
	ETag         string `cbor:"1,keyasint,omitempty" json:"etag,omitempty"`
	LastModified string `cbor:"2,keyasint,omitempty" json:"last_modified,omitempty"`
	Lastmod      int64  `cbor:"3,keyasint,omitempty" json:"lastmod,omitempty"`
}

// Link is the link by which a page was found: its text, and the URL of the page that holds it.
type Link struct {
	Text string `cbor:"1,keyasint,omitempty" json:"text,omitempty"`
	From string `cbor:"2,keyasint,omitempty" json:"from,omitempty"`
}

// Interstitial is the kind of page that a host shows in place of the requested one; empty for none.
type Interstitial string

const (
	Soft404     Interstitial = "soft-404" // the host's page for missing addresses
	LoginWall   Interstitial = "login-wall"
	BotGuard    Interstitial = "bot-guard" // a challenge for robots
	Maintenance Interstitial = "maintenance"
)

// Page is one fetched URL. Root (HTML) and Body (files) are valid only until the receiver returns.
type Page struct {
	URL       string // canonical URL
	Seen      Seen
	Status    int    // HTTP status; 0 without an answer
	Why       string // for people: why the page is unread, or the directive or rule that decided Seen
	Target    string // canonical URL of the redirect's target; empty if unusable
	Canonical string // canonical URL that the page names, if it is another one
	Claim     Claim  // hints that called the page unchanged, even if it was read all the same
	Hints     Hints
	InSitemap bool
	Header    http.Header
	Media     string // from MediaOf
	Charset   Charset
	Root      *html.Node
	Body      []byte
	File      *File // the content of Body, if it was parsed already
	FileFault error // why parsing Body failed

	Ended bool // the HTML has </html>

	Alternates []string // canonical URLs of the page in other languages (hreflang)

	Links []uint64 // fingerprints of followed links to pages of the site

	Link  Link
	Known Known
	First First // frozen values of the document's first push; before that, today's values

	Interstitial Interstitial
	Refusal      Refusal // how the server refuses the page
	Stood        bool    // refused for so long that the page no longer counts in the health of its host
}

// Charset is the encoding by which a page's text was decoded.
type Charset struct {
	Name  string // name in the WHATWG Encoding standard
	Doubt string // for people: why the encoding may be wrong, and what to do; empty for none
}

// First holds the values that a document takes from other pages. They are frozen at its first push, so that
// later versions depend on its own page only. From is how the URL was found.
type First struct {
	Link    string `cbor:"1,keyasint,omitempty" json:"link,omitempty"`
	Lastmod int64  `cbor:"2,keyasint,omitempty" json:"lastmod,omitempty"`
	From    string `cbor:"3,keyasint,omitempty" json:"from,omitempty"` // the page with the link; empty without a link
}

// Known is what the ledger knows of one URL, for the crawl.
type Known struct {
	Hints    Hints
	Ask      bool    // send a conditional request with Hints
	Skip     bool    // send no request if the sitemap's lastmod equals that of Hints
	Document bool    // the index holds, or may hold, a document
	Ended    bool    // see Record.Ended
	Failing  bool    // the page was unread in the last run
	Rests    bool    // send no request: by a trusted hint, the page is still folded into a document
	Refused  Refusal // see Standing.Refused
	First    First
}

// Sighting is the result of one look on disk, with a spooled Draft if the document is made later.
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
	Same      bool   `cbor:"10,keyasint,omitempty"` // read, and the document equals the record's
	Content   Hash   `cbor:"11,keyasint,omitempty"` // hash of an HTML page's main text, or of a file's bytes
	Draft     int64  `cbor:"12,keyasint,omitempty"` // position of the spooled Draft plus 1; 0 for none
	Fetched   bool   `cbor:"13,keyasint,omitempty"` // the body was fetched and read
	First     First  `cbor:"14,keyasint,omitempty"`
	Rules     uint64 `cbor:"15,keyasint,omitempty"` // fingerprint of the rules that read the page

	Interstitial Interstitial `cbor:"16,keyasint,omitempty"` // shown in place of the page
	Held         []byte       `cbor:"20,keyasint,omitempty"` // profile lines on the page; see extract/profile

	File       bool     `cbor:"18,keyasint,omitempty"` // the document is a file
	Alternates []string `cbor:"19,keyasint,omitempty"` // those of Page.Alternates that could be variants of this URL

	Ended     bool `cbor:"21,keyasint,omitempty"` // see Page.Ended
	Collapsed bool `cbor:"23,keyasint,omitempty"` // a noindex page with under a fifth of its document's content

	Links []byte `cbor:"25,keyasint,omitempty"` // Page.Links, encoded by PackLinks
	Says  Says   `cbor:"26,keyasint,omitempty"` // set if the document is not made again later

	Refusal Refusal `cbor:"28,keyasint,omitempty"` // Refusal and Stood are those of Page
	Stood   bool    `cbor:"29,keyasint,omitempty"`
	Print   Print   `cbor:"30,keyasint,omitempty"` // of the text of an unread page

	Own bool `cbor:"27,keyasint,omitempty"` // the page's own text changed, apart from rules and profile
}

// File is the content of a file, as the reader of its format returns it.
type File struct {
	Blocks   []string // paragraphs, table rows or lines in reading order
	Title    string   // from the file's metadata, even if useless
	Sheet    string   // name of a workbook's first sheet
	Author   string
	Language string // tag from the file's metadata
	Created  time.Time
	Modified time.Time
	Links    []string // link targets as written, without duplicates
	Cut      string   // for people: the limit at which reading stopped; empty if it reached the end
	NoText   string   // for people: why Blocks is empty, such as "it asks for a password"
}

const MaxRetryAfter = 24 * time.Hour

// RetryAfter returns the wait that a Retry-After field asks for (RFC 9110, section 10.2.3), at most
// MaxRetryAfter. It is 0 if the field is absent, past or unreadable.
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

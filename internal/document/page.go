package document

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// Seen tells which kind of answer or content a run found at a URL.
type Seen string

const (
	Read       Seen = "read"      // 200, and the whole body was parsed
	Kept       Seen = "kept"      // 304, or a trusted hint (such as lastmod) says that the page is unchanged
	Gone       Seen = "gone"      // 410
	Missing    Seen = "missing"   // 404, or the host's page for missing addresses
	Moved      Seen = "moved"     // permanent redirect (301, 308), or the page's ID is now another one
	Elsewhere  Seen = "elsewhere" // temporary redirect: 302, 303, 307
	NoIndex    Seen = "noindex"
	OutOfScope Seen = "out-of-scope" // the configuration excludes the URL
	Disallowed Seen = "disallowed"
	Unread     Seen = "unread"     // no complete body arrived, or it can't be parsed
	LeftOut    Seen = "left-out"   // another reason why the URL makes no document; the index has none for it
	OtherHost  Seen = "other-host" // a linked URL on a host outside the site; it is not requested
)

// LeavesOut reports whether s is a reason to leave an existing page of the site out of the index.
func (s Seen) LeavesOut() bool {
	return s == LeftOut || s == NoIndex || s == OutOfScope || s == Disallowed || s == Unread
}

// WhySoft404 is the value of Why for a page that shows the host's page for missing addresses.
const WhySoft404 = "looks like the host's answer for pages that do not exist"

// WhyCanonical is the value of Why for a page that itself names another URL as its canonical URL.
const WhyCanonical = "rel=canonical"

// Claim tells which hints say that a page has not changed since its record was written. A record is an entry
// of the ledger, the file that says what the index holds. 0 means that no hint says so.
type Claim uint8

const (
	ClaimValidator Claim = 1 << iota // 304, or ETag and Last-Modified are those of the record
	ClaimLastmod                     // the sitemap's lastmod is that of the record
)

// Hints let the next run skip a page: HTTP validators (RFC 9110, section 8.8), and lastmod in Unix seconds.
type Hints struct {
	ETag         string `cbor:"1,keyasint,omitempty" json:"etag,omitempty"`
	LastModified string `cbor:"2,keyasint,omitempty" json:"last_modified,omitempty"`
	Lastmod      int64  `cbor:"3,keyasint,omitempty" json:"lastmod,omitempty"`
}

// Link tells how a page was found: the text of a link to it, and the URL of the page with that link.
type Link struct {
	Text string `cbor:"1,keyasint,omitempty" json:"text,omitempty"`
	From string `cbor:"2,keyasint,omitempty" json:"from,omitempty"`
}

// Interstitial is the kind of page that a host shows in place of the requested one. Empty means none.
type Interstitial string

const (
	Soft404     Interstitial = "soft-404"
	LoginWall   Interstitial = "login-wall"
	BotGuard    Interstitial = "bot-guard"
	Maintenance Interstitial = "maintenance"
)

// Page is one fetched URL. A function that receives a Page must not keep its Root (HTML) or Body (files).
type Page struct {
	URL       string // normalised URL, the document's ID
	Seen      Seen
	Status    int    // HTTP status; 0 without an answer
	Why       string // for people: why the page is unread, or the directive or rule that decided Seen
	Target    string // normalised URL of the redirect's target; empty if the target is unusable
	Canonical string // URL that the page names as canonical; empty if the page names itself or none
	Claim     Claim  // hints that say that the page is unchanged, even if the run read it
	Hints     Hints
	InSitemap bool
	Header    http.Header
	Media     string
	Charset   Charset
	Root      *html.Node
	Body      []byte
	File      *File // the content of Body, if it was parsed already
	FileFault error

	Ended bool // the HTML has the end tag </html>

	Alternates []string // URLs of the page in other languages (hreflang)

	Links []uint64 // fingerprints of the URLs that the page links to, without nofollow links

	Link  Link
	Known Known
	First First // values frozen when the document was first sent; before that, the current values

	Interstitial Interstitial
	Refusal      Refusal
	Stood        bool // the page was refused for so long that it no longer counts in the state of its host
}

// Charset is the encoding by which a page's text was decoded.
type Charset struct {
	Name  string // name in the WHATWG Encoding standard
	Doubt string // for people: why the encoding may be wrong, and what to do; empty if there is no doubt
}

// First holds the values that a document takes from other pages and from sitemaps. They are frozen when the
// document is first sent. From then on, only changes of its own page change the document.
type First struct {
	Link    string `cbor:"1,keyasint,omitempty" json:"link,omitempty"`
	Lastmod int64  `cbor:"2,keyasint,omitempty" json:"lastmod,omitempty"`
	From    string `cbor:"3,keyasint,omitempty" json:"from,omitempty"` // URL of the page with the link, if any
}

// Known is the part of a URL's record in the ledger that the crawl needs.
type Known struct {
	Hints    Hints
	Ask      bool    // send a conditional request with Hints
	Skip     bool    // send no request if the sitemap's lastmod equals that of Hints
	Document bool    // the index holds, or may hold, a document
	Ended    bool    // the HTML had </html> when last read
	Failing  bool    // the last run could not read the page
	Rests    bool    // send no request: the canonical URL's document still stands for the page
	Refused  Refusal // how the web server has refused the page in several nightly runs
	First    First
}

// Sighting is the result of one look at a URL, as a run stores it on disk. A Draft (the page's content before
// shared text is removed) is stored beside it if the run makes the document later.
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
	Same      bool   `cbor:"10,keyasint,omitempty"` // the page was read, and its document is the acknowledged one
	Content   Hash   `cbor:"11,keyasint,omitempty"` // hash of an HTML page's main text, or of a file's bytes
	Draft     int64  `cbor:"12,keyasint,omitempty"` // position of the stored Draft plus 1; 0 for none
	Fetched   bool   `cbor:"13,keyasint,omitempty"` // the body was fetched and read
	First     First  `cbor:"14,keyasint,omitempty"`
	Rules     uint64 `cbor:"15,keyasint,omitempty"` // fingerprint of reading rules and profile (shared text)

	Interstitial Interstitial `cbor:"16,keyasint,omitempty"`
	// Held has one bit for each entry of the profile (text that pages share): 1 if the page has the entry.
	Held []byte `cbor:"20,keyasint,omitempty"`

	File       bool     `cbor:"18,keyasint,omitempty"` // the document is a file
	Alternates []string `cbor:"19,keyasint,omitempty"` // the Page.Alternates that may be other forms of this URL

	Ended     bool `cbor:"21,keyasint,omitempty"` // see Page.Ended
	Collapsed bool `cbor:"23,keyasint,omitempty"` // the page is noindex, and has under a fifth of the indexed content

	Links []byte `cbor:"25,keyasint,omitempty"` // Page.Links, encoded by PackLinks
	Says  Says   `cbor:"26,keyasint,omitempty"` // during the crawl, set only if Same is set

	Refusal Refusal `cbor:"28,keyasint,omitempty"` // Refusal and Stood are copied from Page
	Stood   bool    `cbor:"29,keyasint,omitempty"`
	Print   Print   `cbor:"30,keyasint,omitempty"` // similarity hash of the text of an unread page

	Own bool `cbor:"27,keyasint,omitempty"` // the text of the page changed, and not only rules or profile
}

// File is the content of a file, as the parser of its format returns it.
type File struct {
	Blocks   []string // paragraphs, table rows or lines in reading order
	Title    string   // from the file's metadata, even if it is no real title
	Sheet    string   // name of a workbook's first sheet
	Author   string
	Language string
	Created  time.Time
	Modified time.Time
	Links    []string // link targets as written, without duplicates
	Cut      string   // for people: the limit at which reading stopped; empty if the whole file was read
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

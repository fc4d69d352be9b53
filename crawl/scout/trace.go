package scout

import (
	"cmp"
	"net/http"

	"sitesync/crawl/page"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Hop is one answer on the way to a page.
type Hop struct {
	URL      string        `json:"url"`
	Status   int           `json:"status"`
	Seen     document.Seen `json:"seen"`
	Why      string        `json:"why,omitempty"`
	Location string        `json:"location,omitempty"` // as the answer writes it
	Headers  http.Header   `json:"headers,omitempty"`  // those that decide something
}

// Directives is what the last answer says of its page: how it wants to be treated.
type Directives struct {
	NoIndex      string `json:"noindex,omitempty"`       // the directive, in words
	NoFollow     string `json:"nofollow,omitempty"`      // the same, or the rule of site.no_follow
	Canonical    string `json:"canonical,omitempty"`     // may be the page itself
	BadCanonical string `json:"bad_canonical,omitempty"` // why a rel=canonical is of no use
	Refresh      string `json:"refresh,omitempty"`       // where a meta refresh leads
	Links        int    `json:"links"`                   // to other addresses, on the site or not
}

// Trace is how a crawl would come to one URL, and what stopped it.
type Trace struct {
	URL        string      `json:"url"` // canonical
	InScope    bool        `json:"in_scope"`
	Scope      string      `json:"scope,omitempty"` // the rule that decided; empty when none was needed
	Allowed    bool        `json:"allowed"`
	Robots     string      `json:"robots,omitempty"` // the line of robots.txt that decided, or why there is none
	Hops       []Hop       `json:"hops"`
	Directives *Directives `json:"directives,omitempty"`
	LinkRules  string      `json:"-"` // Host.Followed of a run by today's rules; empty when robots.txt can't be read
}

// shownHeaders are those of an answer that decide something and are no secret.
var shownHeaders = [...]string{
	"Content-Type", "Content-Encoding", "Etag", "Last-Modified", "Cache-Control", "X-Robots-Tag", "Link", "Retry-After",
}

// HopOf returns the answer that a page is.
func HopOf(p *document.Page) Hop {
	h := Hop{URL: p.URL, Status: p.Status, Seen: p.Seen, Why: p.Why, Location: weburl.HideUser(p.Header.Get("Location")), Headers: http.Header{}}
	for _, name := range shownHeaders {
		if values := p.Header[name]; len(values) > 0 {
			h.Headers[name] = values
		}
	}
	return h
}

// DirectivesOf returns what the links and directives of a page say of it; noFollow is the
// rule of site.no_follow that fits its address.
func DirectivesOf(links page.Links, noFollow string) *Directives {
	return &Directives{
		NoIndex: links.NoIndex, NoFollow: cmp.Or(links.NoFollow, noFollow), Canonical: links.Canonical, BadCanonical: links.BadCanonical,
		Refresh: links.Refresh, Links: len(links.Found),
	}
}

package scout

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Finding is one line of a check: a thing that was tried, and the outcome.
type Finding struct {
	Subject string `json:"subject"`
	Of      string `json:"of"` // the host, page or file
	OK      bool   `json:"ok"`
	Text    string `json:"text"`
	Next    string `json:"next"` // what to do; where the finding is OK, only what could be better
}

// SeenPage says how a page that is named as a start page was seen. known is false when
// the canonical address that it names is not the site's.
func SeenPage(p *document.Page, known bool, read func(*document.Page) (text, next string)) (ok bool, text, next string) {
	text = fmt.Sprintf("%s: %s", p.Seen, cmp.Or(p.Why, fmt.Sprintf("HTTP status %d", p.Status)))
	switch {
	case p.Seen == document.OutOfScope:
		return true, "followed, not indexed: " + p.Why, ""
	case p.Seen == document.NoIndex:
		return false, text, "take the directive away, or name another page in site.start"
	case p.Status == http.StatusUnauthorized || p.Status == http.StatusForbidden:
		return false, text, "give the host's password or headers under [[fetch.auth]]"
	case p.Interstitial != "":
		return false, text, "see to what stands before the page, or name another one in site.start"
	case p.Seen != document.Read:
		return false, text, "name in site.start a page that answers with status 200"
	}
	text, next = read(p)
	if p.Canonical != "" && !known {
		next = fmt.Sprintf("it calls %s its canonical address: should site.start name that?", p.Canonical)
	}
	return true, text, next
}

// soon is how long before its end a certificate is warned of.
const soon = 14 * 24 * time.Hour

// Wires is a transport that notes the first exchange with each https origin.
type Wires struct {
	Next http.RoundTripper
	seen sync.Map // origin → wire of its first exchange
}

type wire struct {
	state *tls.ConnectionState
	err   error
}

// RoundTrip makes the exchange.
func (w *Wires) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.Next.RoundTrip(req)
	one := wire{err: err}
	if err == nil {
		one.state = resp.TLS
	}
	if req.URL.Scheme == "https" {
		w.seen.LoadOrStore(weburl.RequestOrigin(req.URL), one)
	}
	return resp, err
}

// Certificate says what the exchanges showed of an origin's https. explain returns the
// words for an error of TLS, and what to do; nothing for other errors. There is no finding for http,
// nor where no connection came so far.
func (w *Wires) Certificate(origin string, now time.Time, explain func(error) (text, remedy string)) []Finding {
	seen, _ := w.seen.Load(origin)
	one, _ := seen.(wire)
	if one.state != nil && len(one.state.PeerCertificates) > 0 {
		cert := one.state.PeerCertificates[0]
		left := cert.NotAfter.Sub(now)
		f := Finding{Subject: "TLS", Of: origin, OK: true, Text: fmt.Sprintf("%s, issued by %q, valid for %s, until %s",
			tls.VersionName(one.state.Version), cmp.Or(cert.Issuer.CommonName, cert.Issuer.String()), document.Count(int(left.Hours()/24), "more day"), cert.NotAfter.UTC().Format(time.DateOnly))}
		if left < soon {
			f.Next = "let the server renew its certificate"
		}
		return []Finding{f}
	}
	if one.err != nil {
		if text, remedy := explain(one.err); text != "" {
			return []Finding{{Subject: "TLS", Of: origin, Text: text, Next: remedy}}
		}
	}
	return nil
}

// Hop is one answer on the way to a page.
type Hop struct {
	URL      string        `json:"url"`
	Status   int           `json:"status"`
	Seen     document.Seen `json:"seen"`
	Why      string        `json:"why,omitempty"`
	Location string        `json:"location,omitempty"` // as the answer writes it, up to 2 KiB
	Headers  http.Header   `json:"headers,omitempty"`  // those that decide something, each up to 2 KiB
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
	h := Hop{URL: p.URL, Status: p.Status, Seen: p.Seen, Why: p.Why, Location: shown(weburl.HideUser(p.Header.Get("Location"))), Headers: http.Header{}}
	for _, name := range shownHeaders {
		for _, value := range p.Header[name] {
			h.Headers.Add(name, shown(value))
		}
	}
	return h
}

// shown returns the value of a header, cut at 2 KiB: a person reads it.
func shown(value string) string {
	const most = 2 << 10
	if len(value) <= most {
		return value
	}
	return strings.ToValidUTF8(value[:most], "") + "…"
}

// shownFiles is how many sitemaps without fault are named, of each host.
const shownFiles = 20

// File counts what one sitemap file lists.
type File struct {
	Host, Name string
	URLs       int
	Outside    int      // of those, out of scope
	Elsewhere  int      // of those, on other hosts
	Other      string   // the first of the origins that are not the site's
	Maps       int      // other sitemaps
	Newest     int64    // the newest date, in Unix seconds
	Faults     []string // in words
}

// Sitemaps are the files of a site, in the order in which they were read.
type Sitemaps struct {
	files  []*File
	byName map[string]*File
}

// Host returns the host that a file belongs to; empty when the file was not read.
func (s *Sitemaps) Host(name string) string {
	if f := s.byName[name]; f != nil {
		return f.Host
	}
	return ""
}

// File returns the file of a name, which belongs to a host.
func (s *Sitemaps) File(host, name string) *File {
	if s.byName == nil {
		s.byName = map[string]*File{}
	}
	if s.byName[name] == nil {
		s.byName[name] = &File{Host: host, Name: name}
		s.files = append(s.files, s.byName[name])
	}
	return s.byName[name]
}

// Findings says what each sitemap of a host lists, and what is wrong with it.
func (s *Sitemaps) Findings(host string) (found []Finding) {
	sum := File{}
	hidden := 0
	for _, f := range s.files {
		if f.Host != host {
			continue
		}
		sum.URLs, sum.Outside, sum.Elsewhere, sum.Newest = sum.URLs+f.URLs, sum.Outside+f.Outside, sum.Elsewhere+f.Elsewhere, max(sum.Newest, f.Newest)
		if one := f.finding(); !one.OK || len(found) < shownFiles {
			found = append(found, one)
		} else {
			hidden++
		}
	}
	if len(found) < 2 {
		return found
	}
	all := Finding{Subject: "sitemaps", Of: host, OK: true, Text: "in all " + sum.text()}
	if hidden > 0 {
		all.Text += "; not named: " + document.Count(hidden, "file") + " without fault"
	}
	return append(found, all)
}

func (f *File) finding() Finding {
	one := Finding{Subject: "sitemap", Of: f.Name, Text: f.text()}
	switch {
	case len(f.Faults) > 0:
		one.Text, one.Next = f.Faults[0], "repair the file, or take it out of robots.txt or site.sitemaps"
		if more := len(f.Faults) - 1; more > 0 {
			one.Text += fmt.Sprintf(", and %s more", document.Count(more, "fault"))
		}
		if f.URLs+f.Maps > 0 {
			one.Text += "; " + f.text()
		}
	case f.URLs > 0 && f.URLs == f.Elsewhere:
		one.Next = fmt.Sprintf("none of it is of this site: should it be site.start = [%q]?", f.Other+"/")
	case f.URLs > 0 && f.URLs == f.Elsewhere+f.Outside:
		one.Next = "none of it is in scope: look at site.include and site.exclude"
	default:
		one.OK = true
	}
	return one
}

// text says in words what the file lists.
func (f *File) text() string {
	var all []string
	add := func(ok bool, format string, args ...any) {
		if ok {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	add(f.Maps > 0, "an index of %s", document.Count(f.Maps, "sitemap"))
	add(f.URLs > 0 || f.Maps == 0, "%s", document.Count(f.URLs, "URL"))
	add(f.Outside > 0, "%d out of scope", f.Outside)
	add(f.Elsewhere > 0, "%d on other hosts", f.Elsewhere)
	add(f.Newest > 0, "newest change %s", time.Unix(f.Newest, 0).UTC().Format(time.DateOnly))
	return strings.Join(all, ", ")
}

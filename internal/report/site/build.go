package site

import (
	"cmp"
	"encoding/binary"

	"sitesync/internal/document"
)

// Places maps the fingerprint of a URL (a hash) to a number, in little memory.
type Places interface {
	SetValue(fingerprint, value uint64)
	Get(fingerprint uint64) (flags uint16, value uint64)
}

// Builder makes a Site from the facts of its URLs.
type Builder struct {
	site    Site
	places  Places             // index of each URL in site.Pages, plus 1; 0 means unknown
	links   [][]byte           // for each page, the fingerprints of the linked URLs, 8 bytes each
	holders map[int32][]string // index of a broken, redirecting or failed page → first URLs that link to it
	at      map[string]int32   // redirect target or canonical URL → its index in site.Pages; -1 if unknown
}

// NewBuilder returns a Builder. run is the ID of the newest run of sitesync, and start is its start in Unix
// seconds. Faults that this run found for the first time are new. places must be empty.
func NewBuilder(run string, start int64, places Places) *Builder {
	return &Builder{
		site: Site{Run: run, Start: start}, places: places, holders: map[int32][]string{}, at: map[string]int32{},
	}
}

// Add adds the facts of one URL. Calls must be in the order of URLs. page holds what a crawl last saw at the
// URL. rec is the record of the URL in the ledger (the file that says what the index holds). One of page and
// rec may be nil. held is true if a brake (a limit on changes) holds a change of the URL.
func (b *Builder) Add(fingerprint uint64, page *document.SitePage, rec *document.Record, held bool) {
	var p Page
	var links []byte
	if page != nil {
		fresh := func(since int64) bool { return since != 0 && since == b.site.Start }
		p.URL, p.HTTP, p.Why, p.Type, p.From = page.URL, page.Status, page.Why, page.Type, page.From
		says := &page.Says
		p.Title, p.description = says.Title, says.Description
		p.Length, p.noText, p.text = says.Length, says.NoText, says.Text
		p.Target, p.Canonical = page.Target, page.Canonical
		p.Read, p.Changed, p.Since = page.Looked, page.Changed, page.Since
		p.start, p.read = page.Start, page.Seen == document.Read
		p.fresh = freshness{
			fresh(page.Since), fresh(page.TitleSince), fresh(page.DescriptionSince), fresh(page.TextSince),
		}
		links = page.Links
		p.Listed = page.Listed && page.Looked == b.site.Start
	}
	if rec != nil {
		p.URL, p.Indexed, p.Listed = rec.ID, rec.IsDocument(), rec.Listed
		p.Type, p.From = cmp.Or(rec.Type, p.Type), cmp.Or(rec.First.From, p.From)
		p.Read, p.Changed = max(rec.Fetched, p.Read), max(rec.Born, p.Changed)
		p.Length = cmp.Or(p.Length, rec.Length)
	}
	if page == nil && p.Indexed {
		b.site.Unread++
	}
	p.look = lookOf(page, rec)
	p.Status = statusOf(p.look, rec, held)
	for _, url := range [...]string{p.Target, p.Canonical} {
		if url != "" {
			b.at[url] = -1
		}
	}
	b.site.Pages, b.links = append(b.site.Pages, p), append(b.links, links)
	b.places.SetValue(fingerprint, uint64(len(b.site.Pages)))
}

func statusOf(look Status, rec *document.Record, held bool) Status {
	switch {
	case held:
		return Held
	case rec.Parked():
		return Parked
	case rec != nil && rec.Push == document.PushRefused:
		return Refused
	case rec != nil && rec.Push == document.PushDoubt:
		return InDoubt
	}
	return look
}

func lookOf(page *document.SitePage, rec *document.Record) Status {
	seen := document.Read
	switch {
	case page != nil:
		seen = page.Seen
	case rec.Since != "":
		seen = document.Unread
	case !rec.IsDocument() && len(rec.Looks) > 0:
		seen = rec.Looks[len(rec.Looks)-1].Seen
	}
	switch seen {
	case document.Moved, document.Elsewhere:
		return Redirect
	case document.Unread:
		return Failed
	case document.OutOfScope:
		return Excluded
	case document.OtherHost:
		return LeftOut
	case document.LeftOut, document.NoIndex, document.Missing, document.Gone, document.Disallowed:
		return Status(seen)
	}
	switch {
	case rec.IsDocument():
		return Indexed
	case rec == nil:
	case rec.Led != 0:
		return Missing
	case rec.Canonical != "":
		return Folded
	case rec.Date != "":
		return Expired
	}
	return Other
}

func (s Status) broken() bool { return s == Missing || s == Gone }

// Site returns the finished Site, with faults if faults is true. The Builder must not be used afterwards.
func (b *Builder) Site(faults bool) *Site {
	s := &b.site
	for i := range s.Pages {
		if _, wanted := b.at[s.Pages[i].URL]; wanted {
			b.at[s.Pages[i].URL] = int32(i)
		}
	}
	linked := b.resolve()
	if faults {
		f := &finder{site: s, at: b.at, holders: b.holders, linksKnown: linked && s.Unread == 0}
		f.find()
	}
	return s
}

// resolve counts the links to each page, sets Page.From and b.holders, and reports whether any links exist.
func (b *Builder) resolve() (any bool) {
	pages := b.site.Pages
	// These slices fit into the cache of the CPU, but the slice pages does not.
	linksIn, wrong := make([]int, len(pages)), make([]bool, len(pages))
	for i := range pages {
		wrong[i] = pages[i].look.broken() || pages[i].look == Redirect || pages[i].look == Failed
	}
	for i, links := range b.links {
		for ; len(links) >= 8; links = links[8:] {
			_, at := b.places.Get(binary.BigEndian.Uint64(links))
			if at == 0 {
				continue
			}
			to := int32(at) - 1
			any = true
			if linksIn[to] == 0 && !pages[to].start {
				pages[to].From = pages[i].URL
			}
			linksIn[to]++
			if !wrong[to] {
				continue
			}
			if len(b.holders[to]) < MaxPages {
				b.holders[to] = append(b.holders[to], pages[i].URL)
			}
		}
	}
	for i := range pages {
		pages[i].LinksIn = linksIn[i]
	}
	b.links = nil
	return any
}

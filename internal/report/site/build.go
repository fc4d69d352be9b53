package site

import (
	"cmp"
	"encoding/binary"
	"slices"

	"sitesync/internal/document"
)

// Builder makes a Site of the facts of its URLs.
type Builder struct {
	site    Site
	at      map[uint64]int32 // fingerprint of a URL to its place
	links   []uint64         // of all pages, one behind the other
	ends    []int            // where those of each page end
	holders map[int32]*holders
}

// holders are the pages that link to one that should not be linked to.
type holders struct {
	first []string
	all   int
}

// NewBuilder returns a Builder for what the last run left: its ID and its start in Unix
// seconds. A fault that was first seen at that time is new.
func NewBuilder(run string, start int64) *Builder {
	return &Builder{site: Site{Run: run, Start: start}, at: map[uint64]int32{}, holders: map[int32]*holders{}}
}

// Add takes in the URL that comes next in order, with its fingerprint: what is known of its
// page and its record, one of which may be nil, and whether its change is held.
func (b *Builder) Add(fingerprint uint64, page *document.SitePage, rec *document.Record, held bool) {
	p := Page{Depth: -1}
	if page != nil {
		fresh := func(since int64) bool { return since != 0 && since == b.site.Start }
		p.URL, p.HTTP, p.Why, p.Type, p.From = page.URL, page.Status, page.Why, page.Type, page.From
		p.Title, p.description, p.Length, p.noText, p.text = page.Says.Title, page.Says.Description, page.Says.Length, page.Says.NoText, page.Says.Text
		p.Target, p.Canonical, p.Took, p.Read, p.Changed, p.Since = page.Target, page.Canonical, page.Took, page.Looked, page.Changed, page.Since
		p.start, p.read = page.Start, page.Seen == document.Read
		p.fresh = freshness{fresh(page.Since), fresh(page.TitleSince), fresh(page.DescriptionSince), fresh(page.TextSince)}
		for i := range min(document.SketchSize, len(page.Says.Sketch)/4) {
			p.sketch[i] = binary.LittleEndian.Uint32(page.Says.Sketch[4*i:])
		}
		for links := page.Links; len(links) >= 8; links = links[8:] {
			b.links = append(b.links, binary.BigEndian.Uint64(links))
		}
	}
	if rec != nil {
		p.URL, p.Indexed, p.Listed = rec.ID, rec.IsDocument(), rec.Listed
		p.Type, p.From = cmp.Or(rec.Type, p.Type), cmp.Or(rec.First.From, p.From)
		p.Read, p.Changed = max(rec.Fetched, p.Read), max(rec.Born, p.Changed)
		p.Length = cmp.Or(p.Length, rec.Length)
	}
	p.Status = statusOf(page, rec, held)
	b.at[fingerprint] = int32(len(b.site.Pages))
	b.site.Pages, b.ends = append(b.site.Pages, p), append(b.ends, len(b.links))
}

// statusOf says how a URL stands: what waits for the owner before what the service said,
// and that before what the last look found.
func statusOf(page *document.SitePage, rec *document.Record, held bool) Status {
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
	case document.NoIndex:
		return NoIndex
	case document.Missing:
		return Missing
	case document.Gone:
		return Gone
	case document.Unread:
		return Failed
	case document.OutOfScope:
		return Excluded
	case document.Disallowed:
		return Disallowed
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

// broken reports whether a link to a page of that status leads nowhere.
func (s Status) broken() bool { return s == Missing || s == Gone }

// Site returns the site. b must not be used again.
func (b *Builder) Site() *Site {
	s := &b.site
	targets := b.resolve()
	b.measureDepth(targets)
	f := &finder{site: s, at: map[string]int32{}, holders: b.holders, linked: len(targets) > 0}
	for i := range s.Pages {
		f.at[s.Pages[i].URL] = int32(i)
	}
	f.find()
	return s
}

// resolve counts the links to each page, notes who holds those that lead to no page, and
// returns the places that links lead to, one for each link; -1: to no known URL.
func (b *Builder) resolve() []int32 {
	targets := make([]int32, len(b.links))
	begin := 0
	for i, end := range b.ends {
		for n := begin; n < end; n++ {
			to, known := b.at[b.links[n]]
			if !known {
				targets[n] = -1
				continue
			}
			targets[n] = to
			page := &b.site.Pages[to]
			page.LinksIn++
			if !page.Status.broken() && page.Status != Redirect && page.Status != Failed {
				continue
			}
			h := b.holders[to]
			if h == nil {
				h = &holders{}
				b.holders[to] = h
			}
			h.all++
			if len(h.first) < MaxPages {
				h.first = append(h.first, b.site.Pages[i].URL)
			}
		}
		begin = end
	}
	b.links = nil
	return targets
}

// measureDepth finds how many clicks each page is from a start page, and by which page one
// gets there. A redirect costs none.
func (b *Builder) measureDepth(targets []int32) {
	pages := b.site.Pages
	places := make(map[string]int32)
	for i := range pages {
		if pages[i].Status == Redirect {
			places[pages[i].Target] = -1
		}
	}
	var level []int32
	for i := range pages {
		if _, wanted := places[pages[i].URL]; wanted {
			places[pages[i].URL] = int32(i)
		}
		if pages[i].start {
			pages[i].Depth = 0
			level = append(level, int32(i))
		}
	}
	for depth := 0; len(level) > 0; depth++ {
		var next []int32
		for n := 0; n < len(level); n++ { // it grows by the targets of redirects
			i := level[n]
			if to, known := places[pages[i].Target]; known && to >= 0 && pages[i].Status == Redirect && pages[to].Depth < 0 {
				pages[to].Depth, pages[to].From = depth, pages[i].URL
				level = append(level, to)
			}
			begin := 0
			if i > 0 {
				begin = b.ends[i-1]
			}
			for _, to := range targets[begin:b.ends[i]] {
				if to >= 0 && pages[to].Depth < 0 {
					pages[to].Depth, pages[to].From = depth+1, pages[i].URL
					next = append(next, to)
				}
			}
		}
		level = slices.Clip(next)
	}
}

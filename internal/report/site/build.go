package site

import (
	"cmp"
	"encoding/binary"
	"math/bits"

	"sitesync/internal/document"
)

// Builder makes a Site of the facts of its URLs.
type Builder struct {
	site    Site
	prints  []uint64 // the fingerprint of each URL
	links   [][]byte // of each page, as it packs them
	holders map[int32]*holders
	at      map[string]int32 // the place of each URL that a redirect leads to or a page names as canonical; -1: it is not known
}

// holders are the pages that link to one that should not be linked to.
type holders struct {
	first []string
	all   int
}

// NewBuilder returns a Builder for what the last run left: its ID and its start in Unix
// seconds. A fault that was first seen at that time is new.
func NewBuilder(run string, start int64) *Builder {
	return &Builder{site: Site{Run: run, Start: start}, holders: map[int32]*holders{}, at: map[string]int32{}}
}

// Add takes in the URL that comes next in order, with its fingerprint: what is known of its
// page and its record, one of which may be nil, and whether its change is held.
func (b *Builder) Add(fingerprint uint64, page *document.SitePage, rec *document.Record, held bool) {
	p := Page{Depth: -1}
	var links []byte
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
		links = page.Links
	}
	if rec != nil {
		p.URL, p.Indexed, p.Listed = rec.ID, rec.IsDocument(), rec.Listed
		p.Type, p.From = cmp.Or(rec.Type, p.Type), cmp.Or(rec.First.From, p.From)
		p.Read, p.Changed = max(rec.Fetched, p.Read), max(rec.Born, p.Changed)
		p.Length = cmp.Or(p.Length, rec.Length)
	}
	p.look = lookOf(page, rec)
	p.Status = statusOf(p.look, rec, held)
	for _, url := range [...]string{p.Target, p.Canonical} {
		if url != "" {
			b.at[url] = -1
		}
	}
	b.site.Pages, b.prints, b.links = append(b.site.Pages, p), append(b.prints, fingerprint), append(b.links, links)
}

// statusOf says how a URL stands: what waits for the owner before what the service said,
// and that before what the last look found.
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

// lookOf says what the last look found; without facts the record tells.
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
	for i := range s.Pages {
		if _, wanted := b.at[s.Pages[i].URL]; wanted {
			b.at[s.Pages[i].URL] = int32(i)
		}
	}
	targets, ends := b.resolve()
	b.measureDepth(targets, ends)
	f := &finder{site: s, at: b.at, holders: b.holders, linked: len(targets) > 0}
	f.find()
	return s
}

// places finds the place of a URL by its fingerprint: by linear probing, from where the first
// bits of a fingerprint point to. A map takes four times as long for the links of a large site.
type places struct {
	cells []struct {
		print uint64
		at    int32 // plus 1; 0: the cell is free
	}
	shift int
}

func newPlaces(prints []uint64) *places {
	size := bits.Len(uint(2 * len(prints)))
	p := &places{shift: 64 - size}
	p.cells = make([]struct {
		print uint64
		at    int32
	}, 1<<size)
	for i, print := range prints {
		n := p.cell(print)
		p.cells[n].print, p.cells[n].at = print, int32(i)+1
	}
	return p
}

// cell returns the cell of a fingerprint, or the free one that is for it.
func (p *places) cell(print uint64) int {
	for n := int(print >> p.shift); ; n = (n + 1) % len(p.cells) {
		if c := &p.cells[n]; c.at == 0 || c.print == print {
			return n
		}
	}
}

// resolve counts the links to each page and notes who holds those that lead to no page. It
// returns the places that links lead to, of all pages one behind the other, and where those of
// each page end.
func (b *Builder) resolve() (targets []int32, ends []int) {
	all := 0
	for _, links := range b.links {
		all += len(links) / 8
	}
	targets, ends = make([]int32, 0, all), make([]int, len(b.links))
	known := newPlaces(b.prints)
	for i, links := range b.links {
		for ; len(links) >= 8; links = links[8:] {
			to := known.cells[known.cell(binary.BigEndian.Uint64(links))].at - 1
			if to < 0 {
				continue
			}
			targets = append(targets, to)
			page := &b.site.Pages[to]
			page.LinksIn++
			if !page.look.broken() && page.look != Redirect && page.look != Failed {
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
		ends[i] = len(targets)
	}
	b.links = nil
	return targets, ends
}

// measureDepth finds how many clicks each page is from a start page, and by which page one
// gets there. A redirect costs none.
func (b *Builder) measureDepth(targets []int32, ends []int) {
	pages := b.site.Pages
	var level []int32
	for i := range pages {
		if pages[i].start {
			pages[i].Depth = 0
			level = append(level, int32(i))
		}
	}
	for depth := 0; len(level) > 0; depth++ {
		var next []int32
		for n := 0; n < len(level); n++ { // it grows by the targets of redirects
			i := level[n]
			if to, known := b.at[pages[i].Target]; known && to >= 0 && pages[i].look == Redirect && pages[to].Depth < 0 {
				pages[to].Depth, pages[to].From = depth, pages[i].URL
				level = append(level, to)
			}
			begin := 0
			if i > 0 {
				begin = ends[i-1]
			}
			for _, to := range targets[begin:ends[i]] {
				if pages[to].Depth < 0 {
					pages[to].Depth, pages[to].From = depth+1, pages[i].URL
					next = append(next, to)
				}
			}
		}
		level = next
	}
}

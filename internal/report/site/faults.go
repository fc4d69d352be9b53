package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

const mostHops = 10

type finder struct {
	site       *Site
	at         map[string]int32
	holders    map[int32][]string
	linksKnown bool
}

func (f *finder) find() {
	for i := range f.site.Pages {
		f.page(int32(i), &f.site.Pages[i])
	}
	f.together(SameTitle, func(p *Page) string { return fmt.Sprintf("share the title %q", p.Title) },
		func(p *Page) (uint64, bool) { return keyOf(p.Title), p.fresh.title })
	f.together(SameDescription, func(p *Page) string { return fmt.Sprintf("share the description %q", p.description) },
		func(p *Page) (uint64, bool) { return keyOf(p.description), p.fresh.description })
	f.together(SameText, func(*Page) string { return "have the same text" },
		func(p *Page) (uint64, bool) { return p.text, p.fresh.text })
	f.together(LeftOutBy, func(p *Page) string { return "left out: " + p.Left() },
		func(p *Page) (uint64, bool) { return keyOf(p.Left()), p.fresh.status })
	// Kinds with a new fault come first.
	s, isNew, fresh := f.site, map[bool]int{true: 1}, map[Kind]int{}
	for _, fault := range s.Faults {
		fresh[fault.Kind] = max(fresh[fault.Kind], isNew[fault.New])
	}
	slices.SortFunc(s.Faults, func(a, b Fault) int {
		return cmp.Or(fresh[b.Kind]-fresh[a.Kind], slices.Index(kinds[:], a.Kind)-slices.Index(kinds[:], b.Kind),
			isNew[b.New]-isNew[a.New], b.affected-a.affected,
			strings.Compare(a.URL, b.URL), strings.Compare(a.Text, b.Text))
	})
	for _, fault := range s.Faults {
		if n := len(s.Counts); n == 0 || s.Counts[n-1].Kind != fault.Kind {
			s.Counts = append(s.Counts, Count{Kind: fault.Kind})
		}
		count := &s.Counts[len(s.Counts)-1]
		count.Faults++
		if fault.New {
			count.New++
		}
	}
}

func (f *finder) addFault(kind Kind, p *Page, fresh bool, text string, pages ...string) {
	f.addSome(len(pages), Fault{Kind: kind, URL: p.URL, Title: p.Title, Text: text, Pages: pages, New: fresh})
}

func (f *finder) addSome(affected int, fault Fault) {
	fault.Pages = fault.Pages[:min(len(fault.Pages), MaxPages)]
	fault.More, fault.affected = affected-len(fault.Pages), affected
	f.site.Faults = append(f.site.Faults, fault)
}

func (f *finder) page(i int32, p *Page) {
	fresh, isDoc := p.fresh.status, p.Indexed && p.read
	linked := func(kind Kind, text string) {
		f.addSome(p.LinksIn, Fault{Kind: kind, URL: p.URL, Title: p.Title, Text: text, Pages: f.holders[i], New: fresh})
	}
	link := "; " + document.Count(p.LinksIn, "page") + " link to it"
	if p.LinksIn == 1 {
		link = "; 1 page links to it"
	}
	switch {
	case p.look == Failed:
		linked(FailedPage, p.answer())
	case p.look == Redirect:
		f.chain(p)
		if p.LinksIn > 0 {
			linked(RedirectLink, "is "+p.state()+link)
		}
	case p.look.broken() && p.LinksIn > 0:
		linked(BrokenLink, "is not there ("+p.answer()+")"+link)
	case isDoc:
		f.says(p)
	}
	switch {
	case !p.Listed:
	case p.look.broken(), slices.Contains([]Status{Redirect, NoIndex, Disallowed, Excluded, LeftOut, Failed}, p.look):
		f.addFault(BadListed, p, fresh, "the sitemap lists it, and it is "+p.state())
	case isDoc && f.linksKnown && p.LinksIn == 0 && !p.start:
		f.addFault(NotLinked, p, fresh, "is in the sitemap, but no page links to it")
	}
}

func (p *Page) answer() string {
	status := fmt.Sprint(p.HTTP)
	if p.HTTP == 0 || strings.Contains(p.Why, status) {
		return cmp.Or(p.Why, "it did not answer")
	}
	return strings.TrimSuffix(status+", "+p.Why, ", ")
}

// state returns the words that complete the sentence "the page is ...".
func (p *Page) state() string {
	switch p.look {
	case Missing, Gone:
		return "not there"
	case Redirect:
		return "a redirect to " + cmp.Or(p.Target, "no usable address")
	case NoIndex:
		return "not to be indexed: " + cmp.Or(p.Why, "noindex")
	case Disallowed:
		return "closed by robots.txt"
	case Failed:
		return "not readable"
	case LeftOut:
		return "left out: " + p.Why
	}
	return string(p.look)
}

func (f *finder) chain(p *Page) {
	var hops []string
	end := p
	for end.look == Redirect && end.Target != "" && len(hops) < mostHops && !slices.Contains(hops, end.Target) {
		hops = append(hops, end.Target)
		if at := f.at[end.Target]; at >= 0 {
			end = &f.site.Pages[at]
		}
	}
	switch {
	case p.Target == "":
		f.addFault(RedirectChain, p, p.fresh.status, "redirects to no usable address")
	case slices.Contains(hops, p.URL):
		f.addFault(RedirectChain, p, p.fresh.status, "its redirects lead in a circle", hops...)
	case end.look.broken(), end.look == Failed:
		f.addFault(RedirectChain, p, p.fresh.status, "redirects to "+end.URL+", which is "+end.state(), hops...)
	case len(hops) > 1:
		text := fmt.Sprintf("%d redirects in a row lead to %s", len(hops), hops[len(hops)-1])
		f.addFault(RedirectChain, p, p.fresh.status, text, hops...)
	}
}

func (f *finder) says(p *Page) {
	if p.Title == "" {
		f.addFault(NoTitle, p, p.fresh.title, "has no title")
	}
	if p.description == "" && p.Type != document.FileContent {
		f.addFault(NoDescription, p, p.fresh.description, "has no description of its own")
	}
	if p.Length == 0 {
		f.addFault(NoText, p, p.fresh.text, "has no text of its own"+strings.TrimSuffix(": "+p.noText, ": "))
	}
	if p.Canonical == "" {
		return
	}
	text := "is not known"
	if at := f.at[p.Canonical]; at >= 0 {
		other := &f.site.Pages[at]
		switch {
		case other.Canonical != "" && other.Canonical != p.Canonical:
			text = "names " + other.Canonical + " in turn"
		case other.Indexed && other.read:
			text = "shows another text"
		default:
			text = "is " + other.state()
		}
	}
	f.addFault(BadCanonical, p, p.fresh.status, "names "+p.Canonical+" as its canonical address, which "+text)
}

func keyOf(text string) uint64 {
	if text == "" {
		return 0
	}
	return xxhash.Sum64String(text)
}

// together adds a fault for each group of pages with equal keys. The function "of" returns the key of a page
// (0 if it has none), and whether the last run was the first to find this key on the page. The function
// "share" returns what the pages of a group have in common, for people.
func (f *finder) together(kind Kind, share func(*Page) string, of func(*Page) (key uint64, fresh bool)) {
	first, groups := make(map[uint64]int32, len(f.site.Pages)), map[int32][]int32{}
	for i := range f.site.Pages {
		p := &f.site.Pages[i]
		if kind != LeftOutBy && (!p.Indexed || !p.read) {
			continue
		}
		key, _ := of(p)
		at, known := first[key]
		switch {
		case key == 0:
		case !known:
			first[key] = int32(i)
			if kind == LeftOutBy { // for this kind even a single page is a fault
				groups[int32(i)] = nil
			}
		default:
			groups[at] = append(groups[at], int32(i))
		}
	}
	for at, others := range groups {
		p := &f.site.Pages[at]
		_, isNew := of(p)
		urls := []string{p.URL}
		for _, i := range others {
			_, fresh := of(&f.site.Pages[i])
			urls, isNew = append(urls, f.site.Pages[i].URL), isNew || fresh
		}
		f.addFault(kind, p, isNew, document.Count(len(urls), "page")+" "+share(p), urls...)
	}
}

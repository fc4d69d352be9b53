package site

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// What makes a page slow or deep, and how many are told of a kind that every site has.
const (
	slowFrom = 1000 // milliseconds
	deepFrom = 5    // clicks
	mostHops = 10
	mostSlow = 100
)

// finder finds the faults of a site.
type finder struct {
	site    *Site
	at      map[string]int32
	holders map[int32]*holders
	linked  bool            // links are known
	mapped  map[string]bool // hosts of which a sitemap lists something
}

func (f *finder) find() {
	f.mapped = map[string]bool{}
	for i := range f.site.Pages {
		if p := &f.site.Pages[i]; p.Listed {
			f.mapped[origin(p.URL)] = true
		}
	}
	for i := range f.site.Pages {
		f.page(int32(i), &f.site.Pages[i])
	}
	f.same(SameTitle, "share the title", func(p *Page) (string, bool) { return p.Title, p.fresh.title })
	f.same(SameDescription, "share the description", func(p *Page) (string, bool) { return p.description, p.fresh.description })
	f.same(SameText, "have the same text", func(p *Page) (string, bool) {
		if p.text == 0 {
			return "", false
		}
		return string(binary.BigEndian.AppendUint64(nil, p.text)), p.fresh.text
	})
	f.near()
	f.order()
}

func origin(url string) string {
	end := strings.Index(url, "://") + 3
	if n := strings.IndexByte(url[end:], '/'); n >= 0 {
		return url[:end+n]
	}
	return url
}

// add adds a fault of one page.
func (f *finder) add(kind Kind, p *Page, fresh bool, format string, args ...any) *Fault {
	f.site.Faults = append(f.site.Faults, Fault{Kind: kind, URL: p.URL, Title: p.Title, Text: fmt.Sprintf(format, args...), New: fresh})
	return &f.site.Faults[len(f.site.Faults)-1]
}

// answer says how a page answered.
func (p *Page) answer() string {
	status := fmt.Sprint(p.HTTP)
	switch {
	case p.HTTP == 0 || strings.Contains(p.Why, status):
		return cmp.Or(p.Why, "it did not answer")
	case p.Why == "":
		return status
	}
	return status + ", " + p.Why
}

// page finds the faults that one page shows.
func (f *finder) page(i int32, p *Page) {
	fresh := p.fresh.status
	if h := f.holders[i]; h != nil {
		kind, text := RedirectLink, "redirects to "+p.Target
		if p.look.broken() {
			kind, text = BrokenLink, "is not there ("+p.answer()+")"
		}
		if p.look != Failed {
			fault := f.add(kind, p, fresh, "%s; %s to it", text, linkPages(h.all))
			fault.Pages, fault.More = h.first, h.all-len(h.first)
		}
	}
	switch {
	case p.look == Failed:
		fault := f.add(FailedPage, p, fresh, "%s", p.answer())
		if h := f.holders[i]; h != nil {
			fault.Pages, fault.More = h.first, h.all-len(h.first)
		}
	case p.look == Redirect:
		f.chain(p)
	case p.Indexed && p.read:
		f.says(p)
	}
	if p.Listed && (p.look.broken() || p.look == Redirect || p.look == NoIndex || p.look == Disallowed || p.look == Excluded) {
		f.add(BadListed, p, fresh, "the sitemap lists it, and it is %s", p.state())
	}
	switch page := p.Indexed && p.read; {
	case !page || !f.linked || p.start:
	case p.Listed && p.LinksIn == 0:
		f.add(NotLinked, p, fresh, "is in the sitemap, but no page links to it")
	case !p.Listed && p.LinksIn > 0 && p.Type == document.PageContent && f.mapped[origin(p.URL)]: // few sitemaps list files
		f.add(NotListed, p, fresh, "is linked, but not in the sitemap")
	}
	if p.Took >= slowFrom {
		f.add(Slow, p, false, "took %.1f seconds to answer", float64(p.Took)/1000)
	}
	if p.Depth >= deepFrom && p.Indexed {
		f.add(Deep, p, fresh, "%d clicks from a start page", p.Depth)
	}
}

func linkPages(n int) string {
	if n == 1 {
		return "1 page links"
	}
	return fmt.Sprintf("%d pages link", n)
}

// state says what a page is, for a sentence.
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
	}
	return string(p.look)
}

// chain finds redirects that lead to another redirect, to no page or in a circle.
func (f *finder) chain(p *Page) {
	hops := []string{p.Target}
	for len(hops) <= mostHops {
		at, known := f.at[hops[len(hops)-1]]
		if !known || at < 0 {
			break
		}
		next := &f.site.Pages[at]
		switch {
		case next.look == Redirect && slices.Contains(hops, next.Target), next.Target == p.URL:
			f.add(RedirectChain, p, p.fresh.status, "its redirects lead in a circle").Pages = hops
			return
		case next.look == Redirect && next.Target != "":
			hops = append(hops, next.Target)
			continue
		case next.look.broken(), next.look == Failed:
			f.add(RedirectChain, p, p.fresh.status, "redirects to %s, which is %s", next.URL, next.state()).Pages = hops
			return
		}
		break
	}
	if len(hops) > 1 {
		f.add(RedirectChain, p, p.fresh.status, "%s in a row lead to %s", document.Count(len(hops), "redirect"), hops[len(hops)-1]).Pages = hops
	}
}

// says finds what is wrong with the words of a page.
func (f *finder) says(p *Page) {
	isPage := p.Type != document.FileContent
	if p.Title == "" {
		f.add(NoTitle, p, p.fresh.title, "has no title")
	}
	if p.description == "" && isPage {
		f.add(NoDescription, p, p.fresh.description, "has no description of its own")
	}
	switch {
	case p.Length > 0:
	case isPage:
		f.add(NoText, p, p.fresh.text, "shows no text of its own")
	default:
		f.add(NoText, p, p.fresh.text, "has no text: %s", cmp.Or(p.noText, "nothing was found in it"))
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
	f.add(BadCanonical, p, p.fresh.status, "names %s as its canonical address, which %s", p.Canonical, text)
}

// same finds indexed pages that have a text in common.
func (f *finder) same(kind Kind, share string, of func(*Page) (text string, fresh bool)) {
	first, groups := make(map[string]int32, len(f.site.Pages)), map[string][]int32{}
	for i := range f.site.Pages {
		p := &f.site.Pages[i]
		text, _ := of(p)
		if text == "" || !p.Indexed || !p.read {
			continue
		}
		at, known := first[text]
		switch {
		case !known:
			first[text] = int32(i)
		case groups[text] == nil:
			groups[text] = []int32{at, int32(i)}
		default:
			groups[text] = append(groups[text], int32(i))
		}
	}
	for text, group := range groups {
		if kind != SameText {
			share = fmt.Sprintf("share the %s %q", strings.TrimPrefix(string(kind), "same-"), text)
		}
		f.group(kind, share, group, func(p *Page) bool { _, fresh := of(p); return fresh })
	}
}

// group adds a fault that several pages have together.
func (f *finder) group(kind Kind, share string, group []int32, fresh func(*Page) bool) {
	fault := f.add(kind, &f.site.Pages[group[0]], false, "%d pages %s", len(group), share)
	for n, i := range group {
		p := &f.site.Pages[i]
		fault.New = fault.New || fresh(p)
		if n < MaxPages {
			fault.Pages = append(fault.Pages, p.URL)
		} else {
			fault.More++
		}
	}
}

// alike is of how many of their values two sketches must agree.
const alike = 7

// near finds pages of nearly the same text: those that agree in two values of their sketches
// that stand together are compared with the first of them.
func (f *finder) near() {
	first := map[[3]uint32]int32{} // a pair's place and values
	groups := map[int32][]int32{}
	var none [document.SketchSize]uint32
	for i := range f.site.Pages {
		p := &f.site.Pages[i]
		if !p.Indexed || !p.read || p.sketch == none {
			continue
		}
		found := false
		for n := 0; n < len(p.sketch); n += 2 {
			key := [3]uint32{uint32(n), p.sketch[n], p.sketch[n+1]}
			at, known := first[key]
			if !known {
				first[key] = int32(i)
				continue
			}
			if other := &f.site.Pages[at]; !found && other.text != p.text && agree(other, p) {
				groups[at] = append(groups[at], int32(i))
				found = true
			}
		}
	}
	for at, group := range groups {
		f.group(NearText, "have nearly the same text", append([]int32{at}, group...), func(p *Page) bool { return p.fresh.text })
	}
}

func agree(a, b *Page) bool {
	n := 0
	for i := range a.sketch {
		if a.sketch[i] == b.sketch[i] {
			n++
		}
	}
	return n >= alike
}

// order sorts and counts the faults, and leaves out all but the slowest pages.
func (f *finder) order() {
	place, took := map[Kind]int{}, map[string]int{}
	for n, kind := range Kinds {
		place[kind.Kind] = n
	}
	s := f.site
	for i := range s.Pages {
		if p := &s.Pages[i]; p.Took >= slowFrom {
			took[p.URL] = p.Took
		}
	}
	weight := func(x *Fault) int {
		if x.Kind == Slow {
			return took[x.URL]
		}
		return len(x.Pages) + x.More
	}
	slices.SortFunc(s.Faults, func(a, b Fault) int {
		fresh := 0
		if a.New != b.New {
			fresh = 1
			if a.New {
				fresh = -1
			}
		}
		return cmp.Or(cmp.Compare(place[a.Kind], place[b.Kind]), fresh, cmp.Compare(weight(&b), weight(&a)), strings.Compare(a.URL, b.URL), strings.Compare(a.Text, b.Text))
	})
	slow := 0
	s.Faults = slices.DeleteFunc(s.Faults, func(x Fault) bool {
		if x.Kind == Slow {
			slow++
		}
		return x.Kind == Slow && slow > mostSlow
	})
	for _, fault := range s.Faults {
		if n := len(s.Counts); n == 0 || s.Counts[n-1].Kind != fault.Kind {
			s.Counts = append(s.Counts, Count{Kind: fault.Kind, Name: Kinds[place[fault.Kind]].Name})
		}
		count := &s.Counts[len(s.Counts)-1]
		count.Faults++
		if fault.New {
			count.New++
		}
	}
}

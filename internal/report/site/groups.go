package site

import (
	"fmt"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// alike is of how many of their values two sketches must agree.
const alike = 7

// groups finds documents that have something together.
func (f *finder) groups() {
	all := func(_, _ *Page) bool { return true }
	freshText := func(p *Page) bool { return p.fresh.text }
	f.together(SameTitle, func(p *Page) string { return fmt.Sprintf("share the title %q", p.Title) },
		func(p *Page, keys []uint64) []uint64 { return addKey(keys, p.Title) }, all, func(p *Page) bool { return p.fresh.title })
	f.together(SameDescription, func(p *Page) string { return fmt.Sprintf("share the description %q", p.description) },
		func(p *Page, keys []uint64) []uint64 { return addKey(keys, p.description) }, all, func(p *Page) bool { return p.fresh.description })
	f.together(SameText, func(*Page) string { return "have the same text" },
		func(p *Page, keys []uint64) []uint64 { return append(keys, p.text) }, all, freshText)
	f.together(NearText, func(*Page) string { return "have nearly the same text" }, (*Page).bands, nearly, freshText)
}

// addKey adds what stands for a text, where there is one.
func addKey(keys []uint64, text string) []uint64 {
	if text == "" {
		return keys
	}
	return append(keys, xxhash.Sum64String(text))
}

// together finds the documents that have a key in common with the first that has it, and fit
// to that.
func (f *finder) together(kind Kind, share func(*Page) string, keys func(*Page, []uint64) []uint64, fit func(first, p *Page) bool, fresh func(*Page) bool) {
	first, groups := make(map[uint64]int32, len(f.site.Pages)), map[int32][]int32{}
	var some []uint64
	for i := range f.site.Pages {
		p := &f.site.Pages[i]
		if !p.Indexed || !p.read {
			continue
		}
		found := false
		some = keys(p, some[:0])
		for _, key := range some {
			at, known := first[key]
			switch {
			case key == 0:
			case !known:
				first[key] = int32(i)
			case !found && fit(&f.site.Pages[at], p):
				groups[at] = append(groups[at], int32(i))
				found = true
			}
		}
	}
	for at, others := range groups {
		p := &f.site.Pages[at]
		urls, isNew := []string{p.URL}, fresh(p)
		for _, i := range others {
			urls, isNew = append(urls, f.site.Pages[i].URL), isNew || fresh(&f.site.Pages[i])
		}
		f.add(kind, p, isNew, document.Count(len(urls), "page")+" "+share(p), urls...)
	}
}

// bands adds what stands for parts of a page's sketch: pages of nearly the same text have
// one in common.
func (p *Page) bands(keys []uint64) []uint64 {
	for n := 0; n < len(p.sketch) && p.sketch != [document.SketchSize]uint32{}; n += 2 {
		keys = append(keys, uint64(p.sketch[n])<<32|uint64(p.sketch[n+1])+uint64(n))
	}
	return keys
}

// nearly reports whether two pages have nearly, but not wholly, the same text.
func nearly(a, b *Page) bool {
	n := 0
	for i := range a.sketch {
		if a.sketch[i] == b.sketch[i] {
			n++
		}
	}
	return n >= alike && a.text != b.text
}

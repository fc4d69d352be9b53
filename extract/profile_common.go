package extract

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

const (
	leastRich = 8   // pages with text of their own: fewer teach nothing
	richText  = 100 // bytes that no other page has to say
	endBlocks = 500 // blocks that are counted at each end of a page
	maxBlocks = 500 // of a section
)

// lesson is what one page of a sample says.
type lesson struct {
	blocks       []uint64 // keys, without those that are the origin's
	sizes        []int
	titles       []string
	heads, tails []string
	descriptions []uint64
}

// learn returns what the sampled pages have in common, beside what their origin has.
// ok is false where too few of them have text of their own: pages that are all but
// equal do not tell what on them is furniture, and it is taken for content.
func (s *looks) learn(draft func(at int64) (document.Draft, error), origin *document.Section) (common document.Section, ok bool, err error) {
	if len(s.sample) < leastRich {
		return common, false, nil
	}
	above := document.Section{}
	if origin != nil {
		above = *origin
	}
	var all []lesson
	for _, page := range s.sample {
		d, err := draft(page.draft)
		if err != nil {
			return common, false, err
		}
		if d.Type == document.PageContent {
			all = append(all, lessonOf(&d, above.Blocks))
		}
	}
	blocks := onMost(all, func(p *lesson) []uint64 { return p.blocks })
	rich := slices.DeleteFunc(slices.Clone(all), func(p lesson) bool { return p.own(blocks) < richText })
	if len(rich) < leastRich {
		return common, false, nil
	}
	ofRich := onMost(rich, func(p *lesson) []uint64 { return p.blocks })
	ofRich = slices.DeleteFunc(ofRich, func(key uint64) bool { return !holds(blocks, key) })
	common = document.Section{
		Blocks:       ofRich[:min(len(ofRich), maxBlocks)],
		Titles:       without(above.Titles, onMost(rich, func(p *lesson) []string { return p.titles })),
		Tails:        without(above.Tails, onMost(rich, func(p *lesson) []string { return p.tails })),
		Descriptions: without(above.Descriptions, onMost(rich, func(p *lesson) []uint64 { return p.descriptions })),
	}
	if origin == nil { // in one part of a site a head says what its pages are
		common.Heads = onMost(rich, func(p *lesson) []string { return p.heads })
	}
	return common.Sealed(), true, nil
}

// without returns what is not in known, which is sorted.
func without[T cmp.Ordered](known, list []T) []T {
	return slices.DeleteFunc(list, func(one T) bool { return holds(known, one) })
}

func holds[T cmp.Ordered](sorted []T, one T) bool {
	_, found := slices.BinarySearch(sorted, one)
	return found
}

// onMost returns what is on more than half of the pages, sorted.
func onMost[T cmp.Ordered](pages []lesson, of func(*lesson) []T) []T {
	pagesWith := map[T]int{}
	for i := range pages {
		for _, one := range slices.Compact(slices.Sorted(slices.Values(of(&pages[i])))) {
			pagesWith[one]++
		}
	}
	var most []T
	for one, n := range pagesWith {
		if 2*n > len(pages) {
			most = append(most, one)
		}
	}
	slices.Sort(most)
	return most
}

// own returns how many bytes the page says beside the blocks that are on most pages.
func (p *lesson) own(common []uint64) int {
	size := 0
	for i, key := range p.blocks {
		if !holds(common, key) {
			size += p.sizes[i]
		}
	}
	return size
}

func lessonOf(d *document.Draft, above []uint64) lesson {
	var p lesson
	keys := blockKeys(d.Blocks)
	for i, key := range keys {
		if i >= endBlocks && i < len(keys)-endBlocks {
			continue
		}
		if !holds(above, key) {
			p.blocks, p.sizes = append(p.blocks, key), append(p.sizes, len(d.Blocks[i].Text))
		}
	}
	p.titles = d.Titles
	for _, title := range d.Titles {
		for _, at := range divisions(title) {
			p.heads, p.tails = append(p.heads, title[:at.to]), append(p.tails, title[at.from:])
		}
	}
	if description := d.Fields["Description"]; description != "" {
		p.descriptions = []uint64{xxhash.Sum64String(description)}
	}
	return p
}

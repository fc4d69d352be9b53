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
)

// lesson is what one page of a sample says.
type lesson struct {
	blocks       []uint64 // keys, without those that are the origin's
	sizes        []int
	titles       []string
	heads, tails []string
	descriptions []uint64
}

// learn returns what the sampled pages have in common. ok is false where too few of
// them have text of their own: pages that are all but equal do not tell what on them
// is furniture, and on them it is taken for content. inherited are the blocks of the
// origin, unless the section is the whole of it.
func (s *looks) learn(draft func(at int64) (document.Draft, error), whole bool, inherited []uint64) (common document.Section, ok bool, err error) {
	if len(s.sample) < leastRich {
		return common, false, nil
	}
	var all []lesson
	for _, page := range s.sample {
		d, err := draft(page.draft)
		if err != nil {
			return common, false, err
		}
		if d.Type == document.PageContent {
			all = append(all, lessonOf(&d, inherited))
		}
	}
	blocks := onMost(all, func(p *lesson) []uint64 { return p.blocks })
	rich := slices.DeleteFunc(slices.Clone(all), func(p lesson) bool { return p.own(blocks) < richText })
	if len(rich) < leastRich {
		return common, false, nil
	}
	common = document.Section{
		Blocks:       onMost(rich, func(p *lesson) []uint64 { return p.blocks }),
		Titles:       onMost(rich, func(p *lesson) []string { return p.titles }),
		Tails:        onMost(rich, func(p *lesson) []string { return p.tails }),
		Descriptions: onMost(rich, func(p *lesson) []uint64 { return p.descriptions }),
	}
	common.Blocks = slices.DeleteFunc(common.Blocks, func(key uint64) bool {
		_, found := slices.BinarySearch(blocks, key)
		return !found
	})
	if whole { // in one part of a site a head says what its pages are
		common.Heads = onMost(rich, func(p *lesson) []string { return p.heads })
	}
	return common.Sealed(), true, nil
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
		if _, found := slices.BinarySearch(common, key); !found {
			size += p.sizes[i]
		}
	}
	return size
}

func lessonOf(d *document.Draft, inherited []uint64) lesson {
	var p lesson
	keys := blockKeys(d.Blocks)
	for i, key := range keys {
		if i >= endBlocks && i < len(keys)-endBlocks {
			continue
		}
		if _, found := slices.BinarySearch(inherited, key); !found {
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

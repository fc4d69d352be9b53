package profile

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"sitesync/extract/markup"
	"sitesync/internal/document"
)

// pageRef is a page to learn from.
type pageRef struct {
	content, url uint64 // hashes
	draft        int64
}

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

// learn returns what sampled pages have in common, beside what their origin has.
// ok is false where too few of them have text of their own. Pages that are nearly equal
// do not show which lines are furniture, so theirs are taken for content.
func learn(pages []pageRef, draft func(at int64) (document.Draft, error), above *document.Section, isOrigin bool) (common document.Section, ok bool, err error) {
	if len(pages) < leastRich {
		return common, false, nil
	}
	var all []lesson
	for _, page := range pages {
		d, err := draft(page.draft)
		if err != nil {
			return common, false, err
		}
		if d.Type == document.PageContent {
			all = append(all, lessonOf(&d, above.Blocks))
		}
	}
	ofBlocks := func(p *lesson) []uint64 { return p.blocks }
	blocks := onMost(all, ofBlocks)
	rich := slices.DeleteFunc(slices.Clone(all), func(p lesson) bool { return p.own(blocks) < richText })
	if len(rich) < leastRich {
		return common, false, nil
	}
	ofRich := slices.DeleteFunc(onMost(rich, ofBlocks), func(key uint64) bool { return !holds(blocks, key) })
	common = document.Section{
		Blocks:       ofRich[:min(len(ofRich), maxBlocks)],
		Titles:       without(above.Titles, onMost(rich, func(p *lesson) []string { return p.titles })),
		Tails:        without(above.Tails, onMost(rich, func(p *lesson) []string { return p.tails })),
		Descriptions: without(above.Descriptions, onMost(rich, func(p *lesson) []uint64 { return p.descriptions })),
	}
	if isOrigin { // in one part of a site a head says what its pages are
		common.Heads = onMost(rich, func(p *lesson) []string { return p.heads })
	}
	return common.Sealed(), true, nil
}

func lessonOf(d *document.Draft, above []uint64) lesson {
	p := lesson{titles: d.Titles}
	keys := blockKeys(d.Blocks)
	for i, key := range keys {
		if (i < endBlocks || i >= len(keys)-endBlocks) && !holds(above, key) {
			p.blocks, p.sizes = append(p.blocks, key), append(p.sizes, len(d.Blocks[i].Text))
		}
	}
	for _, title := range d.Titles {
		p.divide(title)
	}
	if description := d.Fields["Description"]; description != "" {
		p.descriptions = []uint64{xxhash.Sum64String(description)}
	}
	return p
}

// divide adds the heads and tails of a title: what stands up to each separator and
// from it on, with the spaces around it.
func (p *lesson) divide(title string) {
	for i := range title {
		if i == 0 || title[i-1] == ' ' || !markup.IsSeparator(title[i:]) {
			continue
		}
		after := strings.TrimLeft(title[i:], " ")
		_, size := utf8.DecodeRuneInString(after)
		if rest := strings.TrimLeft(after[size:], " "); rest != "" {
			p.heads, p.tails = append(p.heads, title[:len(title)-len(rest)]), append(p.tails, title[i:])
		}
	}
}

// own returns how many bytes the page says beside the blocks that are on most pages.
func (p *lesson) own(common []uint64) (size int) {
	for i, key := range p.blocks {
		if !holds(common, key) {
			size += p.sizes[i]
		}
	}
	return size
}

// onMost returns what is on more than half of the pages, sorted.
func onMost[T cmp.Ordered](pages []lesson, of func(*lesson) []T) (most []T) {
	pagesWith := map[T]int{}
	for i := range pages {
		for _, one := range slices.Compact(slices.Sorted(slices.Values(of(&pages[i])))) {
			pagesWith[one]++
		}
	}
	for one, n := range pagesWith {
		if 2*n > len(pages) {
			most = append(most, one)
		}
	}
	slices.Sort(most)
	return most
}

// without returns what is not in known, which is sorted.
func without[T cmp.Ordered](known, list []T) []T {
	return slices.DeleteFunc(list, func(one T) bool { return holds(known, one) })
}

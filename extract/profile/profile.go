package profile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/extract/markup"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// A Sections value holds what the profile (text that a site's pages share) knows of a page's two sections:
// its origin, and its part of the site (the first folder). An unknown section is empty.
type Sections [2]document.Section

// Of returns the known sections of a URL. learned reports whether all its sections are known.
func Of(url string, profile document.Profile) (s Sections, learned bool) {
	learned = len(profile) > 0
	for i, key := range keysOf(url) {
		if key != "" {
			var known bool
			s[i], known = profile[key]
			learned = learned && known
		}
	}
	return s, learned
}

// keysOf returns the keys of a URL's sections in a profile: the origin, and the URL up to its first folder.
// Without a folder, the second key is empty.
func keysOf(url string) [2]string {
	origin, path := weburl.Origin(url), strings.TrimPrefix(weburl.Path(url), "/")
	first := strings.IndexByte(path, '/')
	if first <= 0 || first+1 == len(path) {
		return [2]string{origin}
	}
	return [2]string{origin, url[:len(origin)+1+first]}
}

// Held returns one bit for each entry (such as a shared block) of the page's sections in a profile. The bit
// is set if the page has the entry. For a file, and without entries, held is nil. whole reports whether the
// page can teach nothing new: all its sections are known, and it has all their entries.
func Held(d document.Draft, url string, profile document.Profile) (held []byte, whole bool) {
	if d.Type == document.FileContent {
		return nil, true
	}
	sections, whole := Of(url, profile)
	if sections[0].Len()+sections[1].Len() == 0 {
		return nil, whole
	}
	n := 0
	add := func(on bool) {
		whole = whole && on
		if n%8 == 0 {
			held = append(held, 0)
		}
		if on {
			held[n/8] |= 1 << (n % 8)
		}
		n++
	}
	keys, description := blockKeys(d.Blocks), xxhash.Sum64String(d.Fields["Description"])
	slices.Sort(keys)
	for _, s := range sections {
		for _, block := range s.Blocks {
			add(holds(keys, block))
		}
		for _, title := range s.Titles {
			add(slices.Contains(d.Titles, title))
		}
		for _, head := range s.Heads {
			add(slices.ContainsFunc(d.Titles, func(title string) bool { return strings.HasPrefix(title, head) }))
		}
		for _, tail := range s.Tails {
			add(slices.ContainsFunc(d.Titles, func(title string) bool { return strings.HasSuffix(title, tail) }))
		}
		for _, known := range s.Descriptions {
			add(known == description)
		}
	}
	return held, whole
}

// blockKeys returns a key for each block: a hash of its text and of its number among equal blocks. Thus
// equal blocks differ in their keys. If a contact page repeats the footer's address, only one copy is
// removed. A block with Own set has the key 0: its place on the page shows that it is not boilerplate.
func blockKeys(blocks []document.Block) []uint64 {
	keys, before := make([]uint64, len(blocks)), make(map[uint64]uint64, len(blocks))
	for i, b := range blocks {
		if b.Own {
			continue
		}
		keys[i] = b.Hash + before[b.Hash]*0x9e3779b97f4a7c15
		before[b.Hash]++
	}
	return keys
}

func holds[T cmp.Ordered](sorted []T, one T) bool {
	_, found := slices.BinarySearch(sorted, one)
	return found
}

// Own returns the blocks that the site does not repeat. If those contain no word, Own returns all blocks.
func (s *Sections) Own(blocks []document.Block) []document.Block {
	if len(s[0].Blocks)+len(s[1].Blocks) == 0 {
		return blocks
	}
	own, words := make([]document.Block, 0, len(blocks)), false
	for i, key := range blockKeys(blocks) {
		if !holds(s[0].Blocks, key) && !holds(s[1].Blocks, key) {
			own = append(own, blocks[i])
			words = words || markup.Squeezed(blocks[i].Text) != ""
		}
	}
	if !words {
		return blocks
	}
	return own
}

// IsDefault reports whether most pages of a section have this description. Then it describes no single page.
func (s *Sections) IsDefault(description string) bool {
	hash := xxhash.Sum64String(description)
	return holds(s[0].Descriptions, hash) || holds(s[1].Descriptions, hash)
}

// Names reports whether a title names a page, and not just the site.
func (s *Sections) Names(title string) bool {
	return !slices.Contains(s[0].Titles, title) && !slices.Contains(s[1].Titles, title)
}

// Title returns the first candidate that names the page, without the longest beginning and end that the site
// adds. If all candidates name just the site, it returns the first one unchanged.
func (s *Sections) Title(candidates []string) string {
	i := slices.IndexFunc(candidates, s.Names)
	if i < 0 {
		return cmp.Or(candidates...)
	}
	title, head, tail := candidates[i], 0, 0
	for _, t := range slices.Concat(s[0].Tails, s[1].Tails) {
		if len(t) < len(title) && strings.HasSuffix(title, t) {
			tail = max(tail, len(t))
		}
	}
	title = title[:len(title)-tail]
	for _, h := range slices.Concat(s[0].Heads, s[1].Heads) {
		if len(h) < len(title) && strings.HasPrefix(title, h) {
			head = max(head, len(h))
		}
	}
	return title[head:]
}

type pageRef struct {
	content, url uint64
	draft        int64
}

const (
	leastRich = 8   // minimum pages with text of their own from which a section is learned
	richText  = 100 // minimum bytes of a page's own text, which most other pages lack
	endBlocks = 500 // maximum blocks that are counted at each end of a page
	maxBlocks = 500
)

type lesson struct {
	blocks       []uint64 // keys of blocks, except those that the origin's section has
	sizes        []int
	own          int
	titles       []string
	heads, tails []string
	descriptions []uint64
}

// learn returns the entries that more than half of the pages share. It leaves out the entries of above, the
// origin's section. ok is false if too few pages have text of their own. Nearly equal pages do not show what
// is boilerplate.
func learn(
	pages []pageRef, draft func(at int64) (document.Draft, error), above *document.Section, isOrigin bool,
) (common document.Section, ok bool, err error) {
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
	rich := slices.DeleteFunc(slices.Clone(all), func(p lesson) bool {
		own := p.own
		for i, key := range p.blocks {
			if !holds(blocks, key) {
				own += p.sizes[i]
			}
		}
		return own < richText
	})
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
	if isOrigin { // in a part of the site, a beginning such as "News:" says what its pages are
		common.Heads = onMost(rich, func(p *lesson) []string { return p.heads })
	}
	return common.Sealed(), true, nil
}

func lessonOf(d *document.Draft, above []uint64) lesson {
	p := lesson{titles: d.Titles}
	keys := blockKeys(d.Blocks)
	for i, key := range keys {
		switch {
		case key == 0:
			p.own += len(d.Blocks[i].Text)
		case (i < endBlocks || i >= len(keys)-endBlocks) && !holds(above, key):
			p.blocks, p.sizes = append(p.blocks, key), append(p.sizes, len(d.Blocks[i].Text))
		}
	}
	for _, title := range d.Titles {
		at := 0
		for i, part := range markup.PartsOf(title) {
			// the title before part.Text may be a repeated beginning; from part.Before on, a repeated end
			if i > 0 && part.Text != "" {
				p.heads, p.tails = append(p.heads, title[:at+len(part.Before)]), append(p.tails, title[at:])
			}
			at += len(part.Before) + len(part.Text)
		}
		if open := strings.LastIndex(title, " ("); open > 0 && strings.HasSuffix(title, ")") {
			p.tails = append(p.tails, title[open:])
		}
	}
	if description := d.Fields["Description"]; description != "" {
		p.descriptions = []uint64{xxhash.Sum64String(description)}
	}
	return p
}

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

func without[T cmp.Ordered](known, list []T) []T {
	return slices.DeleteFunc(list, func(one T) bool { return holds(known, one) })
}

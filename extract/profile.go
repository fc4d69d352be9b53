package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// Profile is what the site as a whole teaches about its pages; see Learner.
type Profile = document.Profile

// sections are those that a page belongs to: its origin, and the part below the
// first folder of its path. The zero value teaches nothing.
type sections [2]document.Section

func sectionsOf(url string, profile Profile) (s sections) {
	if len(profile) == 0 {
		return s
	}
	origin, part := sectionKeys(url)
	return sections{profile[origin], profile[part]}
}

// knows reports whether all sections of a URL were learned.
func knows(profile Profile, url string) bool {
	origin, part := sectionKeys(url)
	_, known := profile[origin]
	if known && part != "" {
		_, known = profile[part]
	}
	return known
}

// sectionKeys returns the keys of a URL's sections in a profile; part is empty where
// the path has less than two parts. Both are the beginning of the URL.
func sectionKeys(url string) (origin, part string) {
	host := strings.Index(url, "://") + len("://")
	slash := strings.IndexByte(url[host:], '/')
	if slash < 0 {
		return url, ""
	}
	origin, path := url[:host+slash], url[host+slash+1:]
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	first := strings.IndexByte(path, '/')
	if first <= 0 || first+1 == len(path) {
		return origin, ""
	}
	return origin, url[:len(origin)+1+first]
}

// Rules returns the fingerprint of all that makes the document of a URL: Fingerprint,
// and what its sections teach.
func (e *Extractor) Rules(url string, profile Profile) uint64 {
	sum := e.Fingerprint(url)
	for _, s := range sectionsOf(url, profile) {
		if !s.Empty() {
			sum = (sum ^ s.Version) * 0x9e3779b97f4a7c15
		}
	}
	return sum
}

// Held returns which of what the profile knows of a page's sections is on it, a bit
// each in the order of document.Section: nil for a file, or where nothing is known.
// whole tells that there is nothing to learn from the page: all of it is on it, and
// each of its sections is known.
func (e *Extractor) Held(d document.Draft, url string, profile Profile) (held []byte, whole bool) {
	if d.Type == document.FileContent {
		return nil, true
	}
	n := 0
	whole = knows(profile, url)
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
	for _, s := range sectionsOf(url, profile) {
		if s.Empty() {
			continue
		}
		keys, description := blockKeys(d.Blocks), xxhash.Sum64String(d.Fields["Description"])
		slices.Sort(keys)
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

// blockKeys returns the keys of a page's blocks in a profile: of the first with a
// text its hash, of each further one another. So a page that says a line of the
// footer in its content too, as the contact page does, keeps it once.
func blockKeys(blocks []document.Block) []uint64 {
	keys, before := make([]uint64, len(blocks)), make(map[uint64]uint64, len(blocks))
	for i, b := range blocks {
		keys[i] = b.Hash + before[b.Hash]*0x9e3779b97f4a7c15
		before[b.Hash]++
	}
	return keys
}

// own returns the blocks that are the page's own: all of them where nothing else
// says a word.
func (s *sections) own(blocks []document.Block) []document.Block {
	if len(s[0].Blocks)+len(s[1].Blocks) == 0 {
		return blocks
	}
	own, words := make([]document.Block, 0, len(blocks)), false
	for i, key := range blockKeys(blocks) {
		if !holds(s[0].Blocks, key) && !holds(s[1].Blocks, key) {
			own = append(own, blocks[i])
			words = words || hasWord(blocks[i].Text)
		}
	}
	if !words {
		return blocks
	}
	return own
}

func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// isDefault reports whether a description is the site's, which tells of no page.
func (s *sections) isDefault(description string) bool {
	hash := xxhash.Sum64String(description)
	for i := range s {
		if holds(s[i].Descriptions, hash) {
			return true
		}
	}
	return false
}

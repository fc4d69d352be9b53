package plan

import (
	"strings"

	"github.com/cespare/xxhash/v2"
)

// alike reports whether the page at url has at least half of its text blocks on
// the page at other. Where the other's text is not known, because it did not change and
// the ledger keeps no text, it is as it was when the page was last compared with it.
func (s *sightings) alike(url, other string) (bool, error) {
	mine, err := s.blocks(url)
	if err != nil || len(mine) == 0 {
		return false, err
	}
	theirs, err := s.blocks(other)
	if err != nil {
		return false, err
	}
	if len(theirs) == 0 {
		rec, err := s.ledger.Brief(url)
		return rec != nil && rec.Canonical == other, err
	}
	shared := 0
	for block := range mine {
		if theirs[block] {
			shared++
		}
	}
	return 2*shared >= len(mine), nil
}

// blocks returns the hashes of a page's text blocks: of what was read in this run,
// else of what the index holds.
func (s *sightings) blocks(url string) (map[uint64]bool, error) {
	blocks := map[uint64]bool{}
	seen, err := s.of(url)
	if err != nil {
		return nil, err
	}
	if seen != nil && seen.Draft != 0 {
		draft, err := s.work.Draft(seen.Draft)
		if err != nil {
			return nil, err
		}
		addLines(blocks, s.stages.Finish(draft, url, s.profile).Fields["Content"])
		return blocks, nil
	}
	doc, _, err := s.ledger.Text(url)
	if err != nil {
		return nil, err
	}
	addLines(blocks, doc.Fields["Content"])
	return blocks, nil
}

func addLines(blocks map[uint64]bool, text string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			blocks[xxhash.Sum64String(line)] = true
		}
	}
}

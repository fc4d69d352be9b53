package spool

import (
	"sync"

	"github.com/cespare/xxhash/v2"
)

// Flags of a URL in the Table of a run.
const (
	Queued       uint16 = 1 << iota // in the frontier, or asked already
	Sighted                         // looked at in this run
	Known                           // in the ledger when the run began
	InSitemap                       // listed by a sitemap in this run
	Linked                          // linked to by a page read in this run
	Quiet                           // its record asks for nothing as long as the page is unchanged
	Kept                            // looked at and unchanged, with no sighting on disk
	Start                           // a start URL
	Listed                          // its record says that a sitemap listed it
	Document                        // the index holds, or may hold, a document for it
	Seeded                          // queued before any page was asked
	Unasked                         // queued, but not asked: it leads on without end, or a trusted hint says that it is unchanged
	Acknowledged                    // the service acknowledged that document at some time
	Held                            // the last run held its change
	Grown                           // the brake growth did
	Failing                         // the last look did not read it
)

const (
	shardCount = 256
	valueBits  = 48
	valueMask  = 1<<valueBits - 1
)

// Fingerprint returns the 64-bit fingerprint of a canonical URL; never 0.
func Fingerprint(url string) uint64 {
	return max(1, xxhash.Sum64String(url))
}

// Table maps URL fingerprints to flags and one 48-bit value each. It takes 20 to
// 32 bytes an entry: linear probing in shards that grow one at a time.
type Table struct {
	shards [shardCount]shard
}

type shard struct {
	mu    sync.Mutex
	cells []cell
	used  int
}

type cell struct{ key, word uint64 }

// NewTable returns an empty table.
func NewTable() *Table { return &Table{} }

// Mark sets flags for fp, adding it when it is new, and returns the flags that
// stood before: a test-and-set.
func (t *Table) Mark(fp uint64, flags uint16) (before uint16) {
	s := t.shard(fp)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.claim(fp)
	before = uint16(c.word >> valueBits)
	c.word |= uint64(flags) << valueBits
	return before
}

// SetValue sets the value of fp, which keeps its flags; value is below 2^48.
func (t *Table) SetValue(fp, value uint64) {
	s := t.shard(fp)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.claim(fp)
	c.word = c.word&^valueMask | value&valueMask
}

// Get returns the flags and the value of fp; zeros when it is not there.
func (t *Table) Get(fp uint64) (flags uint16, value uint64) {
	s := t.shard(fp)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used == 0 {
		return 0, 0
	}
	c := s.at(fp)
	return uint16(c.word >> valueBits), c.word & valueMask
}

// Fingerprints returns the fingerprints that carry all the flags and none of but.
func (t *Table) Fingerprints(flags, but uint16) []uint64 {
	var fps []uint64
	t.each(func(c *cell) {
		if has := uint16(c.word >> valueBits); has&flags == flags && has&but == 0 {
			fps = append(fps, c.key)
		}
	})
	return fps
}

// ClearValues sets every value to 0 and keeps the flags.
func (t *Table) ClearValues() { t.each(func(c *cell) { c.word &^= valueMask }) }

// Count returns how many entries carry all the flags.
func (t *Table) Count(flags uint16) int {
	n := 0
	t.each(func(c *cell) {
		if uint16(c.word>>valueBits)&flags == flags {
			n++
		}
	})
	return n
}

func (t *Table) each(visit func(*cell)) {
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.Lock()
		for j := range s.cells {
			if s.cells[j].key != 0 {
				visit(&s.cells[j])
			}
		}
		s.mu.Unlock()
	}
}

func (t *Table) shard(fp uint64) *shard { return &t.shards[fp>>56] }

// at returns the cell of fp, or the free one that is for it. There must be cells.
func (s *shard) at(fp uint64) *cell {
	home := int((fp << 8 >> 32) * uint64(len(s.cells)) >> 32) // by the bits that not all keys of the shard share
	for i := home; ; i++ {
		if i == len(s.cells) {
			i = 0
		}
		if c := &s.cells[i]; c.key == fp || c.key == 0 {
			return c
		}
	}
}

// claim returns the cell of fp, taking a free one when fp is new. One cell in five stays
// free.
func (s *shard) claim(fp uint64) *cell {
	if s.used*5 >= len(s.cells)*4 {
		old := s.cells
		s.cells = make([]cell, len(old)+len(old)/2+8)
		for _, c := range old {
			if c.key != 0 {
				*s.at(c.key) = c
			}
		}
	}
	c := s.at(fp)
	if c.key == 0 {
		c.key = fp
		s.used++
	}
	return c
}

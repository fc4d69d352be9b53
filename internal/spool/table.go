package spool

import (
	"sync"

	"github.com/cespare/xxhash/v2"
)

// Flags of a URL that say how the crawl of this run found and handled the URL.
const (
	Start     uint16 = 1 << iota // a start URL
	InSitemap                    // a sitemap lists the URL
	Linked                       // a page of this run links to the URL
	Seeded                       // queued before the first page was requested
	Queued                       // in the queue of URLs to request, or already requested
	Unasked                      // queued, but not requested: a crawler trap, or its lastmod is unchanged
	Sighted                      // this run has a result for the URL
	Kept                         // the page is unchanged, so no result is stored on disk
)

// Flags of a URL that repeat facts of the ledger (the record of earlier runs and of the index).
const (
	Known        uint16 = 1 << (iota + 8) // the ledger has a record of the URL
	Listed                                // a sitemap listed the URL in an earlier run
	Document                              // the index has a document for the URL, or may have one
	Acknowledged                          // the search service has acknowledged this document
	Quiet                                 // the record of the URL needs no action while the page is unchanged
	Held                                  // the last run held back a change of the document
	Grown                                 // the limit "growth" (too many new documents) held back the change
	Failing                               // the page could not be read when it was last requested
)

const (
	shardCount = 256
	valueBits  = 48
	valueMask  = 1<<valueBits - 1
)

// Fingerprint returns the 64-bit fingerprint of a canonical URL. It is never 0.
func Fingerprint(url string) uint64 { return max(1, xxhash.Sum64String(url)) }

// Table maps each URL fingerprint to flags and a 48-bit value. An entry takes 20 to 32 bytes. Table is an
// open-addressing hash table, split into shards that grow one at a time.
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

// Mark sets flags of fp in one atomic step and returns the flags that fp had before. It adds fp if it is new.
func (t *Table) Mark(fp uint64, flags uint16) (before uint16) {
	s := t.lock(fp)
	defer s.mu.Unlock()
	c := s.claim(fp)
	before = uint16(c.word >> valueBits)
	c.word |= uint64(flags) << valueBits
	return before
}

// SetValue sets the value of fp, and keeps the flags. The value must be below 2^48. A new fp is added.
func (t *Table) SetValue(fp, value uint64) {
	s := t.lock(fp)
	defer s.mu.Unlock()
	c := s.claim(fp)
	c.word = c.word&^valueMask | value&valueMask
}

// Get returns the flags and the value of fp. Both are 0 if fp is not in the table.
func (t *Table) Get(fp uint64) (flags uint16, value uint64) {
	s := t.lock(fp)
	defer s.mu.Unlock()
	if s.used == 0 {
		return 0, 0
	}
	c := s.at(fp)
	return uint16(c.word >> valueBits), c.word & valueMask
}

// Fingerprints returns the fingerprints that have all required flags and no excluded flag.
func (t *Table) Fingerprints(required, excluded uint16) []uint64 {
	var fps []uint64
	t.each(func(c *cell) {
		if has := uint16(c.word >> valueBits); has&required == required && has&excluded == 0 {
			fps = append(fps, c.key)
		}
	})
	return fps
}

// ClearValues sets every value to 0 and keeps the flags.
func (t *Table) ClearValues() { t.each(func(c *cell) { c.word &^= valueMask }) }

// Count returns the number of entries that have every flag in the parameter flags.
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

func (t *Table) lock(fp uint64) *shard {
	s := &t.shards[fp>>56]
	s.mu.Lock()
	return s
}

// at returns the cell of fp, or the free cell in which fp must be stored. The shard must have cells.
func (s *shard) at(fp uint64) *cell {
	home := int((fp << 8 >> 32) * uint64(len(s.cells)) >> 32) // the first 8 bits of fp select the shard
	for i := home; ; i++ {
		if i == len(s.cells) {
			i = 0
		}
		if c := &s.cells[i]; c.key == fp || c.key == 0 {
			return c
		}
	}
}

// claim returns the cell of fp, and takes a free cell if fp is new. At least one cell in five stays free.
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

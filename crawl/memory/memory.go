package memory

import (
	"context"
	"fmt"

	"golang.org/x/sync/semaphore"

	"sitesync/internal/document"
)

// Usual is the budget of a crawl that names none, in bytes.
const Usual = 256e6

// Budget is the memory of a crawl, in bytes. Three eighths are for all pages. The rest is
// a lane for one page at a time: it takes the page that finds no room among the others.
// Since that page alone never waits again, the pages before it come to an end, and so
// does the wait of the others.
type Budget struct {
	common *semaphore.Weighted
	lane   *semaphore.Weighted // of 1
	most   int64               // what one page may take
}

// New returns a budget of the given bytes.
func New(bytes int64) *Budget {
	common := bytes * 3 / 8
	return &Budget{common: semaphore.NewWeighted(common), lane: semaphore.NewWeighted(1), most: bytes - common}
}

// Share returns the share of one page, which is empty.
func (b *Budget) Share() *Share { return &Share{budget: b} }

// Share is what one page has taken.
type Share struct {
	budget *Budget
	taken  int64 // all in all
	common int64 // of that, among the others
	inLane bool
}

// Take takes n bytes more, and waits until there is room for them. It errs
// where one page may not take so much, naming both figures and the key that sets them, and
// when ctx is done.
func (s *Share) Take(ctx context.Context, n int64) error {
	if n > s.budget.most-s.taken {
		return fmt.Errorf("reading it takes about %s of memory, over the %s that fetch.memory allows one page",
			document.FormatBytes(s.taken+n), document.FormatBytes(s.budget.most))
	}
	switch {
	case s.inLane:
	case s.budget.common.TryAcquire(n):
		s.common += n
	default:
		if err := s.budget.lane.Acquire(ctx, 1); err != nil {
			return err
		}
		s.inLane = true
	}
	s.taken += n
	return nil
}

// Release gives everything back.
func (s *Share) Release() {
	s.budget.common.Release(s.common)
	if s.inLane {
		s.budget.lane.Release(1)
	}
	*s = Share{budget: s.budget}
}

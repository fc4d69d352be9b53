package memory

import (
	"context"
	"fmt"

	"golang.org/x/sync/semaphore"

	"sitesync/internal/document"
)

// Usual is the default budget of a crawl, in bytes.
const Usual = 256e6

// Budget is the memory of a crawl, in bytes. All pages share three eighths, the common part. The rest is the
// lane, which one page at a time may use. A page that finds no room in the common part waits for the lane.
// The page in the lane never waits again, so it ends and frees the lane for the next page.
type Budget struct {
	common      *semaphore.Weighted
	lane        *semaphore.Weighted
	mostPerPage int64
}

// New returns a budget of the given bytes.
func New(bytes int64) *Budget {
	common := bytes * 3 / 8
	return &Budget{common: semaphore.NewWeighted(common), lane: semaphore.NewWeighted(1), mostPerPage: bytes - common}
}

// Share returns an empty share for one page.
func (b *Budget) Share() *Share { return &Share{budget: b} }

// Share is the memory that one page has taken.
type Share struct {
	budget     *Budget
	taken      int64
	fromCommon int64
	inLane     bool
}

// Take takes n more bytes for the page, and waits until there is room for them. It errs if the page would
// exceed the limit for one page; this error names fetch.memory and the limit. It also errs when ctx is done.
func (s *Share) Take(ctx context.Context, n int64) error {
	if n > s.budget.mostPerPage-s.taken {
		return fmt.Errorf("reading it takes about %s of memory, over the %s that fetch.memory allows one page",
			document.FormatBytes(s.taken+n), document.FormatBytes(s.budget.mostPerPage))
	}
	switch {
	case s.inLane:
	case s.budget.common.TryAcquire(n):
		s.fromCommon += n
	default:
		if err := s.budget.lane.Acquire(ctx, 1); err != nil {
			return err
		}
		s.inLane = true
	}
	s.taken += n
	return nil
}

// Release gives all bytes back.
func (s *Share) Release() {
	s.budget.common.Release(s.fromCommon)
	if s.inLane {
		s.budget.lane.Release(1)
	}
	*s = Share{budget: s.budget}
}

package memory

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// TestShares: pages that take their memory piece by piece all come to an end, and never
// have more than the budget together.
func TestShares(t *testing.T) {
	const total = 800
	b := New(total)
	var taken, most atomic.Int64
	var group sync.WaitGroup
	for worker := range uint64(32) {
		group.Go(func() {
			random := rand.New(rand.NewPCG(worker, 14))
			share := b.Share()
			for range 200 {
				mine := int64(0)
				for piece := random.Int64N(90); mine+piece <= 500 && random.IntN(8) > 0; piece = random.Int64N(90) {
					if err := share.Take(t.Context(), piece); err != nil {
						t.Errorf("%d of %d: %v", piece, mine, err)
						return
					}
					mine += piece
					now := taken.Add(piece)
					for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
					}
				}
				taken.Add(-mine)
				share.Release()
			}
		})
	}
	group.Wait()
	if most.Load() > total || most.Load() < total/2 {
		t.Errorf("%d were taken at a time of %d", most.Load(), total)
	}
}

// TestTooMuch: a page that may not have so much is told at once, also while another holds
// all there is; one that waits goes on when there is room, or when ctx is done.
func TestTooMuch(t *testing.T) {
	b := New(800)
	large, other := b.Share(), b.Share()
	for _, n := range []int64{300, 200} { // the others' room, then the lane
		if err := large.Take(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	const tooMuch = "reading it takes about 501 bytes of memory, over the 500 bytes that fetch.memory allows one page"
	if err := other.Take(t.Context(), 501); err == nil || err.Error() != tooMuch {
		t.Errorf("501: %v", err)
	}
	if err := large.Take(t.Context(), 1); err == nil || err.Error() != tooMuch {
		t.Errorf("501 in pieces: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := other.Take(ctx, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	waits := make(chan error)
	go func() { waits <- other.Take(t.Context(), 10) }()
	select {
	case err := <-waits:
		t.Errorf("10 were given beside 500: %v", err)
	default:
	}
	large.Release()
	if err := <-waits; err != nil {
		t.Error(err)
	}
	other.Release()
	if err := large.Take(t.Context(), 500); err != nil {
		t.Errorf("after all were released: %v", err)
	}
}

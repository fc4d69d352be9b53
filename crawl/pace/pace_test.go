package pace

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestPace lets in all that may begin, round after round, on a host that answers as
// the steps say. Each names how many go out at once in its last round.
func TestPace(t *testing.T) {
	type step struct {
		rounds int
		took   time.Duration
		Reply  Reply
		want   int
	}
	good, busy, neither := Reply{Good: true}, Reply{Overload: true}, Reply{}
	for name, steps := range map[string][]step{
		"all is well":     {{200, 50 * time.Millisecond, good, 8}},
		"pages that fail": {{50, 50 * time.Millisecond, neither, 8}},
		"overload halves once a round": {
			{1, time.Second, busy, 8}, {1, time.Second, busy, 4}, {1, time.Second, busy, 2}, {5, time.Second, busy, 1},
		},
		"and is got over": {
			{4, 50 * time.Millisecond, busy, 1}, {1, 50 * time.Millisecond, good, 1}, {1, 50 * time.Millisecond, good, 2},
			{5, 50 * time.Millisecond, good, 6}, {8, 50 * time.Millisecond, good, 8}, {50, 50 * time.Millisecond, good, 8},
		},
		"nothing is got over by failures": {{4, time.Second, busy, 1}, {50, time.Second, neither, 1}},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := New(8, 0, time.Hour)
			for i, s := range steps {
				got := 0
				for range s.rounds {
					got = round(p, s.took, s.Reply)
				}
				if got != s.want {
					t.Errorf("%s: %d requests at once in the end of step %d, want %d", name, got, i, s.want)
				}
			}
		})
	}
}

// round begins what may begin and returns how much that was.
func round(p *Pace, took time.Duration, r Reply) (n int) {
	began := time.Now()
	for {
		if wait, turn := p.begin(began); wait > 0 || turn != nil {
			break
		}
		n++
	}
	<-time.After(took)
	for range n {
		p.Release(began, r)
	}
	<-time.After(time.Microsecond)
	return n
}

// TestPaceHold: a host is left alone for as long as it asks, by all who want
// something of it, but for two minutes at most until it gives a good answer.
func TestPaceHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(2, 0, time.Hour)
		start := time.Now()
		ask := func(r Reply) (at time.Duration, held bool) {
			began, err := p.Acquire(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return began.Sub(start), p.Release(began, r)
		}
		minute, hour := Reply{Overload: true, Pause: time.Minute}, Reply{Overload: true, Pause: time.Hour}
		for i, s := range []struct {
			Reply Reply
			at    time.Duration
			held  bool
		}{
			{minute, 0, true}, {minute, time.Minute, true}, {minute, 2 * time.Minute, false}, {hour, 2 * time.Minute, false},
			{Reply{Good: true}, 2 * time.Minute, true}, {hour, 2 * time.Minute, true}, {hour, 4 * time.Minute, false}, {Reply{}, 4 * time.Minute, true},
		} {
			if at, held := ask(s.Reply); at != s.at || held != s.held {
				t.Errorf("request %d went out after %s, held %v; want %s, %v", i, at, held, s.at, s.held)
			}
		}
	})
}

// TestPaceGivesUp: who waits for a place or a time is told what ended it.
func TestPaceGivesUp(t *testing.T) {
	for name, delay := range map[string]time.Duration{"a place": 0, "a time": time.Hour} {
		for want, stop := range map[error]func(p *Pace, overtime chan struct{}, cancel func()){
			ErrGivenUp:       func(p *Pace, _ chan struct{}, _ func()) { p.End(); p.End() },
			ErrOvertime:      func(_ *Pace, overtime chan struct{}, _ func()) { close(overtime) },
			context.Canceled: func(_ *Pace, _ chan struct{}, cancel func()) { cancel() },
		} {
			synctest.Test(t, func(t *testing.T) {
				p, overtime := New(1, delay, time.Hour), make(chan struct{})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if _, err := p.Acquire(ctx, overtime); err != nil {
					t.Fatal(err)
				}
				done := make(chan error, 1)
				go func() {
					_, err := p.Acquire(ctx, overtime)
					done <- err
				}()
				synctest.Wait()
				stop(p, overtime, cancel)
				if err := <-done; err != want {
					t.Errorf("waiting for %s ended with %v, want %v", name, err, want)
				}
			})
		}
	}
}

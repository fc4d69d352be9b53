package pace

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
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
		"slow, then fast again": {
			{5, 20 * time.Millisecond, good, 8}, {8, 600 * time.Millisecond, good, 1}, {90, 20 * time.Millisecond, good, 8},
		},
		"four times as slow, but fast enough": {{5, 20 * time.Millisecond, good, 8}, {20, 240 * time.Millisecond, good, 8}},
		"slow from the beginning":             {{50, 3 * time.Second, good, 8}},
		"slower by a half":                    {{5, time.Second, good, 8}, {20, 1500 * time.Millisecond, good, 8}},
		"slow by nature after a quick part":   {{5, 20 * time.Millisecond, good, 8}, {300, 400 * time.Millisecond, good, 8}},
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
	r.Took = took
	for range n {
		p.Release(began, r)
	}
	<-time.After(time.Microsecond)
	return n
}

// TestPaceOneSlowPage: a single page that takes long changes nothing.
func TestPaceOneSlowPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(8, 0, time.Hour)
		for range 10 {
			round(p, 20*time.Millisecond, Reply{Good: true})
		}
		began, _ := p.Acquire(t.Context(), nil)
		p.Release(began, Reply{Good: true, Took: time.Minute})
		if n := round(p, 0, Reply{}); n != 8 {
			t.Errorf("%d requests at once", n)
		}
	})
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

// site answers in the bubble of a test: after some time a header, then a byte each second.
type site struct{ header, body time.Duration }

func (s site) RoundTrip(req *http.Request) (*http.Response, error) {
	select {
	case <-time.After(s.header):
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	read, write := io.Pipe()
	go func() {
		for range s.body / time.Second {
			select {
			case <-time.After(time.Second):
				_, _ = write.Write([]byte("x"))
			case <-req.Context().Done():
				_ = write.CloseWithError(req.Context().Err())
				return
			}
		}
		_ = write.Close()
	}()
	return &http.Response{StatusCode: http.StatusOK, Body: read}, nil
}

// TestExchange: what is slow about an answer is charged, but not how long it takes us to
// read on.
func TestExchange(t *testing.T) {
	for name, c := range map[string]struct {
		site
		reads   time.Duration // that the reader rests before it reads
		wait    time.Duration
		took    time.Duration
		cut     bool
		charged time.Duration
	}{
		"ordinary":               {site{time.Second, 5 * time.Second}, 0, time.Minute, 6 * time.Second, false, 0},
		"a slow header":          {site{30 * time.Second, 0}, 0, time.Minute, 30 * time.Second, false, 20 * time.Second},
		"a slow header is cut":   {site{30 * time.Second, 0}, 0, 5 * time.Second, 15 * time.Second, true, 5 * time.Second},
		"a slow body":            {site{0, 40 * time.Second}, 0, time.Minute, 40 * time.Second, false, 30 * time.Second},
		"a slow body is cut":     {site{0, 40 * time.Second}, 0, 7 * time.Second, 17 * time.Second, true, 7 * time.Second},
		"a slow reader":          {site{time.Second, 5 * time.Second}, time.Hour, 0, time.Hour + 5*time.Second, false, 0},
		"no time for slow ones":  {site{time.Second, 30 * time.Second}, 0, 0, 10 * time.Second, true, 0},
		"the server never tires": {site{time.Hour, 0}, 0, 0, 10 * time.Second, true, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			p, began := New(1, 0, c.wait), time.Now()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://a.test/", nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := p.Exchange(c.site, req)
			if err == nil {
				<-time.After(c.reads)
				_, err = io.ReadAll(resp.Body)
				_ = resp.Body.Close()
			}
			slow, ok := errors.AsType[net.Error](err)
			if cut := ok && slow.Timeout(); cut != c.cut || !cut && err != nil || p.Overdrawn() != c.cut {
				t.Errorf("%s: %v, used up %v", name, err, p.Overdrawn())
			}
			took, charged := time.Since(began), c.wait-p.left
			if took-c.took > time.Second || c.took-took > time.Second || charged-c.charged > time.Second || c.charged-charged > time.Second {
				t.Errorf("%s: took %s, charged %s; want %s and %s", name, took, charged, c.took, c.charged)
			}
			synctest.Wait()
		})
	}
}

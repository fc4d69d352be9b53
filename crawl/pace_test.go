package crawl

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/testsite"
)

// TestPace lets in all that may begin, round after round, on a host that answers as
// the steps say. Each names how many go out at once in its last round.
func TestPace(t *testing.T) {
	type step struct {
		rounds int
		took   time.Duration
		reply  reply
		want   int
	}
	good, busy, neither := reply{good: true}, reply{overload: true}, reply{}
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
			p := newPace(8, 0)
			for i, s := range steps {
				got := 0
				for range s.rounds {
					got = round(p, s.took, s.reply)
				}
				if got != s.want {
					t.Errorf("%s: %d requests at once in the end of step %d, want %d", name, got, i, s.want)
				}
			}
		})
	}
}

// round begins what may begin and returns how much that was.
func round(p *pace, took time.Duration, r reply) (n int) {
	began := time.Now()
	for {
		if wait, turn := p.begin(began); wait > 0 || turn != nil {
			break
		}
		n++
	}
	<-time.After(took)
	r.took = took
	for range n {
		p.release(began, r)
	}
	<-time.After(time.Microsecond)
	return n
}

// TestPaceOneSlowPage: a single page that takes long changes nothing.
func TestPaceOneSlowPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPace(8, 0)
		for range 10 {
			round(p, 20*time.Millisecond, reply{good: true})
		}
		began, _ := p.acquire(t.Context(), nil)
		p.release(began, reply{good: true, took: time.Minute})
		if n := round(p, 0, reply{}); n != 8 {
			t.Errorf("%d requests at once", n)
		}
	})
}

// TestPaceHold: a host is left alone for as long as it asks, by all who want
// something of it, but for two minutes at most until it gives a good answer.
func TestPaceHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPace(2, 0)
		start := time.Now()
		ask := func(r reply) (at time.Duration, held bool) {
			began, err := p.acquire(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return began.Sub(start), p.release(began, r)
		}
		minute, hour := reply{overload: true, pause: time.Minute}, reply{overload: true, pause: time.Hour}
		for i, s := range []struct {
			reply reply
			at    time.Duration
			held  bool
		}{
			{minute, 0, true}, {minute, time.Minute, true}, {minute, 2 * time.Minute, false}, {hour, 2 * time.Minute, false},
			{reply{good: true}, 2 * time.Minute, true}, {hour, 2 * time.Minute, true}, {hour, 4 * time.Minute, false}, {reply{}, 4 * time.Minute, true},
		} {
			if at, held := ask(s.reply); at != s.at || held != s.held {
				t.Errorf("request %d went out after %s, held %v; want %s, %v", i, at, held, s.at, s.held)
			}
		}
	})
}

// TestPaceGivesUp: who waits for a place or a time is told what ended it.
func TestPaceGivesUp(t *testing.T) {
	for name, delay := range map[string]time.Duration{"a place": 0, "a time": time.Hour} {
		for want, stop := range map[error]func(p *pace, overtime chan struct{}, cancel func()){
			errGivenUp:       func(p *pace, _ chan struct{}, _ func()) { p.end(); p.end() },
			errOvertime:      func(_ *pace, overtime chan struct{}, _ func()) { close(overtime) },
			context.Canceled: func(_ *pace, _ chan struct{}, cancel func()) { cancel() },
		} {
			synctest.Test(t, func(t *testing.T) {
				p, overtime := newPace(1, delay), make(chan struct{})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if _, err := p.acquire(ctx, overtime); err != nil {
					t.Fatal(err)
				}
				done := make(chan error, 1)
				go func() {
					_, err := p.acquire(ctx, overtime)
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

// BenchmarkPace crawls a site that takes 50 ms for each answer with 8 connections:
// 160 pages a second would be ideal.
//
//	go test ./crawl -run '^$' -bench Pace -benchtime 1x
func BenchmarkPace(b *testing.B) {
	const pages = 1000
	var home strings.Builder
	for i := range pages {
		fmt.Fprintf(&home, `<a href="/%d">page</a>`, i)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-time.After(50 * time.Millisecond)
		w.Header().Set("Content-Type", "text/html")
		n, err := strconv.Atoi(r.URL.Path[1:])
		switch {
		case r.URL.Path == "/":
			fmt.Fprint(w, home.String())
		case err != nil:
			w.WriteHeader(http.StatusNotFound)
		default:
			fmt.Fprintf(w, "<title>%d</title><p>%s", n, testsite.Words(n))
		}
	}))
	defer site.Close()
	for b.Loop() {
		sink := &countSink{}
		c, err := New(Options{
			Start: []string{site.URL + "/"}, Links: true, UserAgent: "sitesync", Concurrency: 8, Retries: 2, RetryWait: time.Second,
			Timeout: time.Minute, MaxBody: 1 << 20, Work: b.TempDir(), Table: spool.NewTable(), Group: &spool.Group{},
		})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Run(b.Context(), noPast{}, sink); err != nil || sink.Load() != pages+1 {
			b.Fatalf("%d pages, %v", sink.Load(), err)
		}
		_ = c.Close()
	}
	b.ReportMetric(float64(b.N*pages)/b.Elapsed().Seconds(), "pages/s")
}

// countSink counts pages.
type countSink struct{ atomic.Int64 }

func (s *countSink) Page(context.Context, *document.Page) error {
	s.Add(1)
	return nil
}

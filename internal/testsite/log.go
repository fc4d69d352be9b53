package testsite

import (
	"context"
	"fmt"
	"net/http"
	"sync"
)

// Request is one request that the site got.
type Request struct {
	Method string
	URI    string // as in the request line
	Host   string
	Header http.Header
	Status int // of the answer; 0 while a fault holds it back
}

// requestLog keeps the requests in the order of their arrival.
type requestLog struct {
	mu       sync.Mutex
	requests []*Request
	arrival  chan struct{} // closed at the next arrival; nil while nobody waits
}

func (l *requestLog) arrived(r *http.Request) *Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry := &Request{Method: r.Method, URI: r.RequestURI, Host: r.Host, Header: r.Header.Clone()}
	l.requests = append(l.requests, entry)
	if l.arrival != nil {
		close(l.arrival)
		l.arrival = nil
	}
	return entry
}

func (l *requestLog) answered(entry *Request, status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry.Status = status
}

// count returns how many requests came for a path, and what is closed when the
// next request of any kind comes.
func (l *requestLog) count(uri string) (int, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, r := range l.requests {
		if r.URI == uri {
			n++
		}
	}
	if l.arrival == nil {
		l.arrival = make(chan struct{})
	}
	return n, l.arrival
}

// Requests returns the requests since the start or the last Reset, in the order
// of their arrival.
func (s *Site) Requests() []Request {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	all := make([]Request, len(s.log.requests))
	for i, r := range s.log.requests {
		all[i] = *r
	}
	return all
}

// Count returns how many requests came for one path since the last Reset.
func (s *Site) Count(path string) int {
	n, _ := s.log.count(path)
	return n
}

// Counts returns the number of requests of every path that was asked for.
func (s *Site) Counts() map[string]int {
	counts := map[string]int{}
	for _, r := range s.Requests() {
		counts[r.URI]++
	}
	return counts
}

// Await returns once n requests for a path have come, whether answered or not.
// It errs when ctx ends first.
func (s *Site) Await(ctx context.Context, path string, n int) error {
	for {
		got, arrival := s.log.count(path)
		if got >= n {
			return nil
		}
		select {
		case <-arrival:
		case <-ctx.Done():
			return fmt.Errorf("wait for %d requests of %s, got %d: %w", n, path, got, ctx.Err())
		}
	}
}

// Reset forgets the requests so far.
func (s *Site) Reset() {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.log.requests = nil
}

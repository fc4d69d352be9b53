package service

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// The bounds of the log of calls.
const (
	keptCalls = 1000
	keptIDs   = 20000 // over all kept calls
)

// Call is one call that came, for tests to look at: what was sent, not what was
// stored.
type Call struct {
	At       time.Time `json:"at"`
	Endpoint Endpoint  `json:"endpoint"`
	Method   string    `json:"method"`
	Path     string    `json:"path"`
	IDs      []string  `json:"ids"`    // of the documents or the URLs, in their order; none when the call was not understood
	Status   int       `json:"status"` // of the answer; 0 when there was none, or not yet
}

// callLog counts calls and keeps the last writes.
type callLog struct {
	now    func() time.Time
	mu     sync.Mutex
	counts map[Endpoint]int
	kept   []*Call
	ids    int // over all of kept
}

// Calls returns how many calls came to each endpoint, refused ones included,
// since Open or ResetCalls.
func (s *Service) Calls() map[Endpoint]int {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	counts := maps.Clone(s.calls.counts)
	if counts == nil {
		counts = map[Endpoint]int{}
	}
	return counts
}

// Log returns the last writing calls, oldest first: at most 1,000, and fewer
// where they carried more than 20,000 IDs. A call is in it before its answer
// leaves.
func (s *Service) Log() []Call {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	log := make([]Call, len(s.calls.kept))
	for i, call := range s.calls.kept {
		log[i] = *call
	}
	return log
}

// ResetCalls forgets counts and log.
func (s *Service) ResetCalls() {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	s.calls.counts, s.calls.kept, s.calls.ids = nil, nil, 0
}

// begin counts a call; the entry it returns is changed by the log's methods only.
func (l *callLog) begin(endpoint Endpoint, r *http.Request) *Call {
	entry := &Call{At: l.now(), Endpoint: endpoint, Method: r.Method, Path: r.URL.Path, IDs: []string{}}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counts == nil {
		l.counts = map[Endpoint]int{}
	}
	l.counts[endpoint]++
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		l.kept = append(l.kept, entry)
	}
	l.trim()
	return entry
}

// sent notes the IDs of a call that was understood.
func (l *callLog) sent(entry *Call, ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry.IDs = append(entry.IDs, ids...)
	for i, id := range entry.IDs {
		entry.IDs[i] = id[:min(len(id), maxID)]
	}
	if slices.Contains(l.kept, entry) {
		l.ids += len(ids)
	}
	l.trim()
}

func (l *callLog) end(entry *Call, answer reply) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !answer.drop {
		entry.Status = answer.status
	}
}

// trim drops the oldest calls beyond the bounds, never the newest.
func (l *callLog) trim() {
	for len(l.kept) > 1 && (len(l.kept) > keptCalls || l.ids > keptIDs) {
		l.ids -= len(l.kept[0].IDs)
		l.kept = slices.Delete(l.kept, 0, 1)
	}
}

package service

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/service/store"
	"sitesync/internal/wire"
)

// TestEventsAreKept: also after a restart; those of each engine apart, for their owner alone.
func TestEventsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	l := open(t, Options{Path: path})
	if got := l.as("", "POST", eventPaths[wire.EventFeedback], `{"comment":"first"}`); got.status != 200 {
		t.Fatalf("%+v", got)
	}
	l.end()
	l = open(t, Options{Path: path})
	for path, want := range map[string]string{ownEvents: `"comment":"first"`, "/_/events/10000001/8": `[]`} {
		if got := l.as(rightBasic, "GET", path, ""); got.status != 200 || !strings.Contains(got.body, want) {
			t.Errorf("%s: want %s, got %+v", path, want, got)
		}
	}
	for path, want := range map[string]int{"/_/events/10000002/7": 401, "/_/events/10000001/x": 401} {
		if got := l.as(rightBasic, "GET", path, ""); got.status != want {
			t.Errorf("%s: want %d, got %+v", path, want, got)
		}
	}
	if got := l.as(rightSiteKey, "GET", ownEvents, ""); got.status != 403 {
		t.Errorf("a SiteKey reads events: %+v", got)
	}
}

// TestEventsSurviveKills: an acknowledged event is there after the process was killed.
func TestEventsSurviveKills(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	acknowledged := map[string]bool{}
	for range 4 {
		callUntilKilled(t, path, 8, func(l *local, _ int) bool {
			got := l.as(rightSiteKey, "POST", eventPaths[wire.EventQuery], `{"sw":"x","qid":"q"}`)
			var tracked wire.Tracked
			if got.status != http.StatusOK || json.Unmarshal([]byte(got.body), &tracked) != nil {
				return false
			}
			acknowledged[tracked.ID] = true
			return true
		})
	}
	l := open(t, Options{Path: path})
	for _, e := range l.events(wire.EventQuery) {
		delete(acknowledged, e.ID)
	}
	if len(acknowledged) != 0 {
		t.Errorf("%d acknowledged events are lost", len(acknowledged))
	}
}

// countEvents returns how many are kept of engine 7.
func (l *local) countEvents() int {
	var n []int
	err := l.View(context.Background(), func(tx *store.Tx) (err error) {
		n, err = store.Column[int](tx, "SELECT count(*) FROM event WHERE engine = 7")
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return n[0]
}

// FuzzEvents: no body is a server error, and one that is refused is not recorded.
func FuzzEvents(f *testing.F) {
	kinds := slices.Sorted(maps.Keys(eventPaths))
	for i, kind := range kinds {
		f.Add([]byte(goodEvents[kind][0]), uint8(i))
	}
	for _, body := range []string{``, `null`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `{"sw":"a","sw":"b","qid":"c"}`, `{"":""}`, `{"feedbackId":"{}"}`, `[[[[`} {
		f.Add([]byte(body), uint8(slices.Index(kinds, wire.EventFeedback)))
	}
	s := open(f, Options{Bounds: Bounds{EventRate: 1e9}})
	recorded := s.countEvents
	f.Fuzz(func(t *testing.T, body []byte, kind uint8) {
		before := recorded()
		r := httptest.NewRequest("POST", eventPaths[kinds[int(kind)%len(kinds)]], bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", rightSiteKey)
		w := direct(s, r)
		taken := w.Code == http.StatusOK
		told := strings.HasPrefix(w.Body.String(), `{"message":"`)
		if w.Code >= 500 || recorded()-before != map[bool]int{true: 1}[taken] || !taken && !told {
			t.Fatalf("%d %s, %d events recorded", w.Code, w.Body, recorded()-before)
		}
	})
}

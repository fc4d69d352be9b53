package push

import (
	"net/http"
	"testing"
	"time"

	"sitesync/internal/document"
)

func TestCallIsTriedAgain(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault http.HandlerFunc
		again bool
	}{
		{"429", answers(429, ""), true},
		{"500", answers(500, `{"status":"InternalServerError","code":500,"messages":["Reference 4a7d1c22"]}`), true},
		{"504", answers(504, ""), true},
		{"server error as 200", answers(200, `{"status":"InternalServerError","code":500,"messages":["x"]}`), true},
		{"reset", resets, true},
		{"broken off", breaksOff, true},
		{"400", answers(400, ""), false},
		{"403", answers(403, ""), false},
		{"404", answers(404, ""), false},
		{"501", answers(501, ""), false},
		{"unauthorised as 503", answers(503, `{"Message":"Unauthorized."}`), false},
	} {
		s := newService(t, test.fault)
		c, record := newClient(t, s.URL)
		_, _ = apply(t.Context(), c, document.Put, changes(document.Put, "a"))
		want := 0
		if test.again {
			want = maxRetries
		}
		if len(record.made) != want || record.asked != want || len(s.seen()) != want+1 {
			t.Errorf("%s: %d waits, %d calls, want %d and %d", test.name, len(record.made), len(s.seen()), want, want+1)
		}
	}
}

func TestRetryAfterLengthensTheWait(t *testing.T) {
	s := newService(t, answers(429, "", "Retry-After", "20"), answers(503, ""), answers(503, "", "Retry-After", "900"), accepts)
	c, record := newClient(t, s.URL)
	outcomes, err := apply(t.Context(), c, document.Put, changes(document.Put, "a"))
	if err != nil || states(outcomes) != "a" {
		t.Fatal(outcomes, err)
	}
	want := []time.Duration{20 * time.Second, time.Millisecond, 5 * time.Minute}
	for i := range want {
		if record.made[i] != want[i] {
			t.Errorf("waits %v, want %v", record.made, want)
			break
		}
	}
}

// The default policy grows, is jittered, and stays in reach of one run.
func TestDefaultBackoff(t *testing.T) {
	differs := false
	c, err := New(Options{BaseURL: "https://service.example", Customer: 1, Crawler: "c", Key: testKey})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		policy := c.o.Backoff()
		policy.Reset()
		for i := range maxRetries {
			middle := time.Second << i
			got := policy.NextBackOff()
			if got < middle/2 || got > middle*3/2+1 {
				t.Fatalf("wait %d is %s", i, got)
			}
			differs = differs || got != middle
		}
	}
	if !differs {
		t.Error("no jitter")
	}
}

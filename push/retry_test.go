package push

import (
	"testing"
	"time"

	"sitesync/internal/document"
)

func TestRetryAfterLengthensTheWait(t *testing.T) {
	s := newService(t, answers(429, "", "Retry-After", "20"), answers(503, ""), answers(503, "", "Retry-After", "300"), accepts)
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
	s = newService(t, answers(429, "", "Retry-After", "301"), accepts) // longer than is waited
	c, record = newClient(t, s.URL)
	outcomes, err = apply(t.Context(), c, document.Put, changes(document.Put, "a"))
	if err != nil || states(outcomes) == "a" || len(record.made) > 0 {
		t.Errorf("%v, %v after waits of %v", outcomes, err, record.made)
	}
}

// The default policy grows, is jittered, and stays in reach of one run.
func TestDefaultBackoff(t *testing.T) {
	differs := false
	c := New(Options{BaseURL: "https://service.example", Customer: 1, Crawler: "c", Key: testKey})
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

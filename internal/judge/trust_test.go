package judge

import (
	"slices"
	"testing"

	"sitesync/internal/document"
)

// A history is how a host's hint did, in order: n truths, or -n lies.
type history []int

func (h history) trust() document.Trust {
	var trust document.Trust
	for _, n := range h {
		for range max(n, -n) {
			trust = Observe(trust, n < 0)
		}
	}
	return trust
}

func TestTrust(t *testing.T) {
	for _, test := range []struct {
		name       string
		history    history
		validators bool
		lastmod    bool
	}{
		{"validators are trusted from the start, lastmod is not", history{}, true, false},
		{"one truth", history{1}, true, false},
		{"49 truths", history{49}, true, false},
		{"50 truths", history{50}, true, true},
		{"a lie at once", history{-1}, false, false},
		{"a lie after 50 truths is 2 %", history{50, -1}, false, false},
		{"a lie after 98 truths is more than 1 %", history{98, -1}, false, false},
		{"a lie after 99 truths is 1 %", history{99, -1}, true, true},
		{"a lie and then 98 truths", history{-1, 98}, false, false},
		{"a lie and then 99 truths is forgiven", history{-1, 99}, true, true},
		{"two lies in 199 checks", history{-1, 197, -1}, false, false},
		{"two lies in 200 checks", history{-1, 198, -1}, true, true},
		{"ten lies in a thousand", history{990, -10}, true, true},
		{"eleven lies in a thousand", history{989, -11}, false, false},
		{"eleven lies after thousands of truths", history{9000, -11}, false, false},
		{"eleven lies, the first about to leave the window", history{-11, 989}, false, false},
		{"eleven lies, the first just out of the window", history{-11, 990}, true, true},
		{"a thousand lies", history{-1000}, false, false},
		{"a thousand lies and 989 truths", history{-1000, 989}, false, false},
		{"a thousand lies and 990 truths", history{-1000, 990}, true, true},
		{"lies that come back as often as old ones leave", history{-11, 990, -10}, true, true},
		{"lies that come back more often", history{-11, 990, -11}, false, false},
		{"a lie every hundredth time", slices.Repeat(history{99, -1}, 30), true, true},
		{"a lie every ninetieth time", slices.Repeat(history{89, -1}, 30), false, false},
	} {
		trust := test.history.trust()
		if v, l := TrustValidators(trust), TrustLastmod(trust); v != test.validators || l != test.lastmod {
			t.Errorf("%s: validators %v, lastmod %v, want %v, %v", test.name, v, l, test.validators, test.lastmod)
		}
	}
}

func TestObserve(t *testing.T) {
	if got := (history{3, -1, 2}).trust(); got.Checks != 6 || !slices.Equal(got.Lies, []int{4}) {
		t.Errorf("got %+v", got)
	}
	if got := (history{-5000}).trust(); got.Checks != 5000 || len(got.Lies) != 1000 || got.Lies[0] != 4001 {
		t.Errorf("%d checks with %d lies from %d on", got.Checks, len(got.Lies), got.Lies[0])
	}
	if got := (history{-1, 1000}).trust(); len(got.Lies) != 0 {
		t.Errorf("a lie of 1,000 checks ago still counts: %+v", got)
	}
	before := document.Trust{Checks: 1000, Lies: []int{1, 2, 999}}
	Observe(before, true)
	if !slices.Equal(before.Lies, []int{1, 2, 999}) {
		t.Errorf("Observe wrote to its argument: %+v", before)
	}
}

// TestDayOpen: a day ends when it ends at UTC-12; a lastmod with a time names no day.
func TestDayOpen(t *testing.T) {
	const day, hour = 24 * 3600, 3600
	const lastmod = 20000 * day
	for _, test := range []struct {
		name          string
		lastmod, read int64
		open          bool
	}{
		{"read on the day", lastmod, lastmod + 3*hour, true},
		{"read when the day is over here", lastmod, lastmod + day, true},
		{"read in its last second", lastmod, lastmod + 36*hour - 1, true},
		{"read when it is over everywhere", lastmod, lastmod + 36*hour, false},
		{"read before the day", lastmod, lastmod - hour, true},
		{"a lastmod with a time", lastmod + 1, lastmod + hour, false},
		{"no lastmod", 0, 0, false},
	} {
		if got := DayOpen(test.lastmod, test.read); got != test.open {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

package judge

import (
	"testing"

	"sitesync/internal/document"
)

// Runs in a row, each judged with the record that the last one left.
func TestJudgeRuns(t *testing.T) {
	const (
		read    = document.Read
		missing = document.Missing
		unread  = document.Unread
		moved   = document.Moved // out of scope
		away    = document.Elsewhere
	)
	twice, thrice, toGo := Policy{Confirm: 2}, Policy{Confirm: 3}, Policy{Confirm: 1, MovedAway: true}
	for _, test := range []struct {
		name    string
		policy  Policy
		seen    []document.Seen
		deleted int // the run that deletes; 0: none does
	}{
		{"one miss of two", twice, []document.Seen{missing}, 0},
		{"two misses in a row", twice, []document.Seen{missing, missing}, 2},
		{"an unread page between two misses neither resets nor counts", twice, []document.Seen{missing, unread, missing}, 3},
		{"unread pages alone never delete", twice, []document.Seen{unread, unread, unread, unread, unread, unread, unread}, 0},
		{"a page read between two misses starts the count anew", twice, []document.Seen{missing, read, missing}, 0},
		{"two misses after a page was read", twice, []document.Seen{missing, read, missing, missing}, 4},
		{"a page read and one unread between misses", twice, []document.Seen{missing, unread, read, unread, missing, unread, missing}, 7},
		{"three misses in a row", thrice, []document.Seen{missing, missing, missing}, 3},
		{"two misses of three, however long the page is unread", thrice, []document.Seen{missing, unread, unread, missing, unread, unread, unread}, 0},
		{"a document is gone in the first run", thrice, []document.Seen{document.Gone}, 1},
		{"a document with noindex goes in the first run", thrice, []document.Seen{document.NoIndex}, 1},

		{"three runs of moving away", toGo, []document.Seen{moved, moved, moved}, 3},
		{"two runs of moving away", toGo, []document.Seen{moved, moved}, 0},
		{"moving away where the owner keeps it", twice, []document.Seen{moved, moved, moved, moved, moved}, 0},
		{"a page read in between starts the count of moving away anew", toGo, []document.Seen{moved, moved, read, moved}, 0},
		{"three runs of moving away after a page was read", toGo, []document.Seen{moved, moved, read, moved, moved, moved}, 6},
		{"an unread page while moving away neither resets nor counts", toGo, []document.Seen{moved, unread, moved, moved}, 4},
		{"unread pages while moving away never delete", toGo, []document.Seen{moved, moved, unread, unread, unread, unread}, 0},
		{"temporary redirects never delete", toGo, []document.Seen{away, away, away, away, away, away}, 0},
		{"a temporary redirect while moving away starts the count anew", toGo, []document.Seen{moved, moved, away, moved, moved}, 0},
	} {
		if got := deletedIn(test.policy, test.seen); got != test.deleted {
			t.Errorf("%s: deleted in run %d, want %d", test.name, got, test.deleted)
		}
	}
}

// deletedIn returns the number of the run that deletes an acknowledged document,
// 0 when none does. A page that is read is equal.
func deletedIn(p Policy, all []document.Seen) int {
	rec := acked()
	for i, seen := range all {
		s := saw(seen)
		s.Same = seen == document.Read
		v := Judge(Facts{URL: page, Record: rec, Sighting: s, Target: ends(TargetForeign)}, tonight(p))
		if v.Change != nil && v.Change.Op == document.Delete {
			return i + 1
		}
		if v.Next != nil {
			rec = v.Next
		}
	}
	return 0
}

package judge

import (
	"testing"

	"sitesync/internal/document"
)

// A page that shows something else than itself night after night, until its delete is due.
func TestJudgeStanding(t *testing.T) {
	as := func(kind document.Refusal, code int) []sightingEdit {
		return []sightingEdit{status(code), func(s *document.Sighting) { s.Refusal = kind }}
	}
	denied, legal, broken, late := as(document.RefusedClient, 403), as(document.RefusedLegal, 451), as(document.RefusedServer, 500), as(document.RefusedNot, 429)
	always := func(kind ...sightingEdit) func(int) *document.Sighting {
		return func(int) *document.Sighting { return saw(document.Unread, kind...) }
	}
	led := func(to func(night int) string) func(int) *document.Sighting {
		return func(night int) *document.Sighting {
			return saw(document.Moved, func(s *document.Sighting) { s.Target = to(night) })
		}
	}
	same := func(int) string { return other }
	ours := ends(TargetForeign)
	ours.Ours = true
	for _, test := range []struct {
		name   string
		looks  func(night int) *document.Sighting
		facts  Facts
		policy Policy
		want   int // the night of the delete; 0: none within 50
		cause  document.Cause
	}{
		{"refused, and nothing leads to it", always(denied...), Facts{Alone: true}, defaults(), 5, document.CauseRefused},
		{"refused, and something leads to it", always(denied...), Facts{Led: true}, defaults(), 32, document.CauseRefused},
		{"refused, and it takes four looks", always(denied...), Facts{Alone: true}, Policy{Confirm: 4}, 7, document.CauseRefused},
		{"an error of the server", always(broken...), Facts{Alone: true}, defaults(), 12, document.CauseRefused},
		{"forbidden by law, and something leads to it", always(legal...), Facts{Led: true}, defaults(), 5, document.CauseRefused},
		{"failing in another way", always(late...), Facts{Alone: true}, defaults(), 30, document.CauseUnread},
		{"refused in turns of two kinds", func(n int) *document.Sighting {
			return saw(document.Unread, [][]sightingEdit{denied, broken}[n%2]...)
		}, Facts{Alone: true}, defaults(), 32, document.CauseUnread},
		{"another kind in the third night", func(n int) *document.Sighting {
			if n == 3 {
				return saw(document.Unread, late...)
			}
			return saw(document.Unread, denied...)
		}, Facts{Alone: true}, defaults(), 8, document.CauseRefused},
		{"read in the third night", func(n int) *document.Sighting {
			if n == 3 {
				return saw(document.Read, func(s *document.Sighting) { s.Same = true })
			}
			return saw(document.Unread, denied...)
		}, Facts{Alone: true}, defaults(), 8, document.CauseRefused},
		{"the clock is not believed", always(denied...), Facts{Alone: true}, Policy{Confirm: 1, ClockOff: true}, 0, ""},
		{"a temporary redirect", func(int) *document.Sighting { return saw(document.Elsewhere) }, Facts{}, defaults(), 30, document.CauseUnread},
		{"led out", led(same), Facts{Target: ours}, defaults(), 3, document.CauseRedirected},
		{"led to what is not to be indexed", led(same), Facts{Target: ends(TargetHidden)}, defaults(), 3, document.CauseRedirected},
		{"led out to another address each night", led(func(n int) string { return other + string(rune('a'+n%20)) }), Facts{Target: ours}, defaults(), 30, document.CauseUnread},
		{"led to what is unread", led(same), Facts{Target: ends(TargetUnread)}, defaults(), 30, document.CauseUnread},
		{"led to another site", led(same), Facts{Target: ends(TargetForeign)}, defaults(), 30, document.CauseUnread},
	} {
		rec, got, cause := acked(), 0, document.Cause("")
		for night := 1; night <= 50 && got == 0; night++ {
			for _, hour := range []int64{0, 11} { // the second run of a night counts for nothing
				p := tonight(test.policy)
				p.Start = int64(night)*2*halfDay + hour*60*60
				f := test.facts
				f.URL, f.Record, f.Sighting = page, rec, test.looks(night)
				v := Judge(f, p)
				if v.Change != nil && got == 0 {
					got, cause = night, v.Change.Cause
				}
				if v.Next != nil {
					rec = v.Next
				}
			}
		}
		if got != test.want || cause != test.cause {
			t.Errorf("%s: deleted in night %d (%s), want %d (%s)", test.name, got, cause, test.want, test.cause)
		}
	}
}

func TestJudgeRefused(t *testing.T) {
	refused := func(s *document.Sighting) { s.Status, s.Refusal = 403, document.RefusedClient }
	led := func(r *document.Record) { r.Led = 1 }
	policy := defaults()
	policy.Generation = 40
	check(t, policy, []row{
		{"a page that is refused, and whose content stands elsewhere, has moved", Facts{Record: acked(), Sighting: saw(document.Unread, refused), Target: live()}, "delete moved after /q; moved to /q"},
		{"a deleted page leaves its address, which still fails", Facts{Record: acked(since("r1"), stood(document.RefusedClient, 4, start-halfDay)), Sighting: saw(document.Unread, refused), Alone: true, Room: true},
			"delete refused leaving plain since r1 read for real looks unread led 40"},
		{"an address that nothing leads to any more is forgotten in the end", Facts{Record: plain(document.Unread, since("r1"), led), Sighting: saw(document.Unread, refused)}, "drop"},
	})
}

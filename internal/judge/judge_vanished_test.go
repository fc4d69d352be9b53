package judge

import (
	"testing"

	"sitesync/internal/document"
)

func TestJudgeGone(t *testing.T) {
	check(t, Policy{Confirm: 3}, []row{
		{"a page that is gone is deleted at once", Facts{Record: acked(), Sighting: saw(document.Gone)}, "delete gone"},
		{"a page that is gone is deleted though the sitemap names it", Facts{Record: acked(listed), Sighting: saw(document.Gone, inSitemap)}, "delete gone"},
		{"a document in doubt that is gone is deleted", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Gone)}, "delete gone (doubt)"},
		{"a new document in doubt that is gone is deleted", Facts{Record: known(document.PushDoubt, neverHeld), Sighting: saw(document.Gone)}, "delete gone (doubt)"},
		{"a refused change of a page that is gone is deleted", Facts{Record: known(document.PushRefused, strikes(1)), Sighting: saw(document.Gone)}, "delete gone (doubt)"},
		{"a parked document that is gone stays parked", Facts{Record: known(document.PushRefused, strikes(3)), Sighting: saw(document.Gone)}, "delete gone (doubt)"},
		{"a document that was never held and is gone is remembered as that", Facts{Record: known(document.PushRefused, strikes(1), neverHeld), Sighting: saw(document.Gone)}, "keep plain read for real looks gone led 1"},
		{"a new document that may have arrived before it was refused is deleted when gone", Facts{Record: known(document.PushRefused, strikes(1), onceInDoubt), Sighting: saw(document.Gone)}, "delete gone (doubt)"},
		{"a hub that is gone is remembered as that", Facts{Record: plain(document.NoIndex), Sighting: saw(document.Gone)}, "keep plain read for real looks gone led 1"},
		{"an unknown page that is gone calls for nothing", Facts{Sighting: saw(document.Gone)}, "nothing"},
		{"a page that is gone while its content stands elsewhere is deleted after that", Facts{Record: acked(), Sighting: saw(document.Gone), Target: live()}, "delete moved after /q; moved to /q"},
		{"a page that is gone, and whose content has gone as well", Facts{Record: acked(), Sighting: saw(document.Gone), Target: ends(TargetDead)}, "delete gone"},
		{"a hub that is gone has no content to stand elsewhere", Facts{Record: plain(document.NoIndex), Sighting: saw(document.Gone), Target: live()}, "keep plain read for real looks gone led 1"},
		{"a link to a page that is gone is broken", Facts{Sighting: saw(document.Gone, foundOn(other))}, "warn broken-link"},
	})
}

func TestJudgeMissing(t *testing.T) {
	check(t, Policy{Confirm: 1}, []row{
		{"a missing page is deleted", Facts{Record: acked(), Sighting: saw(document.Missing)}, "delete missing"},
		{"a missing page that the sitemap names is kept once", Facts{Record: acked(), Sighting: saw(document.Missing, inSitemap)}, "keep ok e1 misses 1 listed looks missing"},
		{"a missing page that the sitemap names is deleted the second time", Facts{Record: acked(misses(1)), Sighting: saw(document.Missing, inSitemap)}, "delete missing"},
		{"a missing page that left the sitemap is deleted at once", Facts{Record: acked(listed), Sighting: saw(document.Missing)}, "delete missing"},
		{"a page that matches the not-found print is kept once", Facts{Record: acked(), Sighting: saw(document.Missing, likeNotFound)}, "keep ok e1 misses 1 looks missing"},
		{"a page that matches the not-found print again is deleted", Facts{Record: acked(misses(1)), Sighting: saw(document.Missing, likeNotFound)}, "delete soft-404"},
		{"a page that matched the print and then answers 404 is deleted", Facts{Record: acked(misses(1)), Sighting: saw(document.Missing)}, "delete missing"},
		{"a document in doubt that is missing is deleted", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Missing)}, "delete missing (doubt)"},
		{"a refused change of a missing page is deleted", Facts{Record: known(document.PushRefused, strikes(2)), Sighting: saw(document.Missing)}, "delete missing (doubt)"},
		{"a document that was never held and is missing is remembered as that", Facts{Record: known(document.PushRefused, strikes(2), neverHeld), Sighting: saw(document.Missing)}, "keep plain read for real looks missing led 1"},
		{"a redirect's source that is missing is remembered as that", Facts{Record: plain(document.Moved), Sighting: saw(document.Missing)}, "keep plain read for real looks missing led 1"},
		{"an unknown page that is missing calls for nothing", Facts{Sighting: saw(document.Missing)}, "nothing"},
		{"a broken link is told", Facts{Sighting: saw(document.Missing, foundOn(other))}, "warn broken-link"},
		{"a broken line of a sitemap is told", Facts{Sighting: saw(document.Missing, inSitemap)}, "warn broken-link"},
	})
	check(t, Policy{Confirm: 0}, []row{
		{"no confirmation at all still takes one look", Facts{Record: acked(), Sighting: saw(document.Missing)}, "delete missing"},
	})
	check(t, Policy{Confirm: 2}, []row{
		{"the first of two misses is counted", Facts{Record: acked(), Sighting: saw(document.Missing)}, "keep ok e1 misses 1 looks missing"},
		{"the second of two misses deletes", Facts{Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Missing)}, "delete missing"},
		{"a miss more than needed deletes", Facts{Record: acked(misses(4)), Sighting: saw(document.Missing)}, "delete missing"},
		{"the first of two misses is counted though the content stands elsewhere", Facts{Record: acked(), Sighting: saw(document.Missing), Target: live()}, "keep ok e1 misses 1 looks missing"},
		{"the second of two misses moves a page whose content stands elsewhere", Facts{Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Missing), Target: live()}, "delete moved after /q; moved to /q"},
		{"two misses are enough for a page in the sitemap", Facts{Record: acked(misses(1)), Sighting: saw(document.Missing, inSitemap)}, "delete missing"},
		{"a document in doubt is not deleted by one of two misses", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Missing)}, "keep doubt e1 misses 1 looks missing"},
		{"a refused document is not deleted by one of two misses", Facts{Record: known(document.PushRefused, strikes(2)), Sighting: saw(document.Missing)}, "keep refused e1 misses 1 strikes 2 looks missing"},
		{"a missing suspect stays a suspect", Facts{Record: acked(suspect), Sighting: saw(document.Missing)}, "keep ok e1 misses 1 suspect looks missing"},
	})
	check(t, Policy{Confirm: 3}, []row{
		{"the second of three misses is counted", Facts{Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Missing)}, "keep ok e1 misses 2 looks missing missing"},
		{"the second of three misses is counted for a page in the sitemap", Facts{Record: acked(misses(1)), Sighting: saw(document.Missing, inSitemap)}, "keep ok e1 misses 2 listed looks missing"},
		{"the third of three misses deletes", Facts{Record: acked(misses(2)), Sighting: saw(document.Missing)}, "delete missing"},
		{"a miss keeps the latest five looks", Facts{Record: acked(looked(document.Read, document.Unread, document.Unread, document.Unread, document.Unread)), Sighting: saw(document.Missing)}, "keep ok e1 misses 1 looks unread unread unread unread missing"},
	})
}

func TestJudgeUnread(t *testing.T) {
	check(t, Policy{Confirm: 1, OutOfScope: true, Orphans: true, MovedAway: true}, []row{
		{"an unread document is kept and reported", Facts{Record: acked(), Sighting: saw(document.Unread)}, "keep ok e1 since r9 looks unread; failed 503 since r9"},
		{"an unread page that fails for longer is only reported", Facts{Record: acked(since("r1"), looked(document.Unread)), Sighting: saw(document.Unread)}, "failed 503 since r1"},
		{"an unread page is reported with its own status", Facts{Record: acked(since("r1")), Sighting: saw(document.Unread, status(401))}, "failed 401 since r1"},
		{"an unread page without an answer is reported", Facts{Record: acked(since("r1")), Sighting: saw(document.Unread, status(0))}, "failed 0 since r1"},
		{"an unread page gets a record on its first night", Facts{Sighting: saw(document.Unread)}, "keep plain since r9 looks unread; failed 503 since r9"},
		{"an unread hub is kept and reported", Facts{Record: plain(document.NoIndex, hinted("e1")), Sighting: saw(document.Unread)}, "keep plain e1 since r9 looks noindex unread; failed 503 since r9"},
		{"an unread page neither counts as a miss nor resets them", Facts{Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Unread)}, "keep ok e1 misses 1 since r9 looks missing unread; failed 503 since r9"},
		{"an unread page in the sitemap is no miss", Facts{Record: acked(misses(1)), Sighting: saw(document.Unread, inSitemap)}, "keep ok e1 misses 1 since r9 listed looks unread; failed 503 since r9"},
		{"an unread document in doubt stays in doubt", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Unread)}, "keep doubt e1 since r9 looks unread; failed 503 since r9"},
		{"an unread document that was refused stays refused", Facts{Record: known(document.PushRefused, strikes(3), since("r1")), Sighting: saw(document.Unread)}, "failed 503 since r1"},
		{"an unread suspect stays a suspect", Facts{Record: acked(suspect), Sighting: saw(document.Unread)}, "keep ok e1 since r9 suspect looks unread; failed 503 since r9"},
		{"an unread document does not expire", Facts{Record: acked(since("r1")), Sighting: saw(document.Unread), Expired: "two years"}, "failed 503 since r1"},
		{"an unread document is no orphan", Facts{Record: acked(since("r1")), Sighting: saw(document.Unread), HostFull: true}, "failed 503 since r1"},
		{"an unread document keeps its latest five looks", Facts{Record: acked(looked(document.Read, document.Missing, document.Missing, document.Missing, document.Missing)), Sighting: saw(document.Unread)}, "keep ok e1 since r9 looks missing missing missing missing unread; failed 503 since r9"},
		{"a page seen in a way that nobody knows is unread", Facts{Record: acked(since("r1")), Sighting: saw("puzzling", status(299))}, "failed 299 since r1"},
	})
}

// An address that was not there is remembered while something leads to it, and for 30
// runs after that; there is room for so many.
func TestJudgeVanishedAddress(t *testing.T) {
	led := func(generation uint64) recordEdit { return func(r *document.Record) { r.Led = generation } }
	policy := defaults()
	policy.Generation = 40
	check(t, policy, []row{
		{"a new address that is not there is remembered", Facts{Sighting: saw(document.Missing, foundOn(other)), Room: true, Led: true}, "keep plain read for real looks missing led 40; warn broken-link"},
		{"where there is no room it is not", Facts{Sighting: saw(document.Missing, foundOn(other)), Led: true}, "warn broken-link"},
		{"a document that goes leaves its address", Facts{Record: acked(), Sighting: saw(document.Gone), Room: true}, "delete gone leaving plain read for real looks gone led 40"},
		{"it is told again while something leads to it", Facts{Record: plain(document.Missing, led(38)), Sighting: saw(document.Missing), Led: true}, "warn broken-link"},
		{"that it was not read for some nights is over", Facts{Record: plain(document.Missing, led(38), since("r1")), Sighting: saw(document.Missing), Led: true}, "keep plain read for real looks missing led 40; warn broken-link"},
		{"and noted anew after some runs", Facts{Record: plain(document.Missing, led(35)), Sighting: saw(document.Missing), Led: true}, "keep plain looks missing led 40; warn broken-link"},
		{"nothing leads to it for 30 runs", Facts{Record: plain(document.Missing, led(10)), Sighting: saw(document.Missing)}, "nothing"},
		{"nothing leads to it for more", Facts{Record: plain(document.Missing, led(9)), Sighting: saw(document.Missing)}, "drop"},
		{"a sitemap that no longer lists it is noted", Facts{Record: plain(document.Missing, led(38), func(r *document.Record) { r.Listed = true }), Sighting: saw(document.Missing), Led: true}, "keep plain looks missing led 38; warn broken-link"},
		{"a page that is back is put", Facts{Record: plain(document.Missing, led(39)), Sighting: saw(document.Read), Content: text()}, "put new"},
	})
}

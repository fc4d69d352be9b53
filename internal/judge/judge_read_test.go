package judge

import (
	"testing"

	"sitesync/internal/document"
)

func TestJudgeRead(t *testing.T) {
	check(t, defaults(), []row{
		{"a page that was never seen is put", Facts{Sighting: saw(document.Read), Content: text()}, "put new"},
		{"a hub that may be indexed now is put", Facts{Record: plain(document.NoIndex), Sighting: saw(document.Read), Content: text()}, "put new"},
		{"a page that failed on its first night is put when it is read", Facts{Record: plain(document.Unread, since("r1")), Sighting: saw(document.Read), Content: text()}, "put new"},
		{"a folded duplicate that stands for itself again is put", Facts{Record: plain(document.Read, foldedInto(other)), Sighting: saw(document.Read), Content: text()}, "put new"},
		{"a file is put as a file", Facts{Sighting: saw(document.Read), Content: text(file)}, "put new as a file"},
		{"a new file without text is put with a warning", Facts{Sighting: saw(document.Read), Content: text(file, warned("file-without-text"))}, "put new as a file; warn file-without-text"},

		{"a changed field is patched", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "patch changed Title"},
		{"several fields go in one patch", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(), Delta: differs("Content", "Title")}, "patch changed Content Title"},
		{"a changed type is patched with no field at all", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(file), Delta: document.Delta{Type: true}}, "patch changed as a file"},
		{"a changed type and field go in one patch", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(file), Delta: document.Delta{Changed: []string{"Title"}, Type: true}}, "patch changed Title as a file"},
		{"a change under other rules is named after them", Facts{Record: acked(), Sighting: saw(document.Read, newRules), Content: text(otherRules), Delta: differs("Title")}, "patch rules Title"},
		{"a page that changed after it was missing once is patched", Facts{Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "patch changed Title"},

		{"a field that vanished twice is gone by a put", Facts{Record: acked(suspect), Sighting: saw(document.Read), Content: text(), Delta: lost("Category")}, "put changed Category"},
		{"a put names what changed and what vanished", Facts{Record: acked(suspect), Sighting: saw(document.Read), Content: text(), Delta: document.Delta{Changed: []string{"Title"}, Lost: []string{"Category"}}}, "put changed Category Title"},
		{"a field that vanished twice under other rules is gone by a put", Facts{Record: acked(suspect), Sighting: saw(document.Read, newRules), Content: text(otherRules), Delta: lost("Category")}, "put rules Category"},
	})
}

func TestJudgeReadNotAcknowledged(t *testing.T) {
	rows := []row{
		{"a document in doubt is put as a whole", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "put in-doubt (doubt)"},
		{"a document in doubt is put though nothing changed", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Read), Content: text()}, "put in-doubt (doubt)"},
		{"a document in doubt that lost a field is put at once", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Read), Content: text(), Delta: lost("Category")}, "put in-doubt (doubt)"},
		{"a document that a check found altered is put as a repair", Facts{Record: known(document.PushDoubt, repaired), Sighting: saw(document.Read), Content: text()}, "put repair (doubt)"},
		{"a new document in doubt is put", Facts{Record: known(document.PushDoubt, neverHeld), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "put in-doubt (doubt)"},
		{"a change refused once is tried as a put", Facts{Record: known(document.PushRefused, strikes(1)), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "put retry"},
		{"a change refused twice is tried as a put", Facts{Record: known(document.PushRefused, strikes(2)), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "put retry"},
		{"a refused document is tried though nothing changed", Facts{Record: known(document.PushRefused, strikes(1)), Sighting: saw(document.Read), Content: text()}, "put retry"},
		{"a new document that was refused is tried", Facts{Record: known(document.PushRefused, strikes(1), neverHeld), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "put retry"},
	}
	check(t, defaults(), append(rows, []row{
		{"a change refused three times is parked", Facts{Record: known(document.PushRefused, strikes(3)), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "put retry (parked)"},
		{"a parked document is reported though nothing changed", Facts{Record: known(document.PushRefused, strikes(3)), Sighting: saw(document.Read), Content: text()}, "put retry (parked)"},
		{"a new document refused four times is parked", Facts{Record: known(document.PushRefused, strikes(4), neverHeld), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "put retry (parked)"},
	}...))
	retry := defaults()
	retry.RetryParked = true
	check(t, retry, append(rows, []row{
		{"a parked change is tried when asked for", Facts{Record: known(document.PushRefused, strikes(3)), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "put retry"},
		{"a parked new document is tried when asked for", Facts{Record: known(document.PushRefused, strikes(3), neverHeld), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, "put retry"},
	}...))
}

func TestJudgeUnchanged(t *testing.T) {
	check(t, defaults(), []row{
		{"an equal page calls for nothing", Facts{Record: acked(), Sighting: saw(document.Read, same)}, "nothing"},
		{"a page whose finished document is equal calls for nothing", Facts{Record: acked(), Sighting: saw(document.Read), Content: text()}, "nothing"},
		{"an equal page under other rules keeps their fingerprint", Facts{Record: acked(), Sighting: saw(document.Read, newRules), Content: text(otherRules)}, "keep ok e1 other rules"},
		{"an equal page forgets its misses", Facts{Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Read, same)}, "keep ok e1"},
		{"an equal page forgets that it failed", Facts{Record: acked(since("r1"), looked(document.Unread)), Sighting: saw(document.Read, same)}, "keep ok e1"},
		{"an equal page is no suspect any more", Facts{Record: acked(suspect, looked(document.Read)), Sighting: saw(document.Read, same)}, "keep ok e1"},
		{"an equal page forgets that it was elsewhere", Facts{Record: acked(looked(document.Elsewhere, document.Elsewhere)), Sighting: saw(document.Read, same)}, "keep ok e1"},
		{"an equal page teaches the hints that came with it", Facts{Record: acked(), Sighting: saw(document.Read, same, etag("e2"))}, "keep ok e2"},
		{"a finished document that is equal teaches its hints", Facts{Record: acked(), Sighting: saw(document.Read, etag("e2")), Content: text()}, "keep ok e2"},
		{"an equal page without hints leaves none: they may hide the day on which it is to go", Facts{Record: acked(), Sighting: saw(document.Read, same, noHints)}, "keep ok"},
		{"an equal page that came into the sitemap is kept as listed", Facts{Record: acked(), Sighting: saw(document.Read, same, inSitemap)}, "keep ok e1 listed"},
		{"an equal page that left the sitemap is kept as not listed", Facts{Record: acked(listed), Sighting: saw(document.Read, same)}, "keep ok e1"},
		{"an equal page that stays in the sitemap calls for nothing", Facts{Record: acked(listed), Sighting: saw(document.Read, same, inSitemap)}, "nothing"},
		{"an empty shell that the index holds already calls for nothing", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(warned("empty-shell"))}, "nothing"},
		{"a file without text that the index holds already calls for nothing", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(warned("file-without-text"))}, "nothing"},
	})
	recheck := defaults()
	recheck.RecheckDue = func(url string, r *document.Record) bool { return url == page && r.Fetched == 100 }
	check(t, recheck, []row{
		{"an equal page whose recheck was due is kept as read for real", Facts{Record: acked(), Sighting: saw(document.Read, same)}, "keep ok e1 read for real"},
		{"a page that was not fetched does not pass for a recheck", Facts{Record: acked(), Sighting: saw(document.Read, same, notFetched)}, "nothing"},
		{"a page that is kept does not pass for a recheck", Facts{Record: acked(), Sighting: saw(document.Kept)}, "nothing"},
	})
}

func TestJudgeKept(t *testing.T) {
	check(t, defaults(), []row{
		{"a page that is kept calls for nothing", Facts{Record: acked(), Sighting: saw(document.Kept)}, "nothing"},
		{"a hub that is kept calls for nothing", Facts{Record: plain(document.NoIndex, hinted("e1")), Sighting: saw(document.Kept)}, "nothing"},
		{"a document in doubt waits for a page read for real", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Kept)}, "nothing"},
		{"a refused document waits for a page read for real", Facts{Record: known(document.PushRefused, strikes(1)), Sighting: saw(document.Kept)}, "nothing"},
		{"a parked document waits for a page read for real", Facts{Record: known(document.PushRefused, strikes(3)), Sighting: saw(document.Kept)}, "nothing"},
		{"an unknown page can't be kept", Facts{Sighting: saw(document.Kept)}, "nothing"},
		{"a page that is kept is there, so it forgets its misses", Facts{Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Kept)}, "keep ok e1"},
		{"a page that is kept forgets that it failed", Facts{Record: acked(since("r1"), looked(document.Unread)), Sighting: saw(document.Kept)}, "keep ok e1"},
		{"a page that is kept may come into the sitemap", Facts{Record: acked(), Sighting: saw(document.Kept, inSitemap)}, "keep ok e1 listed"},
		{"a hint teaches no other hint", Facts{Record: acked(), Sighting: saw(document.Kept, etag("e2"))}, "nothing"},
		{"a hint that keeps a page teaches no lastmod", Facts{Record: acked(), Sighting: saw(document.Kept, func(s *document.Sighting) { s.Hints.Lastmod = 800 })}, "nothing"},
	})
}

func TestJudgeNotLookedAt(t *testing.T) {
	eager := Policy{Confirm: 1, OutOfScope: true, Orphans: true, MovedAway: true}
	check(t, eager, []row{
		{"an unknown page that was not looked at", Facts{HostFull: true}, "nothing"},
		{"a document that was not looked at", Facts{Record: acked(), HostFull: true}, "nothing"},
		{"a document in doubt that was not looked at", Facts{Record: known(document.PushDoubt), HostFull: true}, "nothing"},
		{"a refused document that was not looked at", Facts{Record: known(document.PushRefused, strikes(3)), HostFull: true}, "nothing"},
		{"a hub that was not looked at", Facts{Record: plain(document.NoIndex), HostFull: true}, "nothing"},
		{"an expired document that was not looked at", Facts{Record: acked(), Expired: "two years", HostFull: true}, "nothing"},
		{"a document that was missing and is not looked at", Facts{Record: acked(misses(4)), HostFull: true}, "nothing"},
	})
}

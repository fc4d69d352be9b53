package judge

import (
	"testing"

	"sitesync/internal/document"
)

func TestJudgeMoved(t *testing.T) {
	check(t, defaults(), []row{
		{"a page that moved alone is deleted after its target", Facts{Record: acked(), Sighting: saw(document.Moved), Target: sole()}, "delete moved after /q leaving plain read for real looks moved; moved to /q"},
		{"a page that moved with its text is deleted after its target", Facts{Record: acked(), Sighting: saw(document.Moved), Target: alike()}, "delete moved after /q leaving plain read for real looks moved; moved to /q"},
		{"a document in doubt that moved is deleted after its target", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Moved), Target: sole()}, "delete moved after /q (doubt) leaving plain read for real looks moved; moved to /q"},
		{"a parked document that moved stays parked", Facts{Record: known(document.PushRefused, strikes(3)), Sighting: saw(document.Moved), Target: sole()}, "delete moved after /q (doubt) leaving plain read for real looks moved; moved to /q"},
		{"a page that redirects alone to one with another title and text is missing once", Facts{Record: acked(), Sighting: saw(document.Moved), Target: alone()}, "keep ok e1 misses 1 looks moved"},
		{"a page that redirects alone to one with another title and text is deleted the second time, and counts", Facts{Record: acked(misses(1)), Sighting: saw(document.Moved), Target: alone()}, "delete redirected after /q leaving plain read for real looks moved"},
		{"an ID that is written otherwise today moves whatever its page says", Facts{Record: acked(), Sighting: saw(document.Moved, status(0)), Target: alone()}, "delete moved after /q leaving plain read for real looks moved; moved to /q"},
		{"a page that redirects with many others to other content is deleted", Facts{Record: acked(misses(1)), Sighting: saw(document.Moved), Target: live()}, "delete redirected after /q leaving plain read for real looks moved"},
		{"a document in doubt that redirects to other content is deleted", Facts{Record: known(document.PushDoubt, misses(1)), Sighting: saw(document.Moved), Target: live()}, "delete redirected after /q (doubt) leaving plain read for real looks moved"},
		{"a page that moves while its target is unread is kept", Facts{Record: acked(), Sighting: saw(document.Moved), Target: ends(TargetUnread)}, "keep ok e1"},
		{"a document in doubt that moves while its target is unread waits", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Moved), Target: ends(TargetUnread)}, "keep doubt e1"},
		{"a page that redirects to a dead one is missing once", Facts{Record: acked(), Sighting: saw(document.Moved), Target: ends(TargetDead)}, "keep ok e1 misses 1 looks missing"},
		{"a page that redirects to a dead one the second time is deleted", Facts{Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Moved), Target: ends(TargetDead)}, "delete missing"},
		{"a page that failed and redirects to a dead one no longer fails", Facts{Record: acked(since("r1")), Sighting: saw(document.Moved), Target: ends(TargetDead)}, "keep ok e1 misses 1 looks missing"},
		{"a page that failed and redirects to an unread one no longer fails", Facts{Record: acked(since("r1")), Sighting: saw(document.Moved), Target: ends(TargetUnread)}, "keep ok e1"},
		{"an ID that is written otherwise today, and is not there, is missing once", Facts{Record: acked(), Sighting: saw(document.Moved, status(0)), Target: ends(TargetDead)}, "keep ok e1 misses 1 looks missing"},
		{"an ID that is written otherwise today, and is not there the second time, is deleted", Facts{Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Moved, status(0)), Target: ends(TargetDead)}, "delete missing"},
		{"a page that redirects in a loop is kept with a warning", Facts{Record: acked(), Sighting: saw(document.Moved), Target: ends(TargetLoop)}, "keep ok e1 looks moved; warn redirect"},
		{"a page that still redirects in a loop is warned of again", Facts{Record: acked(looked(document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetLoop)}, "warn redirect"},
		{"a page that redirects out of scope is kept", Facts{Record: acked(), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "keep ok e1 looks moved"},

		{"a new redirect gets a record", Facts{Sighting: saw(document.Moved), Target: sole()}, "keep plain read for real looks moved"},
		{"a new redirect whose target is unread gets a record", Facts{Sighting: saw(document.Moved), Target: ends(TargetUnread)}, "keep plain read for real looks moved"},
		{"a parked page that moves while its target is unread stays parked", Facts{Record: known(document.PushRefused, neverHeld, strikes(3), since("r1")), Sighting: saw(document.Moved), Target: ends(TargetUnread)}, "nothing"},
		{"a new redirect to a dead page gets a record", Facts{Sighting: saw(document.Moved), Target: ends(TargetDead)}, "keep plain read for real looks moved; warn redirect"},
		{"a new redirect out of scope gets a record", Facts{Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "keep plain looks moved"},
		{"a known redirect calls for nothing", Facts{Record: plain(document.Moved), Sighting: saw(document.Moved), Target: live()}, "nothing"},
		{"a known redirect that is in the sitemap now is kept as listed", Facts{Record: plain(document.Moved), Sighting: saw(document.Moved, inSitemap), Target: live()}, "keep plain read for real listed looks moved"},
		{"a known redirect with another status is kept with that", Facts{Record: plain(document.Moved), Sighting: saw(document.Moved, status(308)), Target: live()}, "keep plain read for real looks moved"},
		{"a hub that redirects now is kept as a redirect", Facts{Record: plain(document.NoIndex, hinted("e1")), Sighting: saw(document.Moved), Target: live()}, "keep plain read for real looks moved"},
		{"a document that was never held and moved is a redirect", Facts{Record: known(document.PushRefused, strikes(1), neverHeld), Sighting: saw(document.Moved), Target: sole()}, "keep plain read for real looks moved"},
	})
}

func TestJudgeElsewhere(t *testing.T) {
	rows := []row{
		{"a temporary redirect keeps the text", Facts{Record: acked(), Sighting: saw(document.Elsewhere)}, "keep ok e1 looks elsewhere"},
		{"a temporary redirect keeps the text the second time", Facts{Record: acked(looked(document.Elsewhere)), Sighting: saw(document.Elsewhere)}, "keep ok e1 looks elsewhere elsewhere"},
		{"a temporary redirect is warned of the third time", Facts{Record: acked(looked(document.Elsewhere, document.Elsewhere)), Sighting: saw(document.Elsewhere)}, "keep ok e1 looks elsewhere elsewhere elsewhere; warn elsewhere"},
		{"a temporary redirect is warned of from then on", Facts{Record: acked(looked(document.Elsewhere, document.Elsewhere, document.Elsewhere)), Sighting: saw(document.Elsewhere)}, "keep ok e1 looks elsewhere elsewhere elsewhere; warn elsewhere"},
		{"a missing look in between starts the count anew", Facts{Record: acked(looked(document.Elsewhere, document.Elsewhere, document.Missing)), Sighting: saw(document.Elsewhere)}, "keep ok e1 looks elsewhere elsewhere missing elsewhere"},
		{"an unread look in between does not", Facts{Record: acked(looked(document.Elsewhere, document.Elsewhere, document.Unread)), Sighting: saw(document.Elsewhere)}, "keep ok e1 looks elsewhere elsewhere unread elsewhere; warn elsewhere"},
		{"a document in doubt that is elsewhere stays in doubt", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Elsewhere)}, "keep doubt e1 looks elsewhere"},
		{"a document that is elsewhere keeps its misses", Facts{Record: acked(misses(1)), Sighting: saw(document.Elsewhere)}, "keep ok e1 misses 1 looks elsewhere"},
		{"a new page that is elsewhere gets a record", Facts{Sighting: saw(document.Elsewhere)}, "keep plain looks elsewhere"},
		{"a page without text to keep is not warned of", Facts{Record: plain(document.Elsewhere, looked(document.Elsewhere)), Sighting: saw(document.Elsewhere)}, "keep plain looks elsewhere elsewhere elsewhere"},
		{"a page without text that stays elsewhere calls for nothing", Facts{Record: plain(document.Elsewhere, looked(document.Elsewhere, document.Elsewhere)), Sighting: saw(document.Elsewhere)}, "nothing"},
		{"an expired document that is elsewhere is kept", Facts{Record: acked(), Sighting: saw(document.Elsewhere), Expired: "two years"}, "keep ok e1 looks elsewhere"},
		{"a page that redirects out of scope keeps its text the first time", Facts{Record: acked(), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "keep ok e1 looks moved"},
		{"a page that redirects out of scope keeps its text the second time", Facts{Record: acked(looked(document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "keep ok e1 looks moved moved"},
	}
	check(t, defaults(), append(rows, []row{
		{"a redirect out of scope is warned of the third time", Facts{Record: acked(looked(document.Moved, document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "keep ok e1 looks moved moved moved; warn elsewhere"},
		{"a redirect out of scope is warned of from then on", Facts{Record: acked(looked(document.Moved, document.Moved, document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "keep ok e1 looks moved moved moved; warn elsewhere"},
	}...))
	away := defaults()
	away.MovedAway = true
	check(t, away, append(rows, []row{
		{"a document that moved away is deleted the third time", Facts{Record: acked(looked(document.Moved, document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "delete redirected leaving plain read for real looks moved"},
		{"a document that moved away long ago is deleted", Facts{Record: acked(looked(document.Moved, document.Moved, document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "delete redirected leaving plain read for real looks moved"},
		{"a document in doubt that moved away is deleted the third time", Facts{Record: known(document.PushDoubt, looked(document.Moved, document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "delete redirected (doubt) leaving plain read for real looks moved"},
		{"temporary redirects before a permanent one don't count for a delete", Facts{Record: acked(looked(document.Elsewhere, document.Elsewhere)), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "keep ok e1 looks elsewhere elsewhere moved"},
		{"a page without text that moved away calls for no delete", Facts{Record: plain(document.Moved, looked(document.Moved, document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "nothing"},
	}...))
}

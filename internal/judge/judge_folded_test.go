package judge

import (
	"testing"

	"sitesync/internal/document"
)

// A page that names another one as its canonical.
func TestJudgeCanonical(t *testing.T) {
	named := func(edits ...sightingEdit) *document.Sighting {
		return saw(document.Read, append(edits, naming(other), why("rel=canonical"))...)
	}
	folded := plain(document.Read, foldedInto(other), hinted("e1"))
	folded.Looks[0].Why = "rel=canonical"
	waiting := plain(document.Read)
	waiting.Looks[0].Why = "rel=canonical"
	check(t, defaults(), []row{
		{"a duplicate is deleted after the page it names", Facts{Record: acked(), Sighting: named(), Content: text(), Target: alike(), Delta: differs("Title")}, "delete duplicate after /q leaving plain e1 folded into /q read for real looks read"},
		{"an unchanged duplicate is deleted after the page it names", Facts{Record: acked(), Sighting: named(same), Target: alike()}, "delete duplicate after /q leaving plain e1 folded into /q read for real looks read"},
		{"a duplicate in doubt is deleted after the page it names", Facts{Record: known(document.PushDoubt), Sighting: named(), Content: text(), Target: alike()}, "delete duplicate after /q (doubt) leaving plain e1 folded into /q read for real looks read"},
		{"a refused duplicate is deleted after the page it names", Facts{Record: known(document.PushRefused, strikes(1)), Sighting: named(), Content: text(), Target: alike()}, "delete duplicate after /q (doubt) leaving plain e1 folded into /q read for real looks read"},
		{"a kept page is folded into its twin", Facts{Record: acked(), Sighting: saw(document.Kept, naming(other), why("equal content")), Target: alike()}, "delete duplicate after /q leaving plain e1 folded into /q read for real looks kept"},
		{"a new duplicate is not sent", Facts{Sighting: named(), Content: text(), Target: alike()}, "keep plain e1 folded into /q read for real looks read"},
		{"a duplicate that was never held is not sent", Facts{Record: known(document.PushRefused, strikes(1), neverHeld), Sighting: named(), Content: text(), Target: alike()}, "keep plain e1 folded into /q read for real looks read"},
		{"a known duplicate calls for nothing", Facts{Record: folded, Sighting: named(), Content: text(), Target: alike()}, "nothing"},
		{"a duplicate folds into another page than before", Facts{Record: plain(document.Read, foldedInto(page+"/old"), hinted("e1")), Sighting: named(), Content: text(), Target: alike()}, "keep plain e1 folded into /q read for real looks read"},
		{"an expired duplicate is a duplicate", Facts{Record: acked(), Sighting: named(), Content: text(), Target: alike(), Expired: "two years"}, "delete duplicate after /q leaving plain e1 folded into /q read for real looks read"},

		{"a canonical with other content is a mistake, the change is sent", Facts{Record: acked(), Sighting: named(), Content: text(), Target: live(), Delta: differs("Title")}, "patch changed Title; warn canonical"},
		{"a new page with a canonical of other content is put", Facts{Sighting: named(), Content: text(), Target: live()}, "put new; warn canonical"},
		{"a page in doubt with a canonical of other content is put", Facts{Record: known(document.PushDoubt), Sighting: named(), Content: text(), Target: live()}, "put in-doubt (doubt); warn canonical"},
		{"an unchanged page with a mistaken canonical is kept", Facts{Record: acked(), Sighting: named(same), Target: live()}, "keep ok e1 folded into /q; warn canonical"},
		{"a canonical that is still a mistake is told again", Facts{Record: acked(foldedInto(other)), Sighting: named(same), Target: live()}, "warn canonical"},
		{"a mistake is told on nights on which the page is not read", Facts{Record: acked(foldedInto(other)), Sighting: saw(document.Kept)}, "warn canonical"},
		{"a mistake that was mended is forgotten", Facts{Record: acked(foldedInto(other)), Sighting: saw(document.Read, same)}, "keep ok e1"},
		{"a foreign canonical is a mistake", Facts{Record: acked(), Sighting: named(), Content: text(), Target: ends(TargetForeign), Delta: differs("Title")}, "patch changed Title; warn canonical"},
		{"a new page with a foreign canonical is put", Facts{Sighting: named(), Content: text(), Target: ends(TargetForeign)}, "put new; warn canonical"},
		{"a broken canonical is a mistake", Facts{Record: acked(), Sighting: named(), Content: text(), Target: ends(TargetDead), Delta: differs("Title")}, "patch changed Title; warn canonical"},
		{"a new page with a broken canonical is put", Facts{Sighting: named(), Content: text(), Target: ends(TargetDead)}, "put new; warn canonical"},
		{"a looping canonical is a mistake", Facts{Record: acked(), Sighting: named(), Content: text(), Target: ends(TargetLoop), Delta: differs("Title")}, "patch changed Title; warn canonical"},
		{"a new page with a looping canonical is put", Facts{Sighting: named(), Content: text(), Target: ends(TargetLoop)}, "put new; warn canonical"},
		{"a page with a mistaken canonical may be unhealthy too", Facts{Record: acked(), Sighting: named(), Content: text(length(1)), Target: live(), Delta: differs("Content")}, "keep ok e1 suspect looks read; warn canonical; warn unhealthy"},

		{"an unread canonical keeps a new page back", Facts{Sighting: named(), Content: text(), Target: ends(TargetUnread)}, "keep plain read for real looks read"},
		{"an unread canonical of a page that was kept back before calls for nothing", Facts{Record: waiting, Sighting: named(), Content: text(), Target: ends(TargetUnread)}, "nothing"},
		{"an unread canonical leaves a parked page parked", Facts{Record: known(document.PushRefused, neverHeld, strikes(3), since("r1")), Sighting: named(), Content: text(), Target: ends(TargetUnread)}, "nothing"},
		{"an unread canonical keeps an unchanged page as it is", Facts{Record: acked(), Sighting: named(same), Target: ends(TargetUnread)}, "nothing"},
		{"an unread canonical keeps a change back", Facts{Record: acked(), Sighting: named(), Content: text(), Target: ends(TargetUnread), Delta: differs("Title")}, "nothing"},
		{"an unread canonical keeps an expired page", Facts{Record: acked(), Sighting: named(), Content: text(), Target: ends(TargetUnread), Delta: differs("Title"), Expired: "two years"}, "nothing"},
		{"a page with an unread canonical was read, so it forgets its misses", Facts{Record: acked(misses(1)), Sighting: named(same), Target: ends(TargetUnread)}, "keep ok e1"},
	})
}

package judge

import (
	"testing"

	"sitesync/internal/document"
)

func TestJudgeNoIndex(t *testing.T) {
	hub := plain(document.NoIndex, hinted("e1"))
	check(t, Policy{Confirm: 3}, []row{
		{"a page with noindex is deleted and stays known", Facts{Record: acked(), Sighting: saw(document.NoIndex)}, "delete noindex leaving plain e1 read for real looks noindex"},
		{"a page with noindex is deleted though the sitemap names it", Facts{Record: acked(), Sighting: saw(document.NoIndex, inSitemap)}, "delete noindex leaving plain e1 read for real listed looks noindex"},
		{"a document in doubt with noindex is deleted", Facts{Record: known(document.PushDoubt), Sighting: saw(document.NoIndex)}, "delete noindex (doubt) leaving plain e1 read for real looks noindex"},
		{"a refused change of a page with noindex is deleted", Facts{Record: known(document.PushRefused, strikes(1)), Sighting: saw(document.NoIndex)}, "delete noindex (doubt) leaving plain e1 read for real looks noindex"},
		{"a document that was never held gets noindex", Facts{Record: known(document.PushRefused, strikes(1), neverHeld), Sighting: saw(document.NoIndex)}, "keep plain e1 read for real looks noindex"},
		{"a new hub gets a record", Facts{Sighting: saw(document.NoIndex)}, "keep plain e1 read for real looks noindex"},
		{"a known hub calls for nothing", Facts{Record: hub, Sighting: saw(document.NoIndex)}, "nothing"},
		{"a known hub with new hints keeps them", Facts{Record: hub, Sighting: saw(document.NoIndex, etag("e2"))}, "keep plain e2 read for real looks noindex"},
		{"a known hub with another directive keeps that", Facts{Record: hub, Sighting: saw(document.NoIndex, why("X-Robots-Tag: none"))}, "keep plain e1 read for real looks noindex"},
		{"a hub that failed and is back no longer fails", Facts{Record: plain(document.Unread, since("r1"), hinted("e1")), Sighting: saw(document.NoIndex)}, "keep plain e1 read for real looks noindex"},
	})
}

func TestJudgeExcluded(t *testing.T) {
	check(t, Policy{Confirm: 3, OutOfScope: true}, []row{
		{"an excluded page is deleted", Facts{Record: acked(), Sighting: saw(document.OutOfScope)}, "delete out-of-scope"},
		{"a disallowed page is deleted", Facts{Record: acked(), Sighting: saw(document.Disallowed)}, "delete robots"},
		{"an excluded document in doubt is deleted", Facts{Record: known(document.PushDoubt), Sighting: saw(document.OutOfScope)}, "delete out-of-scope (doubt)"},
		{"a disallowed document in doubt is deleted", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Disallowed)}, "delete robots (doubt)"},
		{"an excluded document that was refused is deleted", Facts{Record: known(document.PushRefused, strikes(2)), Sighting: saw(document.OutOfScope)}, "delete out-of-scope (doubt)"},
		{"an excluded page that was never held is forgotten", Facts{Record: known(document.PushRefused, strikes(2), neverHeld), Sighting: saw(document.OutOfScope)}, "drop"},
		{"an excluded hub is forgotten", Facts{Record: plain(document.NoIndex), Sighting: saw(document.OutOfScope)}, "drop"},
		{"a disallowed hub is forgotten", Facts{Record: plain(document.NoIndex), Sighting: saw(document.Disallowed)}, "drop"},
		{"an unknown excluded page calls for nothing", Facts{Sighting: saw(document.OutOfScope)}, "nothing"},
		{"an unknown disallowed page calls for nothing", Facts{Sighting: saw(document.Disallowed)}, "nothing"},
		{"a page that is only followed is deleted and stays known", Facts{Record: acked(), Sighting: saw(document.OutOfScope, followed)}, "delete out-of-scope leaving plain e1 read for real looks out-of-scope"},
		{"a new page that is only followed gets a record", Facts{Sighting: saw(document.OutOfScope, followed)}, "keep plain e1 read for real looks out-of-scope"},
		{"a known one calls for nothing", Facts{Record: plain(document.OutOfScope, hinted("e1"), statusOf(200)), Sighting: saw(document.OutOfScope, followed)}, "nothing"},
	})
	check(t, Policy{Confirm: 3}, []row{
		{"an excluded page is kept where the owner says so", Facts{Record: acked(), Sighting: saw(document.OutOfScope)}, "nothing"},
		{"a page that is only followed is kept where the owner says so", Facts{Record: acked(), Sighting: saw(document.OutOfScope, followed)}, "nothing"},
		{"a disallowed page is kept where the owner says so", Facts{Record: acked(), Sighting: saw(document.Disallowed)}, "nothing"},
		{"an excluded page that is kept no longer fails", Facts{Record: acked(since("r1")), Sighting: saw(document.OutOfScope)}, "keep ok e1"},
		{"an excluded document in doubt is kept where the owner says so", Facts{Record: known(document.PushDoubt), Sighting: saw(document.OutOfScope)}, "nothing"},
	})
}

func TestJudgeExpired(t *testing.T) {
	const rule = "dated before 2020/01/01"
	dated := func(r *document.Record) { r.Date = "2019/05/05" }
	read := func(r *document.Record) { r.Rules, r.Hints.ETag = rules, "e1" }
	on2019 := func(c *Content) { c.Date = "2019/05/05" }
	check(t, defaults(), []row{
		{"an expired page that changed is deleted", Facts{Record: acked(dated), Sighting: saw(document.Read), Content: text(on2019), Delta: differs("Title"), Expired: rule}, "delete expired leaving plain e1 dated 2019/05/05 read for real looks read"},
		{"an expired page that is equal is deleted", Facts{Record: acked(dated), Sighting: saw(document.Read, same), Expired: rule}, "delete expired leaving plain e1 dated 2019/05/05 read for real looks read"},
		{"an expired page that is kept is deleted", Facts{Record: acked(dated), Sighting: saw(document.Kept), Expired: rule}, "delete expired leaving plain e1 dated 2019/05/05 read for real looks kept"},
		{"an expired document in doubt is deleted", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Read), Content: text(on2019), Expired: rule}, "delete expired (doubt) leaving plain e1 dated 2019/05/05 read for real looks read"},
		{"an expired document that was refused is deleted", Facts{Record: known(document.PushRefused, strikes(1)), Sighting: saw(document.Read), Content: text(on2019), Expired: rule}, "delete expired (doubt) leaving plain e1 dated 2019/05/05 read for real looks read"},
		{"a new page that has expired is not pushed", Facts{Sighting: saw(document.Read), Content: text(on2019), Expired: rule}, "keep plain e1 dated 2019/05/05 read for real looks read"},
		{"a page that was deleted as expired is not pushed again", Facts{Record: plain(document.Read, dated, read), Sighting: saw(document.Read), Content: text(on2019), Expired: rule}, "nothing"},
		{"a page that was deleted as expired and is kept calls for nothing", Facts{Record: plain(document.Read, dated, read), Sighting: saw(document.Kept), Expired: rule}, "nothing"},
		{"a page that was deleted as expired and has another date keeps that", Facts{Record: plain(document.Read, read), Sighting: saw(document.Read), Content: text(on2019), Expired: rule}, "keep plain e1 dated 2019/05/05 read for real looks read"},
		{"a page whose rule was lifted is put", Facts{Record: plain(document.Read, dated), Sighting: saw(document.Read), Content: text()}, "put new"},
		{"an expired page that is missing is missing", Facts{Record: acked(dated), Sighting: saw(document.Missing), Expired: rule}, "delete missing"},
	})
}

func TestJudgeOrphan(t *testing.T) {
	rows := []row{
		{"a page in a run that did not read all of the host", Facts{Record: acked(), Sighting: saw(document.Read, same)}, "nothing"},
		{"a page that is linked", Facts{Record: acked(), Sighting: saw(document.Read, same), HostFull: true, Linked: true}, "nothing"},
		{"a page that the sitemap names", Facts{Record: acked(listed), Sighting: saw(document.Read, same, inSitemap), HostFull: true}, "nothing"},
		{"a page that is only kept", Facts{Record: acked(), Sighting: saw(document.Kept), HostFull: true}, "nothing"},
		{"a linked page that changed", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(), Delta: differs("Title"), HostFull: true, Linked: true}, "patch changed Title"},
	}
	check(t, defaults(), append(rows, []row{
		{"an orphan is kept where nobody asked for its delete", Facts{Record: acked(), Sighting: saw(document.Read, same), HostFull: true}, "nothing"},
	}...))
	orphans := defaults()
	orphans.Orphans = true
	check(t, orphans, append(rows, []row{
		{"an orphan is deleted", Facts{Record: acked(), Sighting: saw(document.Read, same), HostFull: true}, "delete orphan"},
		{"an orphan that changed is deleted", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(), Delta: differs("Title"), HostFull: true}, "delete orphan"},
		{"an orphan that left the sitemap is deleted", Facts{Record: acked(listed), Sighting: saw(document.Read, same), HostFull: true}, "delete orphan"},
		{"an orphan in doubt is deleted", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Read), Content: text(), HostFull: true}, "delete orphan (doubt)"},
		{"a hub is no orphan", Facts{Record: plain(document.NoIndex), Sighting: saw(document.NoIndex, noHints), HostFull: true}, "nothing"},
	}...))
}

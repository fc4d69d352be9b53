package judge

import (
	"testing"

	"sitesync/internal/document"
)

func TestJudgeUnhealthy(t *testing.T) {
	shrunk := func(n int) Facts {
		return Facts{Record: acked(), Sighting: saw(document.Read), Content: text(length(n)), Delta: differs("Content")}
	}
	check(t, defaults(), []row{
		{"an empty shell is not sent over known text", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(warned("empty-shell")), Delta: differs("Content")}, "keep ok e1 suspect looks read; warn empty-shell; warn unhealthy"},
		{"the same empty shell is sent the second time", Facts{Record: acked(suspectAs("shell", 1000)), Sighting: saw(document.Read), Content: text(warned("empty-shell")), Delta: differs("Content")}, "patch changed Content; warn empty-shell"},
		{"a page that lost a field is kept once", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(), Delta: lost("Category")}, "keep ok e1 suspect looks read; warn unhealthy"},
		{"a page that lost a field and changed is kept once", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(), Delta: document.Delta{Changed: []string{"Title"}, Lost: []string{"Category"}}}, "keep ok e1 suspect looks read; warn unhealthy"},
		{"a page that lost its text twice is put without it", Facts{Record: acked(suspectAs("lost Content", 1000)), Sighting: saw(document.Read), Content: text(), Delta: lost("Content")}, "put changed Content"},
		{"a page under a fifth of its length is kept once", shrunk(199), "keep ok e1 suspect looks read; warn unhealthy"},
		{"a page without any text left is kept once", shrunk(0), "keep ok e1 suspect looks read; warn unhealthy"},
		{"a page of a fifth of its length is patched", shrunk(200), "patch changed Content"},
		{"a page that was short already is patched", Facts{Record: acked(func(r *document.Record) { r.Length = 0 }), Sighting: saw(document.Read), Content: text(length(0)), Delta: differs("Title")}, "patch changed Title"},
		{"a shrunk page read the same again is sent", Facts{Record: acked(suspectAs("short", 10)), Sighting: saw(document.Read), Content: text(length(10)), Delta: differs("Content")}, "patch changed Content"},
		{"a shrunk page whose length differs by a fifth is sent", Facts{Record: acked(suspectAs("short", 8)), Sighting: saw(document.Read), Content: text(length(10)), Delta: differs("Content")}, "patch changed Content"},
		{"a shrunk page whose length differs by more is kept once more", Facts{Record: acked(suspectAs("short", 7)), Sighting: saw(document.Read), Content: text(length(10)), Delta: differs("Content")}, "keep ok e1 suspect looks read; warn unhealthy"},
		{"a page at the address of a file is kept once", Facts{Record: acked(ofFile), Sighting: saw(document.Read), Content: text(), Delta: differs("Content")}, "keep ok e1 suspect looks read; warn unhealthy"},
		{"a page at the address of a file is sent the second time", Facts{Record: acked(ofFile, suspectAs("page", 1000)), Sighting: saw(document.Read), Content: text(), Delta: differs("Content")}, "patch changed Content"},
		{"a page that shows what the index held before is well", Facts{Record: acked(heldBefore), Sighting: saw(document.Read), Content: text(length(1)), Delta: lost("Category")}, "put changed Category"},
		{"a notice that asks not to be indexed waits a night", Facts{Record: acked(), Sighting: saw(document.NoIndex, collapsed)}, "keep ok e1 suspect looks noindex; warn unhealthy"},
		{"the same notice in the next night is believed", Facts{Record: acked(suspectAs("noindex", 0)), Sighting: saw(document.NoIndex, collapsed)}, "delete noindex leaving plain e1 read for real looks noindex"},
		{"a page unhealthy in another way is kept once more", Facts{Record: acked(suspectElse), Sighting: saw(document.Read), Content: text(length(10)), Delta: differs("Content")}, "keep ok e1 suspect looks read; warn unhealthy"},
		{"a page that is well again is patched", Facts{Record: acked(suspectElse), Sighting: saw(document.Read), Content: text(), Delta: differs("Content")}, "patch changed Content"},
		{"an unhealthy page teaches no hints", Facts{Record: acked(), Sighting: saw(document.Read, etag("e2")), Content: text(length(10)), Delta: differs("Content")}, "keep ok e1 suspect looks read; warn unhealthy"},
		{"an unhealthy page was read, so it forgets its misses", Facts{Record: acked(misses(1)), Sighting: saw(document.Read), Content: text(length(10)), Delta: differs("Content")}, "keep ok e1 suspect looks read; warn unhealthy"},
		{"an unhealthy page was read, so it no longer fails", Facts{Record: acked(since("r1")), Sighting: saw(document.Read), Content: text(length(10)), Delta: differs("Content")}, "keep ok e1 suspect looks read; warn unhealthy"},
		{"an unhealthy page keeps its latest five looks", Facts{Record: acked(looked(document.Missing, document.Unread, document.Unread, document.Unread, document.Unread)), Sighting: saw(document.Read), Content: text(length(10)), Delta: differs("Content")}, "keep ok e1 suspect looks unread unread unread unread read; warn unhealthy"},
		{"a new empty shell has no text to keep", Facts{Sighting: saw(document.Read), Content: text(warned("empty-shell"))}, "put new; warn empty-shell"},
		{"a document in doubt that shrank is put", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Read), Content: text(length(10)), Delta: differs("Content")}, "put in-doubt (doubt)"},
		{"an empty shell is not sent over known text when the rules changed", Facts{Record: acked(), Sighting: saw(document.Read, newRules), Content: text(otherRules, warned("empty-shell")), Delta: differs("Content")}, "keep ok e1 suspect looks read; warn empty-shell; warn unhealthy"},
		{"a page that lost a field is kept once when the rules changed", Facts{Record: acked(), Sighting: saw(document.Read, newRules), Content: text(otherRules), Delta: lost("Category")}, "keep ok e1 suspect looks read; warn unhealthy"},
	})
}

func ofFile(r *document.Record)      { r.Type = document.FileContent }
func collapsed(s *document.Sighting) { s.Collapsed = true }
func heldBefore(r *document.Record) {
	r.Recent = []uint64{1, document.SumFields(document.PageContent, text().Fields).Short()}
}

// The text of a file, once known, outlives every version of it that has none.
func TestFileTextOnceKnownIsKept(t *testing.T) {
	for _, r := range []row{
		{"read without text once", Facts{Record: acked()}, ""},
		{"read without text again", Facts{Record: acked(suspect)}, ""},
	} {
		r.facts.URL, r.facts.Sighting, r.facts.Delta = page, saw(document.Read), lost("Content")
		r.facts.Content = text(warned("file-without-text"))
		r.facts.Content.Why = "it asks for a password"
		v := Judge(r.facts, tonight(defaults()))
		if v.Change != nil || len(v.Warnings) != 1 || v.Warnings[0].Text != "it asks for a password; the index keeps what it has of the file, until it has text again" {
			t.Errorf("%s: %s, %+v", r.name, sketch(v), v.Warnings)
		}
	}
}

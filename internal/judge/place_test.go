package judge

import (
	"testing"

	"sitesync/internal/document"
)

// TestSample: where most documents that were asked for went astray the place is ill, however
// many there are; two say nothing.
func TestSample(t *testing.T) {
	for _, c := range []struct {
		name                             string
		documents, passed, well, strange int
		ill                              bool
	}{
		{"two of two", 1000, 0, 0, 2, false},
		{"three of three", 1000, 0, 0, 3, true},
		{"three of six", 1000, 0, 3, 3, false},
		{"three of five", 1000, 0, 2, 3, true},
		{"three of five that were read, and one was not modified", 1000, 1, 2, 3, false},
		{"a folder of 19", 19, 0, 0, 3, false},
	} {
		p := Place{Name: "https://a.test/news/", Documents: c.documents}
		p.Sample, p.Passed = c.passed, c.passed
		for range c.well {
			p.Count(NotAstray, true)
		}
		for range c.strange {
			p.Count(AstrayStranger, true)
		}
		if p.Ill() != c.ill {
			t.Errorf("%s: ill %v", c.name, p.Ill())
		}
	}
}

// TestAstray: what a known document shows that says its place is ill.
func TestAstray(t *testing.T) {
	const was, like, strange, unlike = document.Print(0xffffffff), document.Print(0xffff0000), document.Print(0xffff00000), document.Print(1)
	changed := func(now document.Print, own bool, edits ...func(*Facts)) Facts {
		f := Facts{Record: acked(func(r *document.Record) { r.Print = was }), Sighting: saw(document.Read), Content: text(func(c *Content) { c.Print = now }), Delta: differs("Content")}
		f.Sighting.Own = own
		for _, edit := range edits {
			edit(&f)
		}
		return f
	}
	seen := func(seen document.Seen, edits ...sightingEdit) Facts {
		return Facts{Record: acked(), Sighting: saw(seen, edits...)}
	}
	wall := func(s *document.Sighting) { s.Interstitial = document.LoginWall }
	for _, c := range []struct {
		name  string
		facts Facts
		want  Astray
	}{
		{"unchanged", Facts{Record: acked(), Sighting: saw(document.Kept)}, NotAstray},
		{"410", seen(document.Gone), AstrayGone},
		{"404", seen(document.Missing), AstrayMissing},
		{"unread", seen(document.Unread), NotAstray},
		{"a login", seen(document.Unread, wall), AstrayGuarded},
		{"a redirect to a login", seen(document.Elsewhere, wall), AstrayGuarded},
		{"a redirect for now", seen(document.Elsewhere), AstrayAway},
		{"noindex", seen(document.NoIndex), AstrayNoIndex},
		{"out of scope", seen(document.OutOfScope), AstrayExcluded},
		{"robots.txt", seen(document.Disallowed), AstrayExcluded},
		{"half of the text is the old one", changed(like, true), NotAstray},
		{"another text", changed(unlike, true), AstrayStranger},
		{"no words any more", changed(0, true), AstrayStranger},
		{"another text by a new extractor", changed(strange, false), NotAstray},
		{"another text by the owner's rules", changed(strange, false, func(f *Facts) { f.Ruled = true }), AstrayStranger},
		{"a text that no extractor makes", changed(unlike, false), AstrayStranger},
		{"another text where the old one is not known", changed(unlike, true, func(f *Facts) { f.Record.Print = 0 }), NotAstray},
		{"another text where others had the same", changed(unlike, true, func(f *Facts) { f.Shared = true }), NotAstray},
		{"another text of a page that changes wholly by nature", changed(unlike, true, func(f *Facts) { f.Volatile = true }), NotAstray},
		{"another text where the old one was short", changed(unlike, true, func(f *Facts) { f.Record.Length = shortText - 1 }), NotAstray},
		{"a text that the index held before", changed(unlike, true, func(f *Facts) { heldBefore(f.Record) }), NotAstray},
		{"a shell", changed(like, true, func(f *Facts) { f.Content.Warn = []string{"empty-shell"} }), AstrayEmpty},
	} {
		v := Judge(c.facts, tonight(defaults()))
		if got := AstrayOf(&c.facts, &v); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

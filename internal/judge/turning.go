package judge

import "sitesync/internal/document"

// massPages is how many changed pages that turn to one thing may be a coincidence,
// plus one.
const massPages = 5

// What a changed page may turn to, before the text's hash or the address.
const (
	toText = "text:"
	toPage = "to:"
)

// Turning is what changed pages turn to together.
type Turning struct {
	To    string // as Turned returns it
	Pages int
	First string // of the pages, in the order of URLs
}

// Mass reports whether that is no coincidence: a fifth of all changed pages turn to
// it, and five at least.
func (t Turning) Mass(changed int) bool { return t.Pages >= massPages && 5*t.Pages >= changed }

// Turned returns whether the due change of a known document is that of a changed page,
// one that says something else than the index or that redirects for good, and what it
// turns to: "text:" and the hash of its text, or "to:" and the address of the page it
// redirects to. A page that moves turns to nothing that other pages turn to. One that
// is folded into another has changed when its text has: a notice that stands in place
// of all pages may name one of them as canonical.
func Turned(f *Facts, c *document.Change) (changed bool, to string) {
	if c.State != document.Planned || !f.Record.IsDocument() {
		return false, ""
	}
	fresh := f.Content != nil && f.Content.Sum != f.Record.Content
	switch {
	case c.Cause == document.CauseRedirected:
		return true, toPage + f.Target.URL
	case c.Cause == document.CauseMoved:
		return true, ""
	case c.Cause == document.CauseDuplicate && fresh, c.Op != document.Delete && !f.Delta.Same():
		if fresh && !f.Content.Sum.IsZero() {
			to = toText + f.Content.Sum.String()[:16]
		}
		return true, to
	}
	return false, ""
}

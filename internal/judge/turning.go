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
// redirects to. A page that moves turns to the text it has there: each page may be sent
// to a notice of its own. One that is folded into another has changed when its text has,
// and turns to that page as well: a notice that stands in place of all pages may name
// one of them as canonical, and tell each visitor another number.
func Turned(f *Facts, c *document.Change) (changed bool, to []string) {
	if c.State != document.Planned || !f.Record.IsDocument() {
		return false, nil
	}
	var sum document.Hash
	if f.Content != nil {
		sum = f.Content.Sum
	}
	fresh := f.Content != nil && sum != f.Record.Content
	switch {
	case c.Cause == document.CauseRedirected:
		return true, []string{toPage + f.Target.URL}
	case c.Cause == document.CauseMoved:
		return true, turnedText(f.Record, f.Target.Sum)
	case c.Cause == document.CauseDuplicate && fresh:
		return true, append(turnedText(f.Record, sum), toPage+f.Target.URL)
	case c.Op != document.Delete && !f.Delta.Same():
		return true, turnedText(f.Record, sum)
	}
	return false, nil
}

// turnedText returns what a page turns to whose text is another one now.
func turnedText(rec *document.Record, sum document.Hash) []string {
	if sum.IsZero() || sum == rec.Content {
		return nil
	}
	return []string{toText + sum.String()[:16]}
}

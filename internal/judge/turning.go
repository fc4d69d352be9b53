package judge

import "sitesync/internal/document"

const (
	massPages  = 5
	massAnyway = 20
)

// Turn is what a changed page now shows: the URL that it leads to, or else a similarity hash of its text.
type Turn struct {
	Page string         `json:"page,omitempty"`
	Text document.Print `json:"text,omitempty"`
}

// Turning is one text or address that several changed pages now show.
type Turning struct {
	To        Turn
	Pages     int
	First     string // URL of the first of the pages, in the order of URLs
	Documents int    // number of documents of the host of First
}

// Mass reports whether the pages are too many for a coincidence. That is at least 5 pages that are a fifth of
// all changed pages, or 20 pages that are 1 % of their host's documents.
func (t Turning) Mass(changed int) bool {
	return t.Pages >= massPages && 5*t.Pages >= changed || t.Pages >= massAnyway && 100*t.Pages >= t.Documents
}

// Takes reports whether another page's Turn has the same address, or nearly the same text.
func (t Turning) Takes(to Turn) bool { return t.To == to || t.To.Text.Near(to.Text) }

// Turned reports whether a page has changed, and returns what it now shows. c is its due change. c is nil if
// no change is due, but even then the page may show another text.
//
// An indexed page has changed if its text differs, or if it redirects permanently. Its Turn is its text, or
// both the address and the text of the page it redirects to. For a page with a new text that gives way to
// its canonical, Turned returns two turns: the canonical and the text. For example, a notice in place of all
// pages may name one of them as canonical, and show a different number to each visitor. A new page's Turn is
// its text.
func Turned(f *Facts, c *document.Change) (changed bool, to []Turn) {
	if c == nil {
		seen := f.Sighting.Seen
		redirects := (seen == document.Moved || seen == document.Elsewhere) && f.Target.State == TargetLive
		switch {
		case f.Stranger():
			return true, turnedText(f.shown())
		case redirects && f.Record.IsDocument():
			return true, f.redirectsTo()
		}
		return false, nil
	}
	if c.State != document.Planned || f.Returns() {
		return false, nil
	}
	body, fresh := document.Print(0), false
	if f.Content != nil {
		body = f.Content.Print
		fresh = f.Record == nil || f.Content.Sum != f.Record.Content
	}
	switch {
	case !f.Record.IsDocument(), len(f.Record.Fields) == 0: // no text of the page was acknowledged before
		return false, turnedText(body)
	case !fresh:
		body = 0
	}
	switch {
	case c.Cause == document.CauseRedirected:
		return true, f.redirectsTo()
	case c.Cause == document.CauseMoved:
		return true, []Turn{{Page: f.Target.URL}}
	case c.Cause == document.CauseDuplicate && fresh:
		return true, append([]Turn{{Page: f.Target.URL}}, turnedText(body)...)
	case c.Op != document.Delete && !f.Delta.Same():
		return true, turnedText(body)
	}
	return false, nil
}

// redirectsTo returns the address that a page redirects to. The target's text is added if no other document
// redirects to that address, because many pages may redirect to error pages at different addresses.
func (f *Facts) redirectsTo() []Turn {
	to := []Turn{{Page: f.Target.URL}}
	if f.Target.Folds > 1 {
		return to
	}
	return append(to, turnedText(f.Target.Print)...)
}

func turnedText(body document.Print) []Turn {
	if body == 0 {
		return nil
	}
	return []Turn{{Text: body}}
}

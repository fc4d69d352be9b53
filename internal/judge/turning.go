package judge

import "sitesync/internal/document"

// When changed pages that turn to one thing are no coincidence.
const (
	massPages  = 5  // a fifth of all changed pages, and so many at least
	massAnyway = 20 // or so many, and 1 % of their host's documents
)

// Turn is what a changed page turns to: the address of a page that it redirects to or is folded
// into, or else a text.
type Turn struct {
	Page string         `json:"page,omitempty"`
	Text document.Print `json:"text,omitempty"`
}

// Turning is what changed pages turn to together.
type Turning struct {
	To        Turn
	Pages     int
	First     string // of the pages, in the order of URLs
	Documents int    // of the host of that page
}

// Mass reports whether that is no coincidence: a fifth of all changed pages turn to
// it, five at least; or 20 pages and 1 % of their host's documents.
func (t Turning) Mass(changed int) bool {
	return t.Pages >= massPages && 5*t.Pages >= changed || t.Pages >= massAnyway && 100*t.Pages >= t.Documents
}

// Takes reports whether what a page turns to is that of the mass, or its text give or take a
// few words.
func (t Turning) Takes(to Turn) bool { return t.To == to || t.To.Text.Near(to.Text) }

// Turned reports whether a page has changed, and returns what it turns to. c is its due change, nil
// if there is none: the page may show another text although nothing is due yet.
//
// A page of the index has changed if its text has, or if it redirects for good. It turns to its text,
// or to the page that it redirects to and to the text of that page. A folded page with a new text
// turns to its text and to the page that it is folded into: a notice in place of all pages may name
// one of them as canonical, and show a number to each visitor. A new page has not changed, and turns
// to its text.
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
	case !f.Record.IsDocument(), len(f.Record.Fields) == 0: // new, adopted, or its first call broke off
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

// redirectsTo returns what a page turns to that leads to another one: that page's text as well
// where no other document leads there, as to an error page that repeats the address.
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

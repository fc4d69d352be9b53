package judge

import "sitesync/internal/document"

const (
	massPages  = 5
	massAnyway = 20
)

// Turn is what replaced the indexed text of a page: the URL to which the page redirects or which it names as
// canonical, or else a similarity hash of its new text.
type Turn struct {
	Page string         `json:"page,omitempty"`
	Text document.Print `json:"text,omitempty"`
}

// Turning is one text that several changed pages now show, or one URL that they lead to.
type Turning struct {
	To        Turn
	Pages     int
	First     string // URL of the first of the pages, in the order of URLs
	Documents int    // number of documents of the host of First
}

// Mass reports whether the pages are too many for a coincidence. Five or more are, if they are a fifth of
// all changed pages. Twenty or more are, if they are 1 % of their host's documents.
func (t Turning) Mass(changed int) bool {
	return t.Pages >= massPages && 5*t.Pages >= changed || t.Pages >= massAnyway && 100*t.Pages >= t.Documents
}

// Takes reports whether another page's Turn has the same address, or nearly the same text.
func (t Turning) Takes(to Turn) bool { return t.To == to || t.To.Text.Near(to.Text) }

// Turned reports whether an indexed page has changed. The result turns holds the text that the page now
// shows, or the URL that it leads to. c is the due change, or nil. A new page gives false and its text.
//
// If a page with a new text is replaced by its canonical, turns holds the canonical URL and the text. A
// notice in place of many pages, for example, may name one canonical URL and yet differ in each text.
func Turned(f *Facts, c *document.Change) (changed bool, turns []Turn) {
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
	case !f.Record.IsDocument(), len(f.Record.Fields) == 0:
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

// redirectsTo returns the address that a page redirects to. If no other document redirects there, the
// target's text is added. The text reveals many pages that redirect to one error text at different addresses.
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

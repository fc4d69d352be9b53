package signs

import (
	"path"
	"strings"

	"golang.org/x/net/html"

	"sitesync/internal/weburl"
)

// Absence is how a host answers for pages that do not exist: with a page, or with a redirect to a place.
// The zero value matches nothing.
type Absence struct {
	Page  *NotFound // nil: none
	place string    // origin and path
}

// SetPlace sets the address that the host redirects to. The query is ignored, since it may repeat the
// requested address.
func (a *Absence) SetPlace(url string) { a.place = placeOf(url) }

// Match returns a.Page if the page at url looks like it; otherwise nil. a may be nil.
func (a *Absence) Match(url string, root *html.Node) *NotFound {
	if a == nil || !a.Page.Matches(url, root) {
		return nil
	}
	return a.Page
}

// Leads reports whether a redirect leads to the place for missing pages. A redirect to another form of the
// same address does not count.
func (a *Absence) Leads(from, to string) bool {
	return a.place != "" && a.place == placeOf(to) && bareForm(from) != bareForm(to)
}

func placeOf(url string) string { return weburl.Origin(url) + weburl.Path(url) }

// bareForm returns a path in lower case, without its last slash and the name of an index
// page.
func bareForm(url string) string {
	form := strings.ToLower(weburl.Path(url))
	if name, _, _ := strings.Cut(path.Base(form), "."); name == "index" || name == "default" {
		form = path.Dir(form)
	}
	return strings.TrimRight(form, "/")
}

package signs

import (
	"path"
	"strings"

	"golang.org/x/net/html"

	"sitesync/internal/weburl"
)

// Absence is what a host shows for pages that do not exist: a page, or a place that it
// redirects to. The zero value shows nothing.
type Absence struct {
	Page  *NotFound // nil: none
	place string    // origin and path
}

// SetPlace sets the address that the host redirects to. Its query, which may echo the
// address that was asked for, does not count.
func (a *Absence) SetPlace(url string) { a.place = placeOf(url) }

// Match returns the page that the page at url looks like; nil for one of its own. It may be
// asked of no Absence at all.
func (a *Absence) Match(url string, root *html.Node) *NotFound {
	if a == nil || !a.Page.Matches(url, root) {
		return nil
	}
	return a.Page
}

// Leads reports whether a redirect leads to where the host sends what does not exist, and
// not only to another form of the same address.
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

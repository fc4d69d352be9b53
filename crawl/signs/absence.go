package signs

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"sitesync/internal/weburl"
)

// Absence is what a host shows for pages that do not exist: pages, and places that it
// redirects to. The zero value shows nothing.
type Absence struct {
	pages  []*NotFound
	places []string // origin and path
}

// AddPage adds what is shown at an address; nil adds nothing. What was answered with 200
// comes first, for it says more of a page that is answered with 200.
func (a *Absence) AddPage(p *NotFound) {
	switch {
	case p == nil:
	case p.Refused:
		a.pages = append(a.pages, p)
	default:
		a.pages = slices.Insert(a.pages, 0, p)
	}
}

// AddPlace adds an address that the host redirects to. Its query, which may echo the
// address that was asked for, does not count.
func (a *Absence) AddPlace(url string) {
	if place := placeOf(url); !slices.Contains(a.places, place) {
		a.places = append(a.places, place)
	}
}

// Match returns what the page at url looks like, of all that the host shows for pages that
// do not exist; nil for a page of its own. It may be asked of no Absence at all.
func (a *Absence) Match(url string, root *html.Node) *NotFound {
	if a == nil {
		return nil
	}
	for _, p := range a.pages {
		if p.Matches(url, root) {
			return p
		}
	}
	return nil
}

// Leads reports whether a redirect leads to where the host sends what does not exist, and
// not only to another form of the same address.
func (a *Absence) Leads(from, to string) bool {
	return slices.Contains(a.places, placeOf(to)) && bareForm(from) != bareForm(to)
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

const (
	mostFolders = 1000 // that are counted
	fewInFolder = 20   // URLs from which a folder is large
	mostLarge   = 3
)

// Folders counts the URLs of a host by the first folder of their path: what is shown for
// pages that do not exist may differ from one to the other.
type Folders map[string]int

// Count counts a URL; the first folders that come are counted.
func (f Folders) Count(url string) {
	if folder := weburl.Path(weburl.FirstFolder(url)); folder != "" && (f[folder] > 0 || len(f) < mostFolders) {
		f[folder]++
	}
}

// Large returns the paths of the largest folders, which show best what they have in common.
func (f Folders) Large() []string {
	large := slices.DeleteFunc(slices.Collect(maps.Keys(f)), func(folder string) bool { return f[folder] < fewInFolder })
	slices.SortFunc(large, func(a, b string) int { return cmp.Or(f[b]-f[a], strings.Compare(a, b)) })
	return large[:min(len(large), mostLarge)]
}

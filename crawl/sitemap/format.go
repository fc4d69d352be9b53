package sitemap

import (
	"bytes"
	"fmt"
)

// format says where an XML format keeps what we look for.
type format struct {
	kind  Kind
	depth int      // of an item; the root's is 0
	item  string   // element of one entry
	loc   string   // element that holds its address; Atom's link has it in href
	dates []string // elements that hold its date
}

// formatOf returns the format with the root element root; its kind is
// empty when it is none.
func formatOf(root string) format {
	switch root {
	case "urlset":
		return format{kindURLSet, 1, "url", "loc", []string{"lastmod"}}
	case "sitemapindex":
		return format{kindIndex, 1, "sitemap", "loc", []string{"lastmod"}}
	case "rss":
		return format{kindRSS, 2, "item", "link", []string{"pubDate", "date"}}
	case "RDF":
		return format{kindRSS, 1, "item", "link", []string{"date"}}
	case "feed":
		return format{kindAtom, 1, "entry", "", []string{"updated"}}
	}
	return format{}
}

// errNoSitemap returns the error for a document whose root element is root.
func errNoSitemap(root []byte) error {
	if bytes.EqualFold(root, []byte("html")) {
		return errHTML
	}
	return fmt.Errorf("it begins with <%.40s>, which no kind of sitemap does", root)
}

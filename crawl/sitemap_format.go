package crawl

import (
	"bytes"
	"fmt"
)

// sitemapFormat says where an XML format keeps what we look for.
type sitemapFormat struct {
	kind  SitemapKind
	depth int      // of an item; the root's is 0
	item  string   // element of one entry
	loc   string   // element that holds its address; Atom's link has it in href
	dates []string // elements that hold its date
}

// sitemapFormatOf returns the format with the root element root; its kind is
// empty when it is none.
func sitemapFormatOf(root string) sitemapFormat {
	switch root {
	case "urlset":
		return sitemapFormat{SitemapURLSet, 1, "url", "loc", []string{"lastmod"}}
	case "sitemapindex":
		return sitemapFormat{SitemapIndex, 1, "sitemap", "loc", []string{"lastmod"}}
	case "rss":
		return sitemapFormat{SitemapRSS, 2, "item", "link", []string{"pubDate", "date"}}
	case "RDF":
		return sitemapFormat{SitemapRSS, 1, "item", "link", []string{"date"}}
	case "feed":
		return sitemapFormat{SitemapAtom, 1, "entry", "", []string{"updated"}}
	}
	return sitemapFormat{}
}

// errNoSitemap returns the error for a document whose root element is root.
func errNoSitemap(root []byte) error {
	if bytes.EqualFold(root, []byte("html")) {
		return errSitemapHTML
	}
	return fmt.Errorf("it begins with <%s>, which no kind of sitemap does", clip(string(root), 40))
}

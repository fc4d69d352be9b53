package testsite

import (
	"fmt"
	"strings"

	"github.com/klauspost/compress/flate"
)

// stock is what many pages share, compressed once: the template, and prose of
// which each page has its own choice.
type stock struct {
	top, bottom piece
	prose       []piece
	perPage     int // pieces of prose on a page
	names       names
}

// names are those of a page's type: for Open Graph, for schema.org, and of the element
// around its text.
type names struct{ openGraph, schema, element string }

const (
	proseKinds   = 256
	prosePerPage = 2
)

func newStock(o HugeOptions) stock {
	w := newPacker(flate.DefaultCompression)
	kind := names{"article", "Article", "article"}
	if o.NoArticles {
		kind = names{"website", "WebPage", "div"}
	}
	if o.Lean {
		return stock{
			names:  kind,
			top:    pack(w, []byte("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")),
			bottom: pack(w, []byte("</"+kind.element+"></main>\n</body>\n</html>\n")),
		}
	}
	s := stock{top: pack(w, templateTop()), bottom: pack(w, templateBottom(o.Pages, kind.element)), perPage: prosePerPage, names: kind}
	for i := range proseKinds {
		s.prose = append(s.prose, pack(w, proseText(i)))
	}
	return s
}

// templateTop is the beginning of the head: styles and scripts.
func templateTop() []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>\n")
	for i, name := range vocabulary[:24] {
		fmt.Fprintf(&b, ".%s-card{display:flex;margin:0 0 %drem;padding:.5rem %dpx;border:1px solid #%06x}\n", name, i%4, 4+i, i*70001)
	}
	b.WriteString("</style>\n<script>\nwindow.dataLayer=window.dataLayer||[];\n")
	for i, name := range vocabulary[24:40] {
		fmt.Fprintf(&b, "dataLayer.push({event:\"%s\",slot:%d,consent:document.cookie.indexOf(\"%s=1\")>=0});\n", name, i, name)
	}
	b.WriteString("</script>\n")
	return []byte(b.String())
}

// templateBottom is what follows the text in an element: the navigation and the footer.
func templateBottom(pages int, element string) []byte {
	var b strings.Builder
	b.WriteString("</" + element + "></main>\n<header class=\"site-header\"><div class=\"site-brand\">" +
		"<img src=\"/assets/crest.svg\" alt=\"Crest\" width=\"48\" height=\"48\"></div>\n" +
		"<nav class=\"site-nav\" aria-label=\"Main\"><ul class=\"site-nav__list\">\n")
	for i := range navLinks {
		n := (i + 1) % pages
		names := newDraw(n, 0)
		fmt.Fprintf(&b, "<li class=\"site-nav__item\"><a class=\"site-nav__link\" href=\"%s\">%s</a></li>\n", HugePath(n), names.phrase(nil, 2))
	}
	b.WriteString("</ul></nav></header>\n<footer class=\"site-footer\"><div class=\"site-footer__column\"><h2>Contact</h2>" +
		"<p>Town Hall, 1 Harbour Square. Telephone lines are open on weekdays from nine to four.</p>" +
		"<form action=\"/search\" role=\"search\"><input type=\"search\" name=\"q\" aria-label=\"Search\"><button>Search</button></form></div></footer>\n" +
		"<script>document.querySelectorAll(\".site-nav__item\").forEach(function(e){e.addEventListener(\"focusin\",function(){e.classList.add(\"open\")})});</script>\n" +
		"</body>\n</html>\n")
	return []byte(b.String())
}

// proseText is about 6.5 KB: sections with a heading, paragraphs, and a list or
// a table.
func proseText(i int) []byte {
	draw := newDraw(-1-i, 0)
	var b []byte
	for range 3 {
		b = append(draw.phrase(append(b, "<section class=\"entry-section\">\n<h2 class=\"entry-section__title\">"...), 4), "</h2>\n"...)
		for range 5 {
			b = append(draw.prose(append(b, "<p>"...), 3+draw.below(3)), "</p>\n"...)
		}
		open, item, end, done := "<ul class=\"entry-list\">\n", "<li>", "</li>\n", "</ul>\n"
		if draw.below(3) == 0 {
			open, item, end, done = "<table class=\"entry-table\"><tbody>\n", "<tr><th scope=\"row\">Fee</th><td>", "</td></tr>\n", "</tbody></table>\n"
		}
		b = append(b, open...)
		for range 4 {
			b = append(draw.phrase(append(b, item...), 6), end...)
		}
		b = append(b, done+"</section>\n"...)
	}
	return b
}

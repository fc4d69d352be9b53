package cli_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"sitesync/internal/testsite"
)

// html returns the page in today's template, with the given paragraphs.
func (t *nightTown) html(p *nightPage, head string, blocks []string) string {
	_, code := p.tongue()
	return t.layout(code, p.title(), t.head(p)+head, t.main(p, blocks), p)
}

// head is what stands in the page's head.
func (t *nightTown) head(p *nightPage) string {
	var b strings.Builder
	if p.kind == kindNews {
		fmt.Fprintf(&b, `<meta property="article:published_time" content="%d-03-%02dT08:00:00Z">`, 2020+p.n%6, 1+p.n%28)
	}
	if p.partner != "" && !t.pages[p.partner].gone {
		_, code := p.tongue()
		other := map[string]string{"en": "da", "da": "en"}[code]
		fmt.Fprintf(&b, `<link rel="alternate" hreflang=%q href=%q><link rel="alternate" hreflang=%q href=%q>`, code, p.path, other, p.partner)
	}
	if t.described {
		fmt.Fprintf(&b, `<meta name="description" content="What the town knows of %s, told by those who were there.">`, p.title())
	}
	return b.String()
}

// main is the main part of a page.
func (t *nightTown) main(p *nightPage, blocks []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1>\n<img src=\"/img/%d-%d.jpg\" alt=\"\">\n", p.title(), p.n, t.images)
	for i, block := range blocks {
		if i == 2 {
			fmt.Fprintf(&b, "<h2>More of %s</h2>\n", properName(p.n))
		}
		fmt.Fprintf(&b, "<p>%s</p>\n", block)
	}
	b.WriteString("<ul>\n")
	for _, other := range t.linked(p) {
		fmt.Fprintf(&b, "<li><a href=%q>%s</a></li>\n", other.path, other.title())
	}
	b.WriteString("</ul>\n")
	return b.String()
}

// linked are the pages that a page leads to.
func (t *nightTown) linked(p *nightPage) []*nightPage {
	lists := t.pages["/item"] != nil
	return slices.DeleteFunc(t.alive(), func(other *nightPage) bool {
		if other.unlinked || other == p {
			return true
		}
		switch {
		case p.kind == kindFront:
			return lists && other.kind != kindList
		case p.kind != kindList:
			return true
		}
		return other.kind != p.of && !(other.file() && p.of == kindInfo)
	})
}

// layout is today's template.
func (t *nightTown) layout(code, title, head, main string, p *nightPage) string {
	closed, footer := "", t.footer
	if footer == "today" {
		footer = fmt.Sprintf("Today is %s. You are visitor number %d.", nightDay(t.day).Format("Monday, 2 January 2006"), 31337+97*t.day)
		if p != nil {
			footer += fmt.Sprintf(" This page was shown %d times.", 100+t.day*p.n)
		}
	}
	if p != nil && p.kind == kindFront {
		closed = `<a href="/closed/1">Minutes</a> <a href="/closed/2">Drafts</a> <a href="/closed/3">Notes</a>`
	}
	if t.template%2 == 1 {
		return fmt.Sprintf(`<!doctype html><html lang=%q><head><meta charset="utf-8"><title>%s | Our town</title>%s<link rel=stylesheet href=/new.css></head>
<body class="v%d"><div class="top"><div class="brand"><a href="/">Our town</a></div><nav><a href="/news/">News</a> <a href="/info/">All about the town</a></nav></div>
<div class="page"><main><article>%s</article></main></div><footer><div>%s</div><div>Write to the town council. %s</div></footer></body></html>`, code, title, head, t.template, main, footer, closed)
	}
	return fmt.Sprintf(`<!doctype html><html lang=%q><head><meta charset="utf-8"><title>%s - The town</title>%s</head>
<body><header><a href="/">Home</a><nav><a href="/news/">News</a><a href="/people/">People</a></nav></header>
<main>%s</main><footer><p>%s</p>%s</footer></body></html>`, code, title, head, main, footer, closed)
}

// answer fills in what a healthy site says at a path.
func (t *nightTown) answer(path string, a *testsite.Answer) {
	p := t.pages[path]
	if to := t.moved[path]; to != "" {
		redirect(a, 301, to)
		return
	}
	switch {
	case path == "/robots.txt":
		answerWith(a, 200, "text/plain", "User-agent: *\nDisallow: /closed/\nSitemap: "+t.origin+"/sitemap.xml\n")
	case path == "/sitemap.xml":
		answerWith(a, 200, "application/xml", t.sitemap())
	case strings.HasPrefix(path, "/closed/"):
		answerWith(a, 200, "text/html; charset=utf-8", t.layout("en", "Closed "+path, "", "<h1>Closed</h1><p>These are secret minutes which robots.txt closes, number "+path+".</p>", nil))
	case p == nil || p.gone:
		answerWith(a, 404, "text/html; charset=utf-8", t.layout("en", "Page not found", "", "<h1>Page not found</h1><p>We looked, and there is nothing at this address.</p>", nil))
	case p.kind == kindPDF:
		answerWith(a, 200, "application/pdf", testsite.PDF(p.title(), strings.ReplaceAll(strings.Join(p.blocks(), "\n"), ". ", ".\n")))
	case p.kind == kindDOCX:
		answerWith(a, 200, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", word(p.title(), p.blocks()))
	default:
		answerWith(a, 200, "text/html; charset=utf-8", t.html(p, "", p.blocks()))
	}
	if p != nil && a.Status == 200 {
		a.Header.Set("Last-Modified", nightDay(p.modified).Format(http.TimeFormat))
		a.Header.Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(a.Body))[:17]+`"`)
	}
}

// answerWith sets an answer without validators.
func answerWith(a *testsite.Answer, status int, media, body string) {
	a.Status, a.Body, a.Header = status, []byte(body), http.Header{"Content-Type": {media}}
}

func nightDay(n int) time.Time { return time.Unix(1_800_000_000+int64(n)*86_400, 0).UTC() }

func (t *nightTown) sitemap() string {
	var b strings.Builder
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, p := range t.alive() {
		fmt.Fprintf(&b, "<url><loc>%s%s</loc><lastmod>%s</lastmod></url>\n", t.origin, p.path, nightDay(p.modified).Format(time.RFC3339))
	}
	return b.String() + "</urlset>\n"
}

// word returns a DOCX file (ECMA-376) of some paragraphs.
func word(title string, paragraphs []string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	part := func(name, text string) {
		w, _ := z.Create(name) // a bytes.Buffer takes all
		_, _ = w.Write([]byte(xml.Header + text))
	}
	const open = "http://schemas.openxmlformats.org/"
	part("[Content_Types].xml", `<Types xmlns="`+open+`package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`)
	part("_rels/.rels", `<Relationships xmlns="`+open+`package/2006/relationships"><Relationship Id="rId1" Type="`+open+`officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`)
	var body strings.Builder
	for _, text := range append([]string{title}, paragraphs...) {
		body.WriteString("<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>")
	}
	part("word/document.xml", `<w:document xmlns:w="`+open+`wordprocessingml/2006/main"><w:body>`+body.String()+`</w:body></w:document>`)
	_ = z.Close()
	return b.String()
}

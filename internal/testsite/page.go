package testsite

import (
	"fmt"
	"html"
	"maps"
	"path"
	"strings"
	"time"
)

// Page is what the site answers at one path. Its zero value is an empty page.
type Page struct {
	Status   int               // 0: 200
	Body     string            // sent as it is, whatever its encoding
	Header   map[string]string // beside and above the site's own; an empty value leaves that header out
	Modified time.Time         // zero: the site's clock, which only Set moves
	Unlisted bool              // not in the automatic sitemap
}

// Set puts a page at a path, in place of the one that is there. The site's
// clock goes on by an hour, so that each edit has a Last-Modified of its own.
func (s *Site) Set(path string, p Page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(path, p)
}

func (s *Site) set(path string, p Page) {
	s.now = s.now.Add(time.Hour)
	if p.Modified.IsZero() {
		p.Modified = s.now
	}
	p.Header = maps.Clone(p.Header)
	s.pages[path] = p
}

// HTML puts an HTML page at a path; main is markup. See Markup.
func (s *Site) HTML(path, title, main string, links ...string) {
	s.Set(path, Page{Body: Markup{Title: title, Main: main, Links: links}.String()})
}

// Edit replaces the first old in a page's body by another text, which moves the
// page's ETag and Last-Modified. It errs when there is no such page or text.
func (s *Site) Edit(path, old, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.pages[path]
	if !ok {
		return fmt.Errorf("edit %s: there is no such page", path)
	}
	if !strings.Contains(p.Body, old) {
		return fmt.Errorf("edit %s: the page does not hold %q", path, old)
	}
	p.Body = strings.Replace(p.Body, old, text, 1)
	p.Modified = time.Time{}
	s.set(path, p)
	return nil
}

// Remove takes a page away; its path then answers with the not-found page.
func (s *Site) Remove(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pages, path)
}

func (s *Site) has(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.pages[path]
	return ok
}

// Redirect makes from answer with a status and a Location, which is sent as it
// is: a path, a whole address, or rubbish. Two of them make a loop.
func (s *Site) Redirect(from, to string, status int) {
	s.Set(from, Page{Status: status, Header: map[string]string{"Location": to}})
}

// Robots sets the site's robots.txt.
func (s *Site) Robots(text string) { s.Set("/robots.txt", Page{Body: text, Unlisted: true}) }

// Markup writes HTML pages in the manner of a small site: a header with
// navigation, the main part, a footer.
type Markup struct {
	Lang  string   // empty: "en"
	Title string   // text
	Head  string   // markup at the end of the head
	Main  string   // markup below the heading
	Links []string // addresses, listed below the main text
}

// String returns the whole page.
func (m Markup) String() string {
	var links strings.Builder
	for _, link := range m.Links {
		link = html.EscapeString(link)
		fmt.Fprintf(&links, "<li><a href=\"%s\">%s</a></li>\n", link, link)
	}
	lang := m.Lang
	if lang == "" {
		lang = "en"
	}
	return fmt.Sprintf(skeleton, lang, html.EscapeString(m.Title), m.Head, m.Main, links.String())
}

const skeleton = `<!DOCTYPE html>
<html lang="%[1]s">
<head>
<meta charset="utf-8">
<title>%[2]s</title>
%[3]s</head>
<body>
<header><nav aria-label="Site"><a href="/">Home</a></nav></header>
<main>
<h1>%[2]s</h1>
%[4]s
<ul>
%[5]s</ul>
</main>
<footer><p>Town hall, open on weekdays from nine to four.</p></footer>
</body>
</html>
`

// mediaType returns the Content-Type that a path's ending calls for; HTML
// where it calls for nothing. The system's own table differs from machine to
// machine.
func mediaType(uri string) string {
	file, _, _ := strings.Cut(uri, "?")
	switch path.Ext(file) {
	case ".pdf":
		return "application/pdf"
	case ".docx":
		return "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case ".xml":
		return "application/xml"
	case ".gz":
		return "application/gzip"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return "text/html; charset=utf-8"
}

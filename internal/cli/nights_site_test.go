package cli_test

import (
	"fmt"
	"slices"
	"strings"
)

// The kinds of pages that a nightTown has.
const (
	kindFront  = "front"
	kindList   = "list"
	kindNews   = "news"
	kindItem   = "item"
	kindPerson = "people"
	kindDanish = "da"
	kindInfo   = "info"
	kindPDF    = "pdf"
	kindDOCX   = "docx"
	kindEvent  = "events"
)

const nightOrigin = "http://www.town.example"

// nightPage is the truth about one page.
type nightPage struct {
	n        int // its words are drawn by it
	kind     string
	path     string
	of       string // the kind that a list is of
	partner  string // the same page in the other language
	edition  int    // of its second paragraph
	price    int
	modified int  // day
	gone     bool // it answers 404, and nothing leads to it
	unlinked bool
}

// nightTown is the truth about a site of some pages in five templates, with files and
// two languages.
type nightTown struct {
	origin    string
	pages     map[string]*nightPage
	paths     []string          // in the order in which pages came
	moved     map[string]string // old path → new path
	template  int
	images    int  // edition of all of them
	described bool // pages have a description
	footer    string
	day       int
	made      int
}

// nightKinds is how kinds follow one another: 29 pages.
var nightKinds = strings.Fields("news item people da info pdf docx news item people da info news item people da info news item people da info news item item item news news da info")

// nightLists are the section lists, by kind.
var nightLists = map[string]string{kindNews: "/news/", kindItem: "/item", kindPerson: "/people/", kindDanish: "/da/", kindInfo: "/info/", kindEvent: "/events/"}

// newNightTown makes a town of so many documents. One below 50 has no section lists.
func newNightTown(size int) *nightTown {
	t := &nightTown{origin: nightOrigin, pages: map[string]*nightPage{}, moved: map[string]string{}, footer: "The town hall is open from nine to four."}
	t.add(kindFront, "/")
	if size >= 50 {
		for _, kind := range []string{kindNews, kindItem, kindPerson, kindDanish, kindInfo} {
			t.list(kind)
		}
	}
	for i := 0; len(t.pages) < size; i++ {
		t.grow(nightKinds[i%len(nightKinds)])
	}
	var danish, info []*nightPage
	for _, path := range t.paths {
		switch p := t.pages[path]; p.kind {
		case kindDanish:
			danish = append(danish, p)
		case kindInfo:
			info = append(info, p)
		}
	}
	for i := range min(len(danish), len(info)) {
		danish[i].partner, info[i].partner = info[i].path, danish[i].path
	}
	return t
}

// grow adds a page of a kind, at an address of its own.
func (t *nightTown) grow(kind string) *nightPage {
	name := strings.ToLower(properName(t.made))
	switch kind {
	case kindNews:
		return t.add(kind, fmt.Sprintf("/news/%d/%s", 2020+t.made%6, name))
	case kindItem:
		return t.add(kind, fmt.Sprintf("/item?id=%d", t.made))
	case kindPDF, kindDOCX:
		return t.add(kind, "/files/"+name+"."+kind)
	}
	return t.add(kind, "/"+kind+"/"+name)
}

// list adds the list of a section.
func (t *nightTown) list(kind string) { t.add(kindList, nightLists[kind]).of = kind }

func (t *nightTown) add(kind, path string) *nightPage {
	p := &nightPage{n: t.made, kind: kind, path: path, price: 100 + 7*t.made, modified: t.day}
	t.made++
	t.pages[path] = p
	t.paths = append(t.paths, path)
	t.touchLists()
	return p
}

// touchLists moves the dates of the pages that link to others.
func (t *nightTown) touchLists() {
	for _, p := range t.pages {
		if p.kind == kindList || p.kind == kindFront {
			p.modified = t.day
		}
	}
}

func (t *nightTown) edit(p *nightPage) { p.edition, p.modified = p.edition+1, t.day }

func (t *nightTown) remove(p *nightPage) {
	p.gone = true
	t.touchLists()
}

// move gives a page another address, to which the old one leads.
func (t *nightTown) move(p *nightPage, to string) {
	delete(t.pages, p.path)
	t.paths[slices.Index(t.paths, p.path)] = to
	t.moved[p.path] = to
	if p.partner != "" {
		t.pages[p.partner].partner = to
	}
	p.path, p.modified = to, t.day
	t.pages[to] = p
	t.touchLists()
}

// redesign gives all pages another template.
func (t *nightTown) redesign() {
	t.template++
	for _, p := range t.pages {
		p.modified = t.day
	}
}

// alive lists the pages that are there, of the given kinds or of all.
func (t *nightTown) alive(kinds ...string) (all []*nightPage) {
	for _, path := range t.paths {
		if p := t.pages[path]; !p.gone && (len(kinds) == 0 || slices.Contains(kinds, p.kind)) {
			all = append(all, p)
		}
	}
	return all
}

// tongue returns the page's language and its code.
func (p *nightPage) tongue() (tongue, string) {
	if p.kind == kindDanish || p.of == kindDanish {
		return danish(), "da"
	}
	return english(), "en"
}

func (p *nightPage) file() bool { return p.kind == kindPDF || p.kind == kindDOCX }

// title is the page's own, in its language.
func (p *nightPage) title() string {
	l, _ := p.tongue()
	nouns := l.words['n']
	name := properName(p.n)
	if _, code := p.tongue(); code == "da" {
		return fmt.Sprintf("%s og det %s %s", name, l.words['a'][p.n%len(l.words['a'])], nouns[p.n%len(nouns)])
	}
	return fmt.Sprintf("%s and the %s %s", name, l.words['a'][p.n%len(l.words['a'])], nouns[p.n%len(nouns)])
}

// mark is a sentence that stands in every edition of the page and on no other page.
func (p *nightPage) mark() string {
	if _, code := p.tongue(); code == "da" {
		return properName(p.n) + " har været en del af byen i mange år."
	}
	return properName(p.n) + " has been a part of the town for many years."
}

// blocks are the page's paragraphs, as they stand today.
func (p *nightPage) blocks() []string {
	l, _ := p.tongue()
	name := properName(p.n)
	n := uint64(p.n)
	all := []string{p.mark() + " " + l.block(name, n, 1), l.block(name, n*1000, 1000+uint64(p.edition))}
	for i := range 2 + p.n%8 {
		all = append(all, l.block(name, n*1000+1, uint64(i)))
	}
	if p.kind == kindItem {
		all = append(all, fmt.Sprintf("Price: %d.00 EUR, order number %d", p.price, 4000+p.n))
	}
	return all
}

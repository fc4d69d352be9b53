package content

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// note takes what an element gives to the fields; in is where its children stand.
func (w *walker) note(e *element, in place) {
	f, n, a := &w.found, e.node, &e.attrs
	switch n.DataAtom {
	case atom.Html:
		f.Lang = cmp.Or(f.Lang, a.Lang)
	case atom.Title:
		if f.Title == "" {
			f.Title = markup.TextOf(n, maxHead)
		}
	case atom.Meta:
		name, text := cmp.Or(markup.Attr(n, "property"), markup.Attr(n, "name"), markup.Attr(n, "http-equiv")), markup.Attr(n, "content")
		if name != "" && text != "" && len(f.Metas) < maxMetas {
			f.Metas = append(f.Metas, markup.Meta{Name: strings.ToLower(name), Content: text})
		}
	case atom.Script:
		switch {
		case !strings.Contains(strings.ToLower(markup.Attr(n, "type")), "ld+json"):
			f.Scripts = true
		case n.FirstChild != nil && len(f.Linked) < maxLinked:
			f.Linked = append(f.Linked, n.FirstChild.Data)
		}
	case atom.Noscript:
		if c := n.FirstChild; c != nil && in&muted == 0 && len(c.Data) > len(w.noscript) {
			w.noscript = c.Data
		}
	case atom.H1, atom.H2, atom.H3:
		if in&muted == 0 && len(f.Heads) < maxHeads {
			linked := in&inLink != 0 || markup.IsLinked(n)
			f.Heads = append(f.Heads, markup.Head{Node: n, Own: in&inMain != 0 || !linked, Linked: linked, At: len(w.text.fold.Buf), Block: len(w.text.spans)})
		}
	case atom.Time, atom.Abbr:
		w.noteDate(n, in)
	}
	w.product = w.product || strings.HasSuffix(a.Itemtype, "schema.org/Product")
	w.forum = w.forum || strings.HasSuffix(a.Itemtype, "/DiscussionForumPosting") || strings.HasSuffix(a.Itemtype, "/QAPage")
	if strings.HasPrefix(a.Itemprop, "date") && n.DataAtom != atom.Time {
		w.noteDate(n, in|inFoot)
	}
	if len(f.Crumbs) < maxTrails && e.trail {
		f.Crumbs = append(f.Crumbs, n)
	}
}

// noteDate takes a node that may give a date. Of what is left out of the text the footer of
// an article counts alone.
func (w *walker) noteDate(n *html.Node, in place) {
	d := markup.Date{Node: n, At: len(w.text.fold.Buf), Block: len(w.text.spans)}
	switch {
	case len(w.found.Dates) == maxDates || in&(muted|inFoot) == muted:
		return
	case in&muted != 0:
		d.Block, d.Text = -1, markup.TextOf(n.Parent, maxDated)
	}
	w.found.Dates = append(w.found.Dates, d)
}

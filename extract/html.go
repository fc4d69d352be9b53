package extract

import (
	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"

	"sitesync/internal/document"
)

// Kinds of warning in Draft.Warn.
const (
	WarnFileText   = "file-without-text" // only its link tells what the file is about
	WarnEmptyShell = "empty-shell"       // no text without JavaScript
	WarnNoContent  = "no-content-match"  // extract.content matches nothing on the page
)

// Bounds of fields, in bytes.
const (
	maxTitle       = 500
	maxDescription = 2000
	maxCategory    = 200
)

func (e *Extractor) readHTML(p *document.Page, trace *[]Attempt) (document.Draft, error) {
	if looksBinary(p.Body) {
		return document.Draft{}, ErrBinary
	}
	if p.Root == nil {
		return document.Draft{}, ErrEmpty
	}
	w := e.walkers.Get().(*walker)
	defer e.release(w)
	e.walk(w, p.Root, e.sectionOf(p.URL).pick(p.Root))
	switch f := &w.found; {
	case w.text.isBinary():
		return document.Draft{}, ErrBinary
	case !f.body && !f.scripts && len(w.text.spans) == 0:
		return document.Draft{}, ErrEmpty
	}
	return e.draft(p, w, trace)
}

// walk reads the tree, and again with less trust in the marks of furniture
// while no content is left. Text that a page with scripts has in its frame alone
// is the frame of an empty shell; what its styles hide may be the page.
func (e *Extractor) walk(w *walker, root *html.Node, picks map[*html.Node]pick) {
	once := func(t trust, revealed bool) bool {
		w.reset()
		w.picks, w.trust, w.switches.known, w.revealed = picks, t, e.pairs, revealed
		w.walk(root)
		return len(w.text.spans) > 0
	}
	if once(trustNames, false) || once(trustTags, false) || !w.found.scripts && once(trustNone, false) {
		return
	}
	if !once(trustNames, true) || len(w.text.buf) < leastRevealed {
		once(trustTags, false)
	}
}

// leastRevealed tells a page that scripts show late from a shell with a few
// hidden words, in bytes.
const leastRevealed = 300

func (e *Extractor) draft(p *document.Page, w *walker, trace *[]Attempt) (document.Draft, error) {
	f := &w.found
	ranges := e.content(p, w)
	d := document.Draft{
		Type:   document.PageContent,
		Fields: make(map[string]string, 8),
		Blocks: w.text.blocks(ranges),
	}
	v := &view{Extractor: e, page: p, walk: w, found: f, linked: readLinked(f.linked), content: ranges, blocks: d.Blocks, trace: trace}
	d.Titles, d.Warn = v.defaults(d.Fields)
	switch {
	case len(d.Blocks) == 0 && f.scripts:
		d.Warn = append(d.Warn, WarnEmptyShell)
	case e.sectionOf(p.URL).content != nil && len(w.regions.picked) == 0:
		d.Warn = append(d.Warn, WarnNoContent)
	}
	err := e.rule(&d, &evidence{page: p, found: f, linked: &v.linked, trace: trace})
	return d, err
}

// put sets a field that has a value; an empty one stays absent.
func put(fields map[string]string, name, value string) {
	if value != "" {
		fields[name] = value
	}
}

// isBinary reports whether more of what came in is no text than any mislabelled
// character set explains: one byte in twenty.
func (t *writer) isBinary() bool { return t.bad >= 4 && t.bad*20 > t.seen }

// blocks copies the blocks of the ranges out of the buffer, in one string.
func (t *writer) blocks(ranges []span) []document.Block {
	count, size := 0, 0
	for _, r := range ranges {
		count += r.to - r.from
		for _, s := range t.spans[r.from:r.to] {
			size += s.to - s.from
		}
	}
	if count == 0 {
		return nil
	}
	text, blocks := make([]byte, 0, size), make([]document.Block, 0, count)
	for _, r := range ranges {
		for _, s := range t.spans[r.from:r.to] {
			text = append(text, t.buf[s.from:s.to]...)
		}
	}
	rest := string(text)
	for _, r := range ranges {
		for _, s := range t.spans[r.from:r.to] {
			one := rest[:s.to-s.from]
			rest = rest[len(one):]
			blocks = append(blocks, document.Block{Hash: xxhash.Sum64String(one), Text: one})
		}
	}
	return blocks
}

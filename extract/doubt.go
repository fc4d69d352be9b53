package extract

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// doubt is why a part of the region may be furniture. Only the whole page tells,
// so it is settled at the end.
type doubt uint8

const (
	doubtNone  doubt = iota
	doubtSure        // a word of its name is one that nothing else has
	doubtName        // a word of its name is one that furniture has
	doubtLinks       // it is mostly links
	doubtTalk        // readers' comments
)

// part is a doubtful part of the page.
type part struct {
	blocks             span
	why                doubt
	text, links, prose int // bytes
}

// doubts decides at the end of an element whether it is a doubtful part.
func (w *walker) doubts(f *frame) {
	if f.holds || f.in&inPick != 0 || len(w.text.spans) == f.mark.blocks {
		return
	}
	p := part{
		blocks: span{f.mark.blocks, len(w.text.spans)}, why: f.doubt,
		text: len(w.text.buf) - f.mark.bytes, links: w.found.links - f.mark.links,
		prose: w.text.prose - f.mark.prose,
	}
	if f.node.DataAtom == atom.P && p.prose > 0 {
		return // a paragraph, whatever it is named
	}
	if (p.why == doubtNone || p.why == doubtName) && isList(f.node.DataAtom) {
		p.why = cmp.Or(w.doubtOfText(&p, w.found.locals-f.mark.locals), p.why)
	}
	if p.why != doubtNone {
		w.parts = append(w.parts, p)
	}
}

// doubtOfText looks at what a part says: its first line, and its links.
func (w *walker) doubtOfText(p *part, locals int) doubt {
	first := w.text.spans[p.blocks.from]
	if p.blocks.to-p.blocks.from > 1 && first.to-first.from < maxHeading {
		if d := doubtOfHeading(string(w.text.buf[first.from:first.to])); d != doubtNone {
			return d
		}
	}
	switch {
	case p.blocks.to-p.blocks.from > 2 && locals*10 >= p.text*8:
		return doubtName // a table of contents
	case p.why == doubtNone && p.links*10 >= p.text*6:
		return doubtLinks
	}
	return doubtNone
}

// isList reports whether an element may be a list of links.
func isList(a atom.Atom) bool {
	switch a {
	case atom.Ul, atom.Ol, atom.Div, atom.Section, atom.Aside, atom.Table, atom.Dl, atom.P:
		return true
	}
	return false
}

// settle returns what is left of the ranges without the doubtful parts that are
// furniture on a page of this kind: from the end of the page on, the outer ones
// first. But for comments it takes a third of the text at most.
func (w *walker) settle(ranges []span, article bool) []span {
	size := w.text.size(ranges)
	most, end := size/3, len(w.text.spans)
	var cuts []span
	for _, p := range slices.Backward(w.parts) {
		switch {
		case p.blocks.to > end || !p.isFurniture(size, article) || !overlap(ranges, p.blocks):
			continue
		case p.why == doubtTalk:
		case p.text > most:
			continue
		default:
			most -= p.text
		}
		cuts, end = append(cuts, p.blocks), p.blocks.from
	}
	slices.Reverse(cuts)
	return subtract(ranges, cuts)
}

func (p *part) isFurniture(size int, article bool) bool {
	switch p.why {
	case doubtTalk:
		return article && p.text*4 <= size*3
	case doubtSure:
		return true
	case doubtName:
		return article && !p.isText() || p.links*2 >= p.text // text without links is kept: a card's footer, a dish of a menu
	}
	return article
}

// isText reports whether a part reads like the article itself.
func (p *part) isText() bool { return p.text >= 1000 && p.prose*10 >= p.text*7 && p.links*5 <= p.text }

func overlap(ranges []span, s span) bool {
	for _, r := range ranges {
		if s.from < r.to && r.from < s.to {
			return true
		}
	}
	return false
}

// subtract cuts blocks out of ranges; both are in order.
func subtract(ranges, cuts []span) []span {
	var left []span
	for _, r := range ranges {
		for len(cuts) > 0 && cuts[0].to <= r.from {
			cuts = cuts[1:]
		}
		for _, cut := range cuts {
			if cut.from >= r.to {
				break
			}
			if r.from < cut.from {
				left = append(left, span{r.from, cut.from})
			}
			r.from = cut.to
		}
		if r.from < r.to {
			left = append(left, r)
		}
	}
	return left
}

// size returns the bytes of the blocks of ranges.
func (t *writer) size(ranges []span) (size int) {
	for _, r := range ranges {
		if r.from < r.to {
			size += t.spans[r.to-1].to - t.spans[r.from].from
		}
	}
	return size
}

// leastProse is how long a block of running text is.
const leastProse = 100

// isArticle reports whether the page calls itself an article and its text is
// mostly prose.
func (w *walker) isArticle(ranges []span) bool {
	prose, all := 0, 0
	for _, r := range ranges {
		for _, s := range w.text.spans[r.from:r.to] {
			if all += s.to - s.from; s.to-s.from >= leastProse {
				prose += s.to - s.from
			}
		}
	}
	return prose*2 >= all && w.found.saysArticle()
}

func (f *findings) saysArticle() bool {
	if f.isForum() {
		return false
	}
	if strings.EqualFold(f.meta("og:type"), "article") || f.meta("article:published_time") != "" {
		return true
	}
	for _, source := range f.linked {
		if strings.Contains(source, `Article"`) || strings.Contains(source, `BlogPosting"`) {
			return true
		}
	}
	return false
}

// isForum reports whether the page says that it is a thread of a forum, where
// comments are the content.
func (f *findings) isForum() bool {
	generator := strings.ToLower(f.meta("generator"))
	for _, name := range [...]string{"phpbb", "discourse", "nodebb", "flarum", "xenforo", "vbulletin", "invision", "mybb"} {
		if strings.Contains(generator, name) {
			return true
		}
	}
	for _, source := range f.linked {
		if strings.Contains(source, `DiscussionForumPosting"`) || strings.Contains(source, `QAPage"`) {
			return true
		}
	}
	return false
}

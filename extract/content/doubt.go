package content

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
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

// doubtOf looks at the words that the names in class and id are made of.
func doubtOf(class, id string) doubt {
	for _, names := range [...]string{class, id} {
		for name := range strings.FieldsSeq(names) {
			if d := doubtOfName(name); d != doubtNone {
				return d
			}
		}
	}
	return doubtNone
}

// doubtOfName takes a name apart at its hyphens, underscores and capitals. A name that
// says what a wrapper has, or has not, beside it is no doubt.
func doubtOfName(name string) (d doubt) {
	if strings.HasPrefix(name, "message-user") && name != "message-userContent" || name == "signature" || name == "message-signature" {
		return doubtSure // beside or below a post
	}
	if len(name) > 60 {
		return doubtNone
	}
	var lower [64]byte
	word := lower[:0]
	for i := 0; i <= len(name); i++ {
		c := byte('-')
		if i < len(name) {
			c = name[i]
		}
		upper := c >= 'A' && c <= 'Z'
		if upper && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' || !upper && !isNameByte(c) {
			switch said := markup.WordOf(string(word)); {
			case said&markup.Beside != 0:
				return doubtNone
			case said&markup.Talk != 0:
				d = doubtTalk
			case said&markup.Doubtful != 0:
				d = doubtName
			case said&markup.Sure != 0:
				d = doubtSure
			}
			word = word[:0]
		}
		if upper {
			c += 'a' - 'A'
		}
		if isNameByte(c) {
			word = append(word, c)
		}
	}
	return d
}

func isNameByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 }

// doubt is doubtOf without IDs that are made of a heading.
func (e *element) doubt() doubt {
	if d := doubtOf(e.attrs.Class, ""); d != doubtNone || e.attrs.ID == "" {
		return d
	}
	d := doubtOf("", e.attrs.ID)
	if d != doubtNone && d != doubtTalk && e.isNamedByHeading() {
		return doubtNone
	}
	return d
}

// part is a doubtful part of the page.
type part struct {
	measure
	why doubt
}

// maxHeading is how long a heading may be that names a part of the frame.
const maxHeading = 50

// partOf decides at the end of an element whether it is a doubtful part: by its name,
// its first line and its links.
func partOf(n *html.Node, kind markup.Kind, why doubt, m measure, first []byte) part {
	if n.DataAtom == atom.P && m.prose > 0 {
		return part{} // a paragraph, whatever it is named
	}
	if (why == doubtNone || why == doubtName) && kind.Is(markup.List) {
		why = cmp.Or(doubtOfText(why, m, first), why)
	}
	return part{m, why}
}

func doubtOfText(why doubt, m measure, first []byte) doubt {
	if m.blocks.size() > 1 && len(first) < maxHeading {
		switch said := markup.WordOf(strings.TrimRight(strings.ToLower(string(first)), " :…?!.")); {
		case said&markup.AsideHeading != 0:
			return doubtSure
		case said&markup.LinksHeading != 0:
			return doubtLinks
		}
	}
	switch {
	case m.blocks.size() > 2 && m.locals*10 >= m.text*8:
		return doubtName // a table of contents
	case why == doubtNone && m.links*10 >= m.text*6:
		return doubtLinks
	}
	return doubtNone
}

// withoutFurniture returns the ranges, which have size bytes, without the doubtful
// parts that are furniture on a page of this kind: from the end of the page on, the
// outer ones first. Comments aside it takes a third of the text at most.
func withoutFurniture(ranges []span, parts []part, size int, article bool) []span {
	most, end := size/3, math.MaxInt
	var cuts []span
	for _, p := range slices.Backward(parts) {
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

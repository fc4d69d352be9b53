package content

import (
	"bytes"
	"cmp"
	"strings"

	"sitesync/extract/markup"
)

// verdict is what the names in a class or id attribute say of an element.
type verdict struct {
	doubt doubt // the first that is raised
	text  bool  // a name is that of the page's text
}

// maxNames bounds the attributes of one page of which the verdict is kept.
const maxNames = 1000

func verdictOf(names string) (v verdict) {
	for name := range strings.FieldsSeq(names) {
		d, text := saidBy(name)
		v.doubt, v.text = cmp.Or(v.doubt, d), v.text || text
	}
	return v
}

// saidBy takes a name apart at its hyphens, underscores and capitals: what doubt it
// raises, and whether it is that of the page's text. A name that says what a wrapper has,
// or has not, beside it is no doubt.
func saidBy(name string) (d doubt, text bool) {
	if strings.HasPrefix(name, "message-user") && name != "message-userContent" || name == "signature" || name == "message-signature" {
		return doubtSure, false // beside or below a post
	}
	if len(name) > 60 {
		return doubtNone, false
	}
	whole, follows := markup.WordOf(strings.ToLower(name))&markup.Text != 0, false
	var lower [64]byte
	word := lower[:0]
	for i := 0; i <= len(name); i++ {
		c := byte('-')
		if i < len(name) {
			c = name[i]
		}
		upper := c >= 'A' && c <= 'Z'
		if upper && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' || !upper && !isNameByte(c) {
			said := markup.WordOf(string(word))
			if len(word) > 0 {
				if !bytes.ContainsAny(word, "0123456789") {
					text = follows && said&markup.Body != 0 // the last word; builds add marks behind it
				}
				follows = said&markup.Subject != 0
			}
			switch {
			case said&markup.Beside != 0:
				return doubtNone, false
			case said&markup.Talk != 0:
				d = doubtTalk
			case said&markup.Review != 0:
				d = doubtReview
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
	return d, text || whole
}

func isNameByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 }

// said returns what the names of an element say. An ID raises no doubt other than that readers
// write there: manuals name each of their sections by one.
func (w *walker) said(e *element, isBlock bool) (v verdict) {
	if class := e.attrs.Class; isBlock && class != "" {
		known := false
		v, known = w.classes[class] // of which a page has few that differ
		if !known {
			v = verdictOf(class)
		}
		if !known && len(w.classes) < maxNames {
			w.classes[class] = v
		}
	}
	if e.attrs.ID != "" {
		id := verdictOf(e.attrs.ID)
		v.text = v.text || id.text
		if isBlock && v.doubt == doubtNone && id.doubt >= doubtTalk {
			v.doubt = id.doubt
		}
	}
	v.text = v.text || e.attrs.Itemprop == "articleBody"
	return v
}

// decide sets on a frame what the marks of its element say, in a place.
func (w *walker) decide(f *frame, e *element, up place) {
	f.fate = w.pass.fateOf(e, up, f.block, len(w.open))
	if f.fate == fateKeep && w.pass.trust != trustNone && e.attrs.Role == "alert" && len(w.found.Heads) == 0 {
		f.fate = fateDrop // a banner above the title; further down it is a box in the text
	}
	if f.fate == fateMute || f.fate == fateHide {
		if up&muted == 0 && f.fate == fateHide && e.mayShow() {
			f.in |= hidden
		}
		f.in |= muted
	} else if w.pass.trust == trustNames {
		said := w.said(e, f.block)
		f.doubt, f.text = said.doubt, said.text
		if f.text {
			f.in |= inText
		}
	}
	if f.kind.Is(markup.Control) && up&(inHeading|muted) == 0 {
		w.text.sum.offers++
	}
}

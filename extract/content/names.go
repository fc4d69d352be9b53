package content

import (
	"bytes"
	"cmp"
	"strings"

	"sitesync/extract/markup"
)

// verdict is the meaning of all names in a class attribute.
type verdict struct {
	doubt  doubt // why the element may be boilerplate (text such as menus), by the first name that says so
	text   bool  // a name marks the container of the main text
	unseen bool  // a name marks text for screen readers only
	fate   fate  // decision about the text, outside the main element
	inMain fate  // decision about the text, inside the main element
}

const (
	maxCachedClasses  = 500
	maxCachedClassLen = 100
)

func (w *walker) verdictOf(names string) (v verdict) {
	v, known := w.classes[names]
	if known || names == "" {
		return v
	}
	for name := range strings.FieldsSeq(names) {
		d, text := saidBy(name)
		v.doubt, v.text = cmp.Or(v.doubt, d), v.text || text
		v.unseen = v.unseen || markup.WordOf(name)&markup.Unseen != 0
	}
	v.fate, v.inMain = fateByName(names, 0), fateByName(names, inMain)
	if len(w.classes) >= maxCachedClasses {
		clear(w.classes)
	}
	if len(names) <= maxCachedClassLen {
		w.classes[names] = v
	}
	return v
}

// saidBy judges an element by one name in its class. why says why the element may be boilerplate. A name
// such as "with-sidebar" gives doubtNone, because it names the text beside a sidebar. isMain reports whether
// the name marks the main text. Words with digits do not change isMain, because build tools append hashes.
func saidBy(name string) (why doubt, isMain bool) {
	isAuthor := strings.HasPrefix(name, "message-user") && name != "message-userContent"
	if isAuthor || name == "signature" || name == "message-signature" {
		return doubtSure, false // the author or the signature of a forum post
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
					isMain = follows && said&markup.Body != 0
				}
				follows = said&markup.Subject != 0
			}
			switch {
			case said&markup.Beside != 0:
				return doubtNone, false
			case said&markup.Talk != 0:
				why = doubtTalk
			case said&markup.Review != 0:
				why = doubtReview
			case said&markup.Doubtful != 0:
				why = doubtName
			case said&markup.Sure != 0:
				why = doubtSure
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
	return why, isMain || whole
}

func isNameByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 }

func (w *walker) decide(f *frame, e *element, up place) {
	said := w.verdictOf(e.attrs.Class)
	f.fate = w.pass.fateOf(e, up, f.block, len(w.open), said)
	if f.fate == fateMute || f.fate == fateHide {
		if up&muted == 0 && f.fate == fateHide && e.mayShow() {
			f.in |= hidden
		}
		f.in |= muted
	} else if w.pass.trust == trustNames {
		f.text = said.text || e.attrs.Itemprop == "articleBody"
		if f.block {
			f.doubt = said.doubt
		}
		if f.text {
			f.in |= inText
		}
	}
	if f.kind.Is(markup.Control) && up&(inHeading|muted) == 0 {
		w.text.sum.offers++
	}
}

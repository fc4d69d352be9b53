package office

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// handler takes in a part as it streams by. Of what is inside an element whose
// start it answers with errSkip, it is not told.
type handler interface {
	start(w *walk, e *xml.StartElement) error
	text(w *walk, b []byte)
	end(w *walk)
}

// quiet is the part of a handler that has no use for text.
type quiet struct{}

func (quiet) text(*walk, []byte) {}
func (quiet) end(*walk)          {}

var errSkip = errors.New("nothing in here is wanted")

// walk is where in a part its reading stands.
type walk struct{ open []element }

// element is one that was begun and not ended.
type element struct {
	name   xml.Name
	role   role // for the handler's own use
	hidden bool // it and what is to come inside
	told   bool // the handler knows of its start, and is to know of its end
}

// at returns the element that is up levels above the innermost one.
func (w *walk) at(up int) *element {
	if up >= len(w.open) {
		return &element{}
	}
	return &w.open[len(w.open)-1-up]
}

// walkAny walks a part, if there is such a part.
func (p *pack) walkAny(name string, h handler) error {
	if p.parts[partName(name)] == nil {
		return nil
	}
	return p.walk(name, h)
}

func (p *pack) walk(name string, h handler) error {
	if err := p.stream(name, h); err != nil {
		return fmt.Errorf("read part %s: %w", name, err)
	}
	return nil
}

func (p *pack) stream(name string, h handler) error {
	src, err := p.open(name)
	if err != nil {
		return err
	}
	defer src.closer.Close()
	d := xml.NewDecoder(src)
	d.CharsetReader = charsetReader
	var w walk
	for {
		src.node = maxNode
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = p.take(&w, h, token)
		}
		if err != nil {
			return err
		}
	}
}

func (p *pack) take(w *walk, h handler, token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		if p.elements--; p.elements < 0 {
			return errFull
		}
		if len(w.open) >= maxDepth {
			return fmt.Errorf("elements are nested more than %d deep", maxDepth)
		}
		return w.begin(h, &t)
	case xml.EndElement:
		if w.at(0).told {
			h.end(w)
		}
		w.open = w.open[:len(w.open)-1]
	case xml.CharData:
		if len(w.open) > 0 && !w.at(0).hidden {
			h.text(w, t)
		}
	case xml.Directive:
		return errors.New("it has a document type declaration, which may define entities; no office file has one")
	}
	if p.out.size >= maxText {
		return errFull
	}
	return nil
}

func (w *walk) begin(h handler, t *xml.StartElement) error {
	hidden := w.at(0).hidden
	w.open = append(w.open, element{name: t.Name, hidden: hidden, told: !hidden})
	if hidden {
		return nil
	}
	err := h.start(w, t)
	if err == errSkip {
		w.at(0).hidden, w.at(0).told = true, false
		return nil
	}
	return err
}

// charsetReader lets pass what is UTF-8 by now; nothing else is allowed in a part
// (ISO/IEC 29500-2, 6.2.5).
func charsetReader(label string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "utf-16", "us-ascii":
		return r, nil
	}
	return nil, fmt.Errorf("its encoding is %q", label)
}

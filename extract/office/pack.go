package office

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"sitesync/internal/document"
)

// Limits of one file. A part that grows to more than maxRatio times its size is a zip bomb: parts of real
// documents grow at most 50 times. archive/zip errs if a part is larger than the size that it declares.
const (
	maxParts    = 10_000
	maxRatio    = 200
	freeRatio   = 2 << 20  // bytes up to which the ratio of a part does not matter
	maxInflated = 40 << 20 // bytes of all parts together, after inflating
	maxElements = 500_000  // elements of all parts together
	openCost    = 50       // opening a part counts as this many elements
	maxDepth    = 256
	maxNode     = 1 << 20 // maximum bytes of one tag, text or comment
	maxText     = 4 << 20
	maxLinks    = 10_000
	maxDeep     = 4 // maximum nesting of parts that refer to parts, and of embedded files
)

// full is the error for a limit that a long file reaches. The text before the limit is used.
type full string

func (f full) Error() string { return string(f) }

var (
	errText     = full(document.BeyondText)
	errInflated = full(fmt.Sprintf("it holds more than %d MB when unpacked", maxInflated>>20))
	errElements = full(fmt.Sprintf("it has more than %d,000 elements, as cells and paragraphs are", maxElements/1000))
)

// pack is the ZIP archive of a file, and the result of reading it.
type pack struct {
	parts    map[string]*zip.File // the keys are names as partName returns them
	left     int                  // bytes that may still be inflated
	elements int                  // elements that may still be read
	out      blocks
	file     document.File
	linked   map[string]bool
	shown    map[string]bool // names of parts already read because another part refers to them
	deep     int             // nesting depth of the current part
}

func openPack(body []byte) (*pack, error) {
	// archive/zip keeps every entry, even more than the declared number, so entries are counted first
	if n := bytes.Count(body, []byte("PK\x01\x02")); n > maxParts {
		return nil, fmt.Errorf("its archive has %d entries; more than %d are not read", n, maxParts)
	}
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, fmt.Errorf("open it as an archive: %w; it may be cut", err)
	}
	p := &pack{left: maxInflated, elements: maxElements}
	p.parts, p.linked, p.shown = map[string]*zip.File{}, map[string]bool{}, map[string]bool{}
	for _, f := range z.File {
		if name := partName(f.Name); p.parts[name] == nil {
			p.parts[name] = f
		}
	}
	return p, nil
}

// partName returns a name in lower case, with forward slashes (ISO/IEC 29500-2, 6.2.2.3: case is ignored).
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

func (p *pack) link(address string) {
	if address == "" || p.linked[address] || len(p.linked) >= maxLinks {
		return
	}
	p.linked[address] = true
	p.file.Links = append(p.file.Links, address)
}

// open returns the bytes of a part as UTF-8. It errs if the part has a password or is a zip bomb.
func (p *pack) open(f *zip.File) (*source, error) {
	if f.Flags&1 != 0 {
		return nil, errPassword
	}
	if f.UncompressedSize64 > freeRatio && f.UncompressedSize64/maxRatio > f.CompressedSize64 {
		return nil, fmt.Errorf("it is a zip bomb: %d bytes would become %d", f.CompressedSize64, f.UncompressedSize64)
	}
	p.elements -= openCost
	inflated, err := f.Open()
	if err != nil {
		return nil, err
	}
	text := transform.NewReader(inflated, unicode.BOMOverride(transform.Nop))
	return &source{Reader: bufio.NewReader(text), closer: inflated, left: &p.left}, nil
}

// source is a part that is being read. ReadByte errs beyond the bytes allowed for the file or for one node.
type source struct {
	*bufio.Reader
	closer io.Closer
	left   *int // bytes of the file that may still be read
	node   int  // bytes of the current node that may still be read
}

var errNode = fmt.Errorf("a single node holds more than %d MB", maxNode>>20)

// ReadByte returns the next byte. encoding/xml calls it, so the decoder never reads further than it needs.
func (s *source) ReadByte() (byte, error) {
	if *s.left <= 0 {
		return 0, errInflated
	}
	if s.node <= 0 {
		return 0, errNode
	}
	*s.left--
	s.node--
	return s.Reader.ReadByte()
}

// handler holds functions that are called while a part is read. Each may be nil. If start returns errSkip,
// the content of the element is skipped.
type handler struct {
	start func(w *walk, e *xml.StartElement) error
	text  func(w *walk, b []byte)
	end   func(w *walk)
}

var errSkip = errors.New("nothing in here is wanted")

// walk is the position in a part: its open elements, the innermost last.
type walk struct{ open []element }

type element struct {
	name   xml.Name
	role   role // the element's effect on the text, as set by handler.start
	hidden bool // the rest of the element's content is left out
}

// at returns the open element that is up levels above the innermost one, or an empty element.
func (w *walk) at(up int) *element {
	if up >= len(w.open) {
		return &element{}
	}
	return &w.open[len(w.open)-1-up]
}

// walk reads a part with a handler. It does nothing if the file has no such part.
func (p *pack) walk(name string, h handler) (err error) {
	part := p.parts[partName(name)]
	if part == nil {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("read part %s: %w", name, err)
		}
	}()
	src, err := p.open(part)
	if err != nil {
		return err
	}
	defer src.closer.Close()
	d := xml.NewDecoder(src)
	// open has made UTF-8 of the bytes, whatever encoding the part declares (ISO/IEC 29500-2, 6.2.5 allows
	// UTF-8 and UTF-16). The decoder errs at invalid UTF-8.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
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
		p.elements--
		if p.elements < 0 {
			return errElements
		}
		if len(w.open) >= maxDepth {
			return fmt.Errorf("elements are nested more than %d deep", maxDepth)
		}
		hidden := w.at(0).hidden
		w.open = append(w.open, element{name: t.Name, hidden: hidden})
		if hidden || h.start == nil {
			return nil
		}
		err := h.start(w, &t)
		if err == errSkip {
			w.at(0).hidden = true
			return nil
		}
		return err
	case xml.EndElement:
		if h.end != nil {
			h.end(w)
		}
		w.open = w.open[:len(w.open)-1]
	case xml.CharData:
		if len(w.open) > 0 && !w.at(0).hidden && h.text != nil {
			h.text(w, t)
		}
	case xml.Directive:
		return errors.New("it has a document type declaration, which may define entities; no office file has one")
	}
	if p.out.size >= maxText {
		return errText
	}
	return nil
}

// readProperties reads a file's title, author, language and dates (ISO/IEC 29500-2, 8; 26300-1, 4.3).
func (p *pack) readProperties(part string) error {
	var innerText []byte
	return p.walk(part, handler{
		text: func(_ *walk, b []byte) { innerText = append(innerText, b[:min(len(b), maxNode-len(innerText))]...) },
		end: func(w *walk) {
			name, value := w.at(0).name, strings.Join(strings.Fields(string(innerText)), " ")
			innerText = innerText[:0]
			switch family := families[name.Space]; {
			case value == "" || family != "core" && family != "open":
			case name.Local == "title":
				p.file.Title = value
			case name.Local == "initial-creator", name.Local == "creator" && p.file.Author == "":
				p.file.Author = value // in OpenDocument, creator is the last editor
			case name.Local == "language":
				p.file.Language = value
			case name.Local == "created", name.Local == "creation-date":
				p.file.Created = dateOf(value)
			case name.Local == "modified", name.Local == "date":
				p.file.Modified = dateOf(value)
			}
		},
	})
}

// dateOf parses a time in the W3CDTF forms of office programs, or returns zero. The default zone is UTC.
func dateOf(value string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", time.DateOnly} {
		if t, err := time.Parse(layout, value); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

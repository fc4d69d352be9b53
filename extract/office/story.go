package office

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"
	"time"

	"sitesync/extract/markup"
)

// role is what an element does for the text; names.txt says which has one.
type role string

const (
	roleSkip   role = "skip"   // is left out with all that is inside
	rolePara   role = "para"   // is a paragraph
	roleText   role = "text"   // holds characters of it
	roleBoth   role = "both"   // OpenDocument: a paragraph that holds characters itself
	roleSpace  role = "space"  // stands for white space
	roleDash   role = "dash"   // stands for a hyphen
	roleRow    role = "row"    // is a table's row
	roleCell   role = "cell"   // is a cell of it
	roleSheet  role = "sheet"  // is a table, in a workbook with a name of its own, or a slide
	roleStyle  role = "style"  // says whether sheets and slides of a style are seen
	rolePart   role = "part"   // stands for another part
	roleValue  role = "value"  // is what a sheet's cell holds
	roleHide   role = "hide"   // hides what it belongs to, if its attributes say so
	roleLink   role = "link"   // is a link, and holds characters
	roleList   role = "list"   // says in which list a paragraph is
	roleLocked role = "locked" // is a control whose text stays as it is
)

// blocks are the text found so far.
type blocks struct {
	list []string
	size int // bytes that were gathered for it
}

func (b *blocks) add(text string) {
	if text != "" {
		b.list = append(b.list, text)
	}
}

// paragraph gathers text with its white space folded.
type paragraph struct {
	markup.Folder
	listed
	first int // the first block after it: text boxes and notes in it come later
}

// row is a table's row that is being read.
type row struct {
	first int // of the blocks in it
	cells int
}

// maxRow is how long a row of text may be and still be one block. Longer ones lay
// out a page, and joining rows inside rows would copy the text again and again.
const maxRow = 2000

// story makes blocks of the parts that hold text, of all formats: what an element
// does, its role says.
type story struct {
	out         *blocks
	blank       bool // paragraphs without text are kept
	pack        *pack
	parts       map[string]string // that the part refers to, by ID
	open        string            // the style that is being read
	unseen      map[string]bool   // styles of sheets and slides that are hidden
	book        *workbook         // of a sheet; else nil
	lists       *lists            // of a DOCX; may be nil
	paras       []paragraph       // open ones, the innermost last: a text box stands in a paragraph
	rows        []row
	kind, style string // of the open cell
	value       []byte // of it
}

func (s *story) start(w *walk, e *xml.StartElement) error {
	family := families[e.Name.Space]
	is, known := roles[xml.Name{Space: family, Local: e.Name.Local}]
	if !known && family == "opentext" {
		is = roleText
	}
	w.at(0).role = is
	switch is {
	case roleSkip:
		return errSkip
	case roleHide:
		if up := hides(w, e); up >= 0 {
			w.at(up).hidden = true
		}
	case rolePara, roleBoth:
		s.paras = append(s.paras, paragraph{first: len(s.out.list)})
	case roleSpace:
		s.kind, s.style = attr(e, "", "t"), attr(e, "", "s")
		s.write(" ")
	case roleDash:
		s.write("-")
	case roleRow:
		s.rows = append(s.rows, row{first: len(s.out.list)})
	case roleCell:
		if n := len(s.rows); n > 0 {
			s.rows[n-1].cells++
		}
	case roleSheet:
		return s.sheet(w, e)
	case roleStyle:
		if e.Name.Local == "style" {
			s.open = attr(e, "open", "name")
		} else if s.unseen != nil && (attr(e, "open", "display") == "false" || attr(e, "open", "visibility") == "hidden") {
			s.unseen[s.open] = true
		}
	case rolePart:
		return s.part(e)
	case roleList:
		if n := len(s.paras); n > 0 {
			s.paras[n-1].take(e)
		}
	case roleLink:
		s.pack.link(attr(e, "link", "href"))
	}
	return nil
}

func (s *story) text(w *walk, b []byte) {
	switch w.at(0).role {
	case roleText, roleBoth, roleLink:
		s.write(string(b))
	case roleValue:
		s.value = append(s.value, b[:min(len(b), maxNode-len(s.value))]...)
	}
}

// write adds to the open paragraph, as long as there is room.
func (s *story) write(text string) {
	if n := len(s.paras); n > 0 && s.out.size < maxText {
		s.paras[n-1].Write(text)
		s.out.size += len(text)
	}
}

func (s *story) end(w *walk) {
	switch w.at(0).role {
	case rolePara, roleBoth:
		s.endPara()
	case roleRow: // one block, where its cells hold a paragraph each
		last := len(s.rows) - 1
		r := s.rows[last]
		s.rows = s.rows[:last]
		cells, length := s.out.list[r.first:], 0
		for _, text := range cells {
			length += len(text) + 1
		}
		if len(cells) == 0 || len(cells) > r.cells && r.cells > 0 || length > maxRow {
			return
		}
		text := strings.Join(cells, " ")
		s.out.list = s.out.list[:r.first]
		s.out.add(text)
	case roleValue:
		if s.book != nil {
			s.write(s.book.shown(s.kind, s.style, string(s.value)))
		}
		s.value = s.value[:0]
	}
}

func (s *story) endPara() {
	last := len(s.paras) - 1
	text, number := string(s.paras[last].Buf), s.lists.next(s.paras[last].listed)
	if number != "" && text != "" {
		text = number + " " + text
		s.out.size += len(number)
	}
	if text != "" || s.blank {
		s.out.list = slices.Insert(s.out.list, s.paras[last].first, text)
	}
	s.paras = s.paras[:last]
}

// sheet begins a table or a slide of OpenDocument, unless its style hides it (ISO/IEC 26300-1,
// 19.649 and 20.252).
func (s *story) sheet(w *walk, e *xml.StartElement) error {
	isSheet := w.at(1).name.Local == "spreadsheet"
	if (isSheet || e.Name.Local == "page") && s.unseen[attr(e, "open", "style-name")] {
		return errSkip
	}
	if isSheet {
		s.begin(attr(e, "open", "name"))
	}
	return nil
}

// begin begins a sheet with its name.
func (s *story) begin(name string) {
	s.out.add(name)
	s.pack.file.Sheet = cmp.Or(s.pack.file.Sheet, name)
}

// part takes in, once, the part that an element stands for: a slide or a sheet that is visible,
// a diagram, a chart, what is drawn on a sheet, or a document in a document.
func (s *story) part(e *xml.StartElement) error {
	if date := attr(e, "", "date1904"); s.book != nil && date != "" && !isOff(date) {
		s.book.zero = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	name, state := s.parts[cmp.Or(attr(e, "rel", "id"), attr(e, "rel", "dm"))], attr(e, "", "state")
	isSeen := state == "" || state == "visible"
	if s.pack.parts[name] == nil || s.pack.shown[name] || s.pack.deep >= maxDeep || !isSeen {
		return nil
	}
	s.pack.shown[name] = true
	s.pack.deep++
	defer func() { s.pack.deep-- }()
	switch e.Name.Local {
	case "altChunk":
		return s.pack.chunk(name)
	case "sheet":
		s.begin(attr(e, "", "name"))
	}
	return s.pack.chapter(name, &story{out: s.out, book: s.book})
}

// hides returns how many levels above the element what it hides stands; -1: it
// hides nothing.
func hides(w *walk, e *xml.StartElement) int {
	switch e.Name.Local {
	case "vanish": // of a run; a paragraph mark's own hides no text
		if w.at(1).name.Local == "rPr" && w.at(2).name.Local == "r" && !isOff(attr(e, "word", "val")) {
			return 2
		}
	case "lock": // w:sdt/w:sdtPr: nobody can fill it in
		if strings.HasSuffix(strings.ToLower(attr(e, "word", "val")), "contentlocked") {
			w.at(1).role = roleLocked
		}
	case "showingPlcHdr": // nobody has filled it in
		if w.at(1).role != roleLocked {
			return 2
		}
	case "ph":
		switch attr(e, "", "type") {
		case "hdr", "ftr", "dt", "sldNum": // p:sp/p:nvSpPr/p:nvPr/p:ph
			return 3
		}
	case "sld":
		if isOff(attr(e, "", "show")) {
			return 0
		}
	}
	return -1
}

// isOff reads a boolean property, which is on where it has no value.
func isOff(value string) bool { return value == "0" || value == "false" || value == "off" }

package office

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"
	"time"

	"sitesync/extract/markup"
)

// role is what an element does to the text. The file names.txt lists the roles of elements.
type role string

const (
	roleSkip   role = "skip" // left out with all its content
	rolePara   role = "para"
	roleText   role = "text" // contains characters of a paragraph
	roleBoth   role = "both" // in OpenDocument: a paragraph that contains characters itself
	roleSpace  role = "space"
	roleDash   role = "dash"
	roleRow    role = "row"
	roleCell   role = "cell"
	roleSheet  role = "sheet" // in OpenDocument: a table, a sheet or a slide
	roleStyle  role = "style" // an element of a style; styles may hide sheets and slides
	rolePart   role = "part"  // refers to another part of the file
	roleValue  role = "value"
	roleHide   role = "hide"   // may hide an element that contains it
	roleLink   role = "link"   // a link that contains characters
	roleList   role = "list"   // names the list that a paragraph belongs to
	roleLocked role = "locked" // a form control that can't be filled in, so its text is shown
)

type blocks struct {
	list []string
	size int // bytes of text found so far; some of the text may not be in list yet
}

func (b *blocks) addBlock(text string) {
	if text != "" {
		b.list = append(b.list, text)
	}
}

type paragraph struct {
	markup.Folder
	listed
	first int // number of blocks before the paragraph; text boxes inside it add blocks
}

type row struct {
	first int // number of blocks before the row
	cells int
}

// maxRow is the maximum number of bytes of a table row that becomes one block. A longer row usually serves
// the layout of a page. The limit also bounds how often text in nested tables is copied.
const maxRow = 2000

// story gathers the text of a part as blocks, by the roles of the part's elements.
type story struct {
	out          *blocks
	keepEmpty    bool
	pack         *pack
	parts        map[string]string // names of the parts that this part refers to, by ID
	openStyle    string
	hiddenStyles map[string]bool
	book         *workbook   // nil unless the part is of a workbook
	lists        *lists      // nil unless the file is a DOCX with lists
	paras        []paragraph // open paragraphs, the innermost last; a text box is inside a paragraph
	rows         []row
	kind, style  string // type and style of the open cell
	value        []byte
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
			s.openStyle = attr(e, "open", "name")
		} else if s.hiddenStyles != nil &&
			(attr(e, "open", "display") == "false" || attr(e, "open", "visibility") == "hidden") {
			s.hiddenStyles[s.openStyle] = true
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
	case roleRow: // a row becomes one block if each cell holds at most one paragraph
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
		s.out.addBlock(text)
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
	if text != "" || s.keepEmpty {
		s.out.list = slices.Insert(s.out.list, s.paras[last].first, text)
	}
	s.paras = s.paras[:last]
}

// sheet begins an OpenDocument table or slide, unless its style hides it (ISO/IEC 26300-1, 19.649, 20.252).
func (s *story) sheet(w *walk, e *xml.StartElement) error {
	isSheet := w.at(1).name.Local == "spreadsheet"
	if (isSheet || e.Name.Local == "page") && s.hiddenStyles[attr(e, "open", "style-name")] {
		return errSkip
	}
	if isSheet {
		s.begin(attr(e, "open", "name"))
	}
	return nil
}

func (s *story) begin(name string) {
	s.out.addBlock(name)
	s.pack.file.Sheet = cmp.Or(s.pack.file.Sheet, name)
}

// part reads the part to which e refers, unless the part is hidden or was read before.
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

// hides returns the number of levels from the current element up to the one to hide, or -1 to hide nothing.
func hides(w *walk, e *xml.StartElement) int {
	switch e.Name.Local {
	case "vanish": // hides a run; in paragraph properties, hides only the paragraph mark
		if w.at(1).name.Local == "rPr" && w.at(2).name.Local == "r" && !isOff(attr(e, "word", "val")) {
			return 2
		}
	case "lock": // set in a form control that nobody can fill in
		if strings.HasSuffix(strings.ToLower(attr(e, "word", "val")), "contentlocked") {
			w.at(1).role = roleLocked
		}
	case "showingPlcHdr": // set in a form control that nobody has filled in
		if w.at(1).role != roleLocked {
			return 2
		}
	case "ph":
		switch attr(e, "", "type") {
		case "hdr", "ftr", "dt", "sldNum": // header, footer, date or slide number of a slide
			return 3
		}
	case "sld":
		if isOff(attr(e, "", "show")) {
			return 0
		}
	}
	return -1
}

// isOff reports whether a boolean property is off. A property without value is on.
func isOff(value string) bool { return value == "0" || value == "false" || value == "off" }

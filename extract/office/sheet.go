package office

import (
	"encoding/xml"
	"strconv"
	"strings"
	"time"
)

// workbook is what the cells of a workbook refer to.
type workbook struct {
	strings []string
	formats []format  // by the styles of cells
	zero    time.Time // the day that 0 stands for
}

// refer reads what cells refer to.
func (p *pack) refer(book *workbook, rels relations) error {
	var shared blocks
	if err := p.chapter(rels.byKind["sharedStrings"], &story{out: &shared, blank: true}); err != nil {
		return err
	}
	book.strings = shared.list
	own := map[string]string{}
	return p.walk(rels.byKind["styles"], handler{start: func(w *walk, e *xml.StartElement) error {
		id := attr(e, "", "numFmtId")
		switch code := attr(e, "", "formatCode"); {
		case families[e.Name.Space] != "sheet" || len(own)+len(book.formats) >= maxListed:
		case e.Name.Local == "numFmt":
			own[id] = code[:min(len(code), maxFormat)]
		case e.Name.Local == "xf" && w.at(1).name.Local == "cellXfs" && own[id] != "":
			book.formats = append(book.formats, formatOf(own[id]))
		case e.Name.Local == "xf" && w.at(1).name.Local == "cellXfs":
			book.formats = append(book.formats, formatOf(codes[id]))
		}
		return nil
	}})
}

// shown returns what a cell shows (ISO/IEC 29500-1, 18.18.11); errors say no word.
func (b *workbook) shown(kind, style, value string) string {
	i, err := strconv.Atoi(value)
	switch kind {
	case "s":
		if err == nil && i >= 0 && i < len(b.strings) {
			return b.strings[i]
		}
		return ""
	case "b":
		return strings.ToUpper(strconv.FormatBool(i != 0))
	case "e":
		return ""
	case "d":
		return strings.TrimSuffix(value, "T00:00:00")
	case "", "n":
		var f format
		if at, _ := strconv.Atoi(style); at >= 0 && at < len(b.formats) {
			f = b.formats[at]
		}
		return f.shown(value, b.zero)
	}
	return value
}

package pdf

import (
	"encoding/binary"
	"math"
	"strings"
)

// line is one line of a page as PDFium found it.
type line struct {
	text string
	y    float64 // of its baseline, upwards
	size float64 // of its first character, as the font names it
}

// lines reads the text of a page.
func (p *pdf) lines(page uint64) []line {
	text := p.call("FPDFText_LoadPage", page)
	if text == 0 {
		return nil
	}
	defer p.call("FPDFText_ClosePage", text)
	count := min(p.number("FPDFText_CountChars", text), maxText/2)
	if count <= 0 {
		return nil
	}
	at := p.alloc(2 * (count + 1))
	defer p.free(at)
	units := p.number("FPDFText_GetText", text, 0, uint64(count), at) - 1 // of the terminator
	if units <= 0 {
		return nil
	}
	raw := append([]byte(nil), p.view(at, 2*min(units, count))...)
	place := p.alloc(16)
	defer p.free(place)
	var lines []line
	for start := 0; start < len(raw) && p.err == nil; {
		end := start
		for end < len(raw) && !isBreak(raw[end:]) {
			end += 2
		}
		if s := strings.TrimSpace(plain(decode(raw[start:end]))); s != "" {
			l := line{text: s}
			l.y, l.size = p.place(text, start/2, place)
			lines = append(lines, l)
			p.size += len(s)
		}
		for start = end; start < len(raw) && isBreak(raw[start:]); start += 2 {
		}
	}
	return lines
}

func isBreak(raw []byte) bool {
	unit := binary.LittleEndian.Uint16(raw)
	return unit == '\n' || unit == '\r' || unit == 0
}

// place returns the height of a unit of a page's text, and the size of its font.
func (p *pdf) place(text uint64, unit int, at uint64) (y, size float64) {
	char := p.call("FPDFText_GetCharIndexFromTextIndex", text, uint64(unit))
	if p.number("FPDFText_GetCharOrigin", text, char, at, at+8) == 0 {
		return 0, 0
	}
	y, _ = p.m.Memory().ReadFloat64Le(uint32(at + 8))
	return y, math.Float64frombits(p.call("FPDFText_GetFontSize", text, char))
}

package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// writer gathers text as blocks in one buffer: white space folded, control
// characters and invalid bytes left out. Finished blocks are separated by one
// line feed, so that any row of blocks is a slice of the buffer.
type writer struct {
	buf    []byte
	spans  []span // bytes of each finished block
	linked []int  // of those of each finished block that stand in links
	links  int    // the same of the open block
	prose  int    // bytes of the blocks that are running text
	start  int    // where the open block begins in buf
	space  bool   // white space is due before the next character
	broke  bool   // the last thing was a line break
	seen   int    // bytes that came in
	bad    int    // characters among them that no text has
}

// span is a half-open range: of bytes in the buffer, or of blocks.
type span struct{ from, to int }

func (t *writer) reset() {
	*t = writer{buf: t.buf[:0], spans: t.spans[:0], linked: t.linked[:0]}
}

// write adds text to the open block.
func (t *writer) write(s string) {
	t.seen += len(s)
	for i := 0; i < len(s); {
		end := i + t.plain(s[i:])
		if end > i {
			t.put(s[i:end])
			i = end
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch classOf(r, size) {
		case classSpace:
			t.space = true
		case classBad:
			t.bad++
		}
		i += size
	}
}

// plain returns how many bytes at the beginning of s are text as it stands:
// words, and single spaces between them.
func (t *writer) plain(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c > ' ' && c < 0x7f || c == ' ' && i > 0 && i+1 < len(s) && s[i+1] > ' ' && s[i+1] < 0x7f {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			return i
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if classOf(r, size) != classText {
			return i
		}
		if r == utf8.RuneError {
			t.bad++
		}
		i += size
	}
	return len(s)
}

func (t *writer) put(s string) {
	if t.space && len(t.buf) > t.start {
		t.buf = append(t.buf, ' ')
	}
	t.space, t.broke = false, false
	t.buf = append(t.buf, s...)
}

// writeLines adds preformatted text: each line is a block.
func (t *writer) writeLines(s string) {
	for {
		line, rest, more := strings.Cut(s, "\n")
		t.write(line)
		if !more {
			return
		}
		t.flush()
		s = rest
	}
}

// breakLine is a <br>: a space, and the end of the block when it comes twice.
func (t *writer) breakLine() {
	if t.broke {
		t.flush()
		return
	}
	t.space, t.broke = true, true
}

// flush ends the open block, if it holds anything.
func (t *writer) flush() {
	t.space, t.broke = false, false
	if len(t.buf) == t.start {
		return
	}
	if size := len(t.buf) - t.start; size >= leastProse && 2*t.links < size {
		t.prose += size
	}
	t.spans, t.linked = append(t.spans, span{t.start, len(t.buf)}), append(t.linked, t.links)
	t.buf = append(t.buf, '\n')
	t.start, t.links = len(t.buf), 0
}

// rewind forgets everything since the block count and buffer length given.
func (t *writer) rewind(blocks, size int) {
	t.spans, t.linked, t.links, t.buf = t.spans[:blocks], t.linked[:blocks], 0, t.buf[:size]
	t.start, t.space, t.broke = size, false, false
}

type class int

const (
	classText class = iota
	classSpace
	classNone // invisible: joins what it stands between
	classBad  // no text has it
)

func classOf(r rune, size int) class {
	switch {
	case unicode.IsSpace(r): // NBSP, NEL and the line separators too
		return classSpace
	case r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError && size <= 1:
		return classBad
	case r == 0xad || r == 0x200b || r == 0x2060 || r == 0xfeff: // soft hyphen, zero-width space, word joiner, BOM
		return classNone
	}
	return classText
}

// clean folds s into one line as write does.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	t := writer{buf: make([]byte, 0, len(s))}
	t.write(s)
	return string(t.buf)
}

func isClean(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space || s == ""
}

// clip cuts s to at most size bytes on a rune boundary.
func clip(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for size > 0 && !utf8.RuneStart(s[size]) {
		size--
	}
	return strings.TrimRight(s[:size], " ")
}

// titled makes a name of an address part or a file name: separators become
// spaces, the first letter a capital.
func titled(s string) string {
	s = clean(strings.NewReplacer("-", " ", "_", " ", "+", " ").Replace(s))
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

func hasLetter(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// firstOf returns the first value that is not empty.
func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

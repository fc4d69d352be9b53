package weburl

import "strings"

// Wildcard is a pattern in which "*" stands for any text, also none. Matching
// takes time linear in text and pattern: the leftmost place of each piece is
// as good as any other.
type Wildcard struct {
	Pieces []string // the text between the stars, one piece at least
	ToEnd  bool     // the pattern must match up to the end of the text
}

// NewWildcard reads a pattern, which with toEnd must match all of a text, else a
// beginning of it.
func NewWildcard(pattern string, toEnd bool) Wildcard {
	return Wildcard{Pieces: strings.Split(pattern, "*"), ToEnd: toEnd}
}

// Match reports whether the pattern matches s.
func (w Wildcard) Match(s string) bool {
	s, ok := strings.CutPrefix(s, w.Pieces[0])
	if !ok || len(w.Pieces) == 1 {
		return ok && (s == "" || !w.ToEnd)
	}
	last := len(w.Pieces) - 1
	for _, piece := range w.Pieces[1:last] {
		at := strings.Index(s, piece)
		if at < 0 {
			return false
		}
		s = s[at+len(piece):]
	}
	if w.ToEnd {
		return strings.HasSuffix(s, w.Pieces[last])
	}
	return strings.Contains(s, w.Pieces[last])
}

package crawl

import "strings"

// wildcard is a pattern in which "*" stands for any text, also none. Matching
// takes time linear in text and pattern: the leftmost place of each piece is
// as good as any other.
type wildcard struct {
	pieces []string // what stands between the stars, one at least
	toEnd  bool     // the pattern must match up to the end of the text
}

func newWildcard(pattern string, toEnd bool) wildcard {
	return wildcard{pieces: strings.Split(pattern, "*"), toEnd: toEnd}
}

func (w wildcard) match(s string) bool {
	s, ok := strings.CutPrefix(s, w.pieces[0])
	if !ok || len(w.pieces) == 1 {
		return ok && (s == "" || !w.toEnd)
	}
	last := len(w.pieces) - 1
	for _, piece := range w.pieces[1:last] {
		at := strings.Index(s, piece)
		if at < 0 {
			return false
		}
		s = s[at+len(piece):]
	}
	if w.toEnd {
		return strings.HasSuffix(s, w.pieces[last])
	}
	return strings.Contains(s, w.pieces[last])
}

package extract

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// title returns the first candidate that names the page, without what the site adds
// to its titles; where all of them name the site alone, the first as it stands.
func (s *sections) title(candidates []string) string {
	if i := slices.IndexFunc(candidates, s.names); i >= 0 {
		return s.strip(candidates[i])
	}
	return firstOf(candidates...)
}

// names reports whether a title names a page, and not the site alone.
func (s *sections) names(title string) bool {
	return !slices.Contains(s[0].Titles, title) && !slices.Contains(s[1].Titles, title)
}

// strip takes the longest tail, then the longest head, off a title. It never takes
// all of it.
func (s *sections) strip(title string) string {
	head, tail := 0, 0
	for i := range s {
		for _, t := range s[i].Tails {
			if len(t) < len(title) && strings.HasSuffix(title, t) {
				tail = max(tail, len(t))
			}
		}
	}
	title = title[:len(title)-tail]
	for i := range s {
		for _, h := range s[i].Heads {
			if len(h) < len(title) && strings.HasPrefix(title, h) {
				head = max(head, len(h))
			}
		}
	}
	return title[head:]
}

// divisions returns where the separators of a title stand, with the spaces around
// them; something stands before and after each.
func divisions(title string) []span {
	var all []span
	for i := range title {
		if i == 0 || title[i-1] == ' ' || !isSeparator(title[i:]) {
			continue
		}
		after := strings.TrimLeft(title[i:], " ")
		_, size := utf8.DecodeRuneInString(after)
		if rest := strings.TrimLeft(after[size:], " "); rest != "" {
			all = append(all, span{i, len(title) - len(rest)})
		}
	}
	return all
}

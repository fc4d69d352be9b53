package weburl

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

type pattern struct {
	name string
	glob string
	re   *regexp.Regexp
}

// Patterns match canonical URLs. Each pattern is a glob for the path, such as "/news/**", or "re:" with an
// RE2 regular expression for path and query.
type Patterns []pattern

// ReadPatterns parses the patterns of a configuration key. The error names key and all malformed patterns.
func ReadPatterns(key string, patterns []string) (Patterns, error) {
	var rules Patterns
	var faults error
	for _, text := range patterns {
		rule, err := readPattern(key, text)
		rules, faults = append(rules, rule), errors.Join(faults, err)
	}
	if faults != nil {
		return nil, faults
	}
	return rules, nil
}

var notInPath = regexp.MustCompile("[^!-~]")

func readPattern(key, text string) (pattern, error) {
	rule := pattern{name: fmt.Sprintf("%s %q", key, text)}
	if expr, ok := strings.CutPrefix(text, "re:"); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return rule, fmt.Errorf("read %s: %w", rule.name, err)
		}
		rule.re = re
		return rule, nil
	}
	// Canonical paths have non-ASCII characters percent-encoded, so the glob "/ø/**" is encoded, too.
	rule.glob = notInPath.ReplaceAllStringFunc(text, url.PathEscape)
	if !doublestar.ValidatePattern(text) {
		return rule, fmt.Errorf("read %s: the glob is malformed; check its brackets and braces", rule.name)
	}
	if rule.glob != text && strings.Contains(text, "[") {
		return rule, fmt.Errorf(`read %s: brackets hold ASCII only; write "{ø,å}" instead of "[øå]"`, rule.name)
	}
	if !strings.ContainsAny(text[:min(1, len(text))], "/*{[") {
		return rule, fmt.Errorf(`read %s: it matches no path; begin it with "/" or "**/"`, rule.name)
	}
	return rule, nil
}

// Find returns the key and text of the first pattern that matches a canonical URL; "" if none matches.
func (all Patterns) Find(canonical string) string {
	target := Target(canonical)
	path := withoutQuery(target)
	for _, p := range all {
		if p.re != nil && p.re.MatchString(target) || p.re == nil && doublestar.MatchUnvalidated(p.glob, path) {
			return p.name
		}
	}
	return ""
}

// Match reports whether any of the patterns matches a canonical URL.
func (all Patterns) Match(canonical string) bool { return all.Find(canonical) != "" }

// Wildcard is a pattern in which "*" stands for any text, including the empty text.
type Wildcard struct {
	Pieces []string // the text between the stars, at least one piece
	ToEnd  bool     // the pattern must match the whole text, not only its beginning
}

// NewWildcard parses a pattern. With toEnd, the pattern must match the whole text, not only its beginning.
func NewWildcard(pattern string, toEnd bool) Wildcard {
	return Wildcard{Pieces: strings.Split(pattern, "*"), ToEnd: toEnd}
}

// Match reports whether the pattern matches s. It takes the leftmost match of each piece, so its time is
// linear in the length of s and the pattern.
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

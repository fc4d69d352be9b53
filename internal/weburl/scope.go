package weburl

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// pattern is one of Patterns: a glob or, when re is set, a regular expression.
type pattern struct {
	name string // key and pattern, as people wrote them
	glob string
	re   *regexp.Regexp
}

// Patterns match canonical URLs: globs on the path ("/news/**") or, after "re:", RE2
// regular expressions on path and query.
type Patterns []pattern

// ReadPatterns reads patterns as people write them under a key of the configuration.
// The error joins all malformed ones and names the key.
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
	// In a canonical path these stand encoded, so that people may write "/ø/**".
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

// Find returns the first pattern that matches a canonical URL, with its key; empty when
// none does.
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

// Match reports whether a pattern matches a canonical URL.
func (all Patterns) Match(canonical string) bool { return all.Find(canonical) != "" }

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

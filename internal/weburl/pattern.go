package weburl

import (
	"errors"
	"fmt"
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
	var faults []error
	for _, text := range patterns {
		rule, err := readPattern(key, text)
		if err != nil {
			faults = append(faults, err)
		}
		rules = append(rules, rule)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return rules, nil
}

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
	rule.glob = escapeGlob(text)
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
	if len(all) == 0 {
		return ""
	}
	target := Target(canonical)
	path := withoutQuery(target)
	for _, p := range all {
		if p.match(path, target) {
			return p.name
		}
	}
	return ""
}

// Match reports whether a pattern matches a canonical URL.
func (all Patterns) Match(canonical string) bool { return all.Find(canonical) != "" }

func (r pattern) match(path, target string) bool {
	if r.re != nil {
		return r.re.MatchString(target)
	}
	return doublestar.MatchUnvalidated(r.glob, path)
}

// escapeGlob percent-encodes what can't stand in a canonical path, so that
// people may write "/ø/**".
func escapeGlob(pattern string) string {
	var b strings.Builder
	for i := range len(pattern) {
		if c := pattern[i]; c <= ' ' || c >= 0x7F {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

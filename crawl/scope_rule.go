package crawl

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// scopeRule is one pattern: a glob or, when re is set, a regular expression.
type scopeRule struct {
	name string // key and pattern, as people wrote them
	glob string
	re   *regexp.Regexp
}

func newScopeRules(key string, patterns []string) ([]scopeRule, error) {
	var rules []scopeRule
	var faults []error
	for _, pattern := range patterns {
		rule, err := newScopeRule(key, pattern)
		if err != nil {
			faults = append(faults, err)
		}
		rules = append(rules, rule)
	}
	return rules, errors.Join(faults...)
}

func newScopeRule(key, pattern string) (scopeRule, error) {
	rule := scopeRule{name: fmt.Sprintf("%s %q", key, pattern)}
	if expr, ok := strings.CutPrefix(pattern, "re:"); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return rule, fmt.Errorf("read %s: %w", rule.name, err)
		}
		rule.re = re
		return rule, nil
	}
	rule.glob = escapeGlob(pattern)
	if !doublestar.ValidatePattern(pattern) {
		return rule, fmt.Errorf("read %s: the glob is malformed; check its brackets and braces", rule.name)
	}
	if rule.glob != pattern && strings.Contains(pattern, "[") {
		return rule, fmt.Errorf(`read %s: brackets hold ASCII only; write "{ø,å}" instead of "[øå]"`, rule.name)
	}
	if !strings.ContainsAny(pattern[:min(1, len(pattern))], "/*{[") {
		return rule, fmt.Errorf(`read %s: it matches no path; begin it with "/" or "**/"`, rule.name)
	}
	return rule, nil
}

func (r scopeRule) match(path, target string) bool {
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

package crawl

import (
	"errors"
	"fmt"
	"strings"
)

// Scope decides which canonical URLs belong to the site. It is immutable and
// safe for concurrent use.
type Scope struct {
	origins map[string]struct{}
	files   map[string]bool // origins of which only files belong to the site
	include []scopeRule
	exclude []scopeRule
}

// NewScope returns the scope of the origins (scheme://host[:port], as Origin
// gives them), narrowed by the patterns of site.include and site.exclude:
// globs on the path ("/news/**") or, after "re:", RE2 regular expressions
// on path and query. An empty include takes all; exclude wins. The error joins
// all faults.
func NewScope(origins, include, exclude []string) (*Scope, error) {
	s := &Scope{origins: make(map[string]struct{}, len(origins))}
	var faults []error
	for _, origin := range origins {
		if Origin(origin) == "" || PathOf(origin) != "" {
			faults = append(faults, fmt.Errorf("read start origin %q: it is not scheme://host", origin))
		}
		s.origins[origin] = struct{}{}
	}
	var err error
	if s.include, err = newScopeRules("site.include", include); err != nil {
		faults = append(faults, err)
	}
	if s.exclude, err = newScopeRules("site.exclude", exclude); err != nil {
		faults = append(faults, err)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return s, nil
}

// Check reports whether a canonical URL is in scope, and why: the rule that
// decided; empty when it is in scope and no rule was needed.
func (s *Scope) Check(canonical string) (ok bool, why string) {
	origin := Origin(canonical)
	if _, ok := s.origins[origin]; !ok {
		if !s.files[origin] {
			return false, "other origin " + origin
		}
		if !mediaIsFile(canonical) {
			return false, "site.file_hosts: only files (PDF, DOCX and the like) of " + origin + " belong to the site"
		}
	}
	if len(s.include) == 0 && len(s.exclude) == 0 {
		return true, ""
	}
	target := canonical[len(origin):]
	path := target
	if query := strings.IndexByte(target, '?'); query >= 0 {
		path = target[:query]
	}
	if rule := firstMatch(s.exclude, path, target); rule != "" {
		return false, rule
	}
	if len(s.include) == 0 {
		return true, ""
	}
	if rule := firstMatch(s.include, path, target); rule != "" {
		return true, rule
	}
	return false, "no site.include matches"
}

func firstMatch(rules []scopeRule, path, target string) string {
	for _, rule := range rules {
		if rule.match(path, target) {
			return rule.name
		}
	}
	return ""
}

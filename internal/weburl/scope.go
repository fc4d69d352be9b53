package weburl

import (
	"errors"
	"fmt"
)

// Scope decides which canonical URLs belong to the site. It is immutable and
// safe for concurrent use.
type Scope struct {
	origins map[string]struct{}
	include Patterns
	exclude Patterns
}

// NewScope returns the scope of the origins (scheme://host[:port], as Origin
// gives them), narrowed by the patterns of site.include and site.exclude.
// An empty include takes all; exclude wins. The error joins all faults.
func NewScope(origins, include, exclude []string) (*Scope, error) {
	s := &Scope{origins: make(map[string]struct{}, len(origins))}
	var faults []error
	for _, origin := range origins {
		if Origin(origin) == "" || Target(origin) != "" {
			faults = append(faults, fmt.Errorf("read start origin %q: it is not scheme://host", origin))
		}
		s.origins[origin] = struct{}{}
	}
	var includeErr, excludeErr error
	s.include, includeErr = ReadPatterns("site.include", include)
	s.exclude, excludeErr = ReadPatterns("site.exclude", exclude)
	if err := errors.Join(append(faults, includeErr, excludeErr)...); err != nil {
		return nil, err
	}
	return s, nil
}

// Check reports whether a canonical URL is in scope, and why: the rule that
// decided; empty when it is in scope and no rule was needed.
func (s *Scope) Check(canonical string) (ok bool, why string) {
	origin := Origin(canonical)
	if _, ok := s.origins[origin]; !ok {
		return false, "other origin " + origin
	}
	if rule := s.exclude.Find(canonical); rule != "" {
		return false, rule
	}
	if len(s.include) == 0 {
		return true, ""
	}
	if rule := s.include.Find(canonical); rule != "" {
		return true, rule
	}
	return false, "no site.include matches"
}

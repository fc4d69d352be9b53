package crawl

import "strings"

// PathMatcher returns a function that reports whether a canonical URL matches one
// of the patterns, written as those of site.include are. It errs with all
// malformed patterns.
func PathMatcher(patterns []string) (func(canonical string) bool, error) {
	rules, err := newScopeRules("pattern", patterns)
	if err != nil {
		return nil, err
	}
	return func(canonical string) bool {
		return matchURL(rules, canonical) != ""
	}, nil
}

// matchURL returns the name of the first rule that matches a canonical URL; empty
// when none does.
func matchURL(rules []scopeRule, canonical string) string {
	if len(rules) == 0 {
		return ""
	}
	target := PathOf(canonical)
	path, _, _ := strings.Cut(target, "?")
	return firstMatch(rules, path, target)
}

// extension returns the extension of a canonical URL's last path segment, in lower
// case with its dot, and the segment.
func extension(url string) (ext, name string) {
	path, _, _ := strings.Cut(PathOf(url), "?")
	name = path[strings.LastIndexByte(path, '/')+1:]
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		ext = strings.ToLower(name[dot:])
	}
	return ext, name
}
